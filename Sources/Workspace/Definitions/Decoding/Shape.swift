import ReqcliText

/// A type of value in the format: its decoder, its description in messages and its JSON Schema, kept in one place so
/// that they cannot drift apart.
package struct Shape<Value: Sendable>: Sendable {
    /// The description that follows "takes" in messages: `seconds or a duration such as "800ms"`.
    package let expects: String
    package let schema: SchemaNode
    /// Reads a value. If the value is invalid, the problem is reported and the result is nil.
    let decode: @Sendable (JSONValue, inout Decoding) -> Value?

    init(
        expects: String, schema: SchemaNode, decode: @escaping @Sendable (JSONValue, inout Decoding) -> Value?
    ) {
        self.expects = expects
        self.schema = schema
        self.decode = decode
    }

    /// A shape for values that `read` understands. Any other value is reported with `expects`.
    ///
    /// - Parameter hint: The advice for a value that `read` doesn't understand.
    init(
        expects: String, schema: SchemaNode,
        code: @escaping @Sendable (JSONValue) -> Diagnostic.Code = { _ in .typeMismatch },
        hint: @escaping @Sendable (JSONValue) -> String? = { _ in nil },
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(expects: expects, schema: schema) { value, decoding in
            if let result = read(value) { return result }
            decoding.mismatch(value, expects: expects, code: code(value), hint: hint(value))
            return nil
        }
    }

    /// The shape with its values converted to another type. `transform` returns nil for a value whose problem was already
    /// reported.
    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other?) -> Shape<Other> {
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

    /// Adds a condition on valid values. `complaint` returns the mistake in a value, or nil for a valid value.
    func checked(
        expects: String? = nil, schema: SchemaNode? = nil,
        _ complaint: @escaping @Sendable (Value, JSONValue) -> Complaint?
    ) -> Shape {
        checked(expects: expects, schema: schema) { result, value, decoding in
            guard let complaint = complaint(result, value) else { return true }
            decoding.report(complaint.code, complaint.message, at: value.place, hint: complaint.hint)
            return false
        }
    }

    /// Adds a condition on valid values. Any other value is reported with `expects`.
    func checked(
        expects: String, schema: SchemaNode? = nil, code: Diagnostic.Code,
        _ isValid: @escaping @Sendable (Value) -> Bool
    ) -> Shape {
        checked(expects: expects, schema: schema) { result, value, decoding in
            if isValid(result) { return true }
            decoding.mismatch(value, expects: expects, code: code)
            return false
        }
    }
}

/// A mistake in a value.
struct Complaint: Error {
    let code: Diagnostic.Code
    let message: String
    let hint: String?

    init(_ code: Diagnostic.Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

extension Shape {
    /// The value together with its place.
    static func located<Inner>(_ inner: Shape<Inner>) -> Shape<Located<Inner>> where Value == Located<Inner> {
        Shape<Located<Inner>>(expects: inner.expects, schema: inner.schema) { value, decoding in
            // `map` is not used here, because its closure would have to copy the value.
            guard let decoded = inner.decode(value, &decoding) else { return nil }
            return Located(consume decoded, at: value.place)
        }
    }

    /// A setting that a later layer can remove with `null`.
    static func setting<Inner>(_ inner: Shape<Inner>) -> Shape<Setting<Inner>> where Value == Setting<Inner> {
        Shape<Setting<Inner>>(expects: inner.expects + ", or null", schema: .either([inner.schema, .null])) {
            value, decoding in
            if value.isNull { return Setting(nil, at: value.place) }
            guard let decoded = inner.decode(value, &decoding) else { return nil }
            return Setting(consume decoded, at: value.place)
        }
    }

    /// An object with fixed keys, or a plain value that is short for such an object.
    ///
    /// - Parameter isSwitch: Whether an object with `$switch` is a plain value.
    static func object<Plain>(
        _ table: ObjectShape<Value>, or plain: Shape<Plain>, expects: String, isSwitch: Bool = false,
        _ make: @escaping @Sendable (Plain, Place) -> Value
    ) -> Shape {
        Shape(expects: expects, schema: .either([plain.schema, table.shape.schema])) { value, decoding in
            if value.kind == .object, !isSwitch || value["$switch"] == nil { return table.decode(value, &decoding) }
            return plain.decode(value, &decoding).map { make($0, value.place) }
        }
    }
}
