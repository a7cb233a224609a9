import SourceText

/// What a value of the format looks like: how it is read, what a message says it takes, and its JSON Schema, in one
/// place, so that the three cannot drift apart.
package struct Shape<Value: Sendable>: Sendable {
    /// Completes "… takes": `seconds or a duration such as "800ms"`.
    package let expects: String
    package let schema: SchemaNode
    /// Nil if the value can't be used; what is wrong with it has then been reported.
    let decode: @Sendable (JSONValue, inout Decoding) -> Value?

    init(
        expects: String, schema: SchemaNode, decode: @escaping @Sendable (JSONValue, inout Decoding) -> Value?
    ) {
        self.expects = expects
        self.schema = schema
        self.decode = decode
    }

    /// The same values, turned into another type.
    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Shape<Other> {
        let decode = decode
        return Shape<Other>(expects: expects, schema: schema) { value, decoding in
            guard let decoded = decode(value, &decoding) else { return nil }
            return transform(decoded)
        }
    }

    /// Further conditions on a value that has the right type; `check` reports and returns false where they don't hold.
    func checked(
        expects: String? = nil, schema: SchemaNode? = nil,
        _ check: @escaping @Sendable (Value, JSONValue, inout Decoding) -> Bool
    ) -> Shape {
        let decode = decode
        return Shape(expects: expects ?? self.expects, schema: schema ?? self.schema) { value, decoding in
            guard let result = decode(value, &decoding), check(result, value, &decoding) else { return nil }
            return result
        }
    }
}

extension Shape {
    /// The value with its place.
    static func located<Inner>(_ inner: Shape<Inner>) -> Shape<Located<Inner>> where Value == Located<Inner> {
        Shape<Located<Inner>>(expects: inner.expects, schema: inner.schema) { value, decoding in
            // Not `map`, whose closure is lent the value and has to copy it: so all along the way of an endpoint.
            guard let decoded = inner.decode(value, &decoding) else { return nil }
            return Located(consume decoded, at: value.place)
        }
    }

    /// A setting that a later layer may take back with `null`.
    static func setting<Inner>(_ inner: Shape<Inner>) -> Shape<Setting<Inner>> where Value == Setting<Inner> {
        Shape<Setting<Inner>>(expects: inner.expects + ", or null", schema: .either([inner.schema, .null])) {
            value, decoding in
            if value.isNull { return Located(.removed, at: value.place) }
            guard let decoded = inner.decode(value, &decoding) else { return nil }
            return Located(.set(consume decoded), at: value.place)
        }
    }
}

extension Shape {
    /// Turns what the keys said into the model; nil where a rule of the table was broken, which has been reported.
    func finished<Model>(_ finish: @escaping @Sendable (Value) -> Model?) -> Shape<Model> {
        let decode = decode
        return Shape<Model>(expects: expects, schema: schema) { value, decoding in
            decode(value, &decoding).flatMap(finish)
        }
    }
}
