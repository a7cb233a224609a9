import SourceText

/// A type of value in the format: its decoder, its description in messages and its JSON Schema, kept in one place so
/// that they cannot drift apart.
package struct Shape<Value: Sendable>: Sendable {
    /// The description that follows "takes" in messages: `seconds or a duration such as "800ms"`.
    package let expects: String
    package let schema: SchemaNode
    /// Reads a value; nil if it is invalid, which has then been reported.
    let decode: @Sendable (JSONValue, inout Decoding) -> Value?

    init(
        expects: String, schema: SchemaNode, decode: @escaping @Sendable (JSONValue, inout Decoding) -> Value?
    ) {
        self.expects = expects
        self.schema = schema
        self.decode = decode
    }

    /// The shape with its values converted to another type.
    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Shape<Other> {
        let decode = decode
        return Shape<Other>(expects: expects, schema: schema) { value, decoding in
            guard let decoded = decode(value, &decoding) else { return nil }
            return transform(decoded)
        }
    }

    /// Adds a condition on valid values. `check` reports a violation and returns false.
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
    /// The value together with its place.
    static func located<Inner>(_ inner: Shape<Inner>) -> Shape<Located<Inner>> where Value == Located<Inner> {
        Shape<Located<Inner>>(expects: inner.expects, schema: inner.schema) { value, decoding in
            // Not `map`, whose closure would have to copy the value on the way from the endpoint's keys.
            guard let decoded = inner.decode(value, &decoding) else { return nil }
            return Located(consume decoded, at: value.place)
        }
    }

    /// A setting that a later layer can remove with `null`.
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
    /// Converts the decoded keys to the model; nil if a rule of the table was broken, which has been reported.
    func finished<Model>(_ finish: @escaping @Sendable (Value) -> Model?) -> Shape<Model> {
        let decode = decode
        return Shape<Model>(expects: expects, schema: schema) { value, decoding in
            decode(value, &decoding).flatMap(finish)
        }
    }
}
