import ReqcliBasics
import ReqcliText

extension Shape where Value == String {
    static let text = Shape(
        expects: "text", schema: .text(), hint: { $0.kind == .number ? "put it in double quotes" : nil },
        read: \.string)

    static func nonEmpty(_ expects: String) -> Shape {
        text.checked(expects: expects, schema: .text(pattern: "."), code: .valueInvalid) { !$0.isEmpty }
    }

    /// The name of an endpoint, environment, param and so on. Names appear in ids, on command lines and in file names.
    static func name(_ role: String) -> Shape {
        text.checked(
            expects: "the name of \(role)", schema: .text(pattern: Name.pattern, names: NameRole(phrase: role))
        ) { name, _ in
            Name.isValid(name) ? nil : Complaint(.nameInvalid, Name.complaint(name, role), hint: Name.advice)
        }
    }

    /// A name in the request, which is sent unchanged: any text that is not empty and has no placeholders.
    static func plainName(_ role: String) -> Shape {
        Shape(expects: "the name of \(role)", schema: .text(pattern: "^\(PlainName.pattern)+$")) { key, decoding in
            let name = PlainName.read(key, in: "the name of \(role)", &decoding)
            if !name.isEmpty { return name }
            decoding.report(.nameInvalid, "the name of \(role) can't be empty", at: key.place)
            return nil
        }
    }

    /// The id of an endpoint: names joined with dots.
    static let endpointID = text.checked(
        expects: "the id of an endpoint, such as \"user.get\"", schema: .text(pattern: Name.idPattern, names: .endpoint)
    ) { id, _ in
        Name.isValidID(id)
            ? nil
            : Complaint(.nameInvalid, "\"\(id)\" can't be the id of an endpoint", hint: "write it as \"user.get\"")
    }
}

extension Shape where Value == Bool {
    static let boolean = Shape(
        expects: "true or false", schema: .boolean,
        hint: { $0.kind == .string ? "write it without quotes" : nil }, read: \.bool)
}

extension Shape where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Shape {
        let expects =
            range.upperBound == Int.max
            ? "a whole number of at least \(range.lowerBound)"
            : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Shape(
            expects: expects, schema: .integer(range),
            code: { $0.number?.isInteger == true ? .valueRange : .typeMismatch }
        ) { value in
            value.number?.int.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    static let status = integer(100...599)
}

extension Shape where Value == JSONNumber {
    static let number = Shape(
        expects: "a number", schema: .number(),
        hint: { $0.kind == .string ? "write it without quotes" : nil }, read: \.number)
}

extension Shape where Value == JSONValue {
    /// Any JSON value, with its place in the file.
    static let anyJSON = Shape(expects: "any JSON value", schema: .anything) { value, _ in
        value.kind == .invalid ? nil : value
    }
}

extension Shape where Value == OrderedJSON {
    /// Any JSON value, as a copy without its place in the file.
    static let json = Shape<JSONValue>.anyJSON.map { OrderedJSON($0) }
}

extension Shape where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One word of a fixed set. For a misspelled word, a similar word is suggested.
    static var word: Shape { word(of: Array(Value.allCases)) }
}

extension Shape where Value: RawRepresentable, Value.RawValue == String {
    /// A string that must be the raw value of one of these values.
    static func word(of values: [Value]) -> Shape {
        let words = values.map(\.rawValue)
        return Shape(
            expects: "one of " + words.map { "\"\($0)\"" }.joined(separator: ", "), schema: .words(words),
            code: { $0.kind == .string ? .valueUnknown : .typeMismatch },
            hint: { $0.string.flatMap { NearNames.question(for: $0, among: words) } },
            read: { value in values.first { value.string == $0.rawValue } })
    }
}
