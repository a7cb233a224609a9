import NearNames
import SourceText

extension Shape where Value == String {
    static let text = Shape(expects: "text", schema: .text()) { value, decoding in
        if let string = value.string { return string }
        decoding.mismatch(value, expects: "text", hint: value.kind == .number ? "put it in double quotes" : nil)
        return nil
    }

    static func nonEmpty(_ expects: String) -> Shape {
        text.checked(expects: expects, schema: .text(pattern: ".")) { text, value, decoding in
            if !text.isEmpty { return true }
            decoding.mismatch(value, expects: expects, code: .valueInvalid)
            return false
        }
    }

    /// The name of an endpoint, environment, param and so on. Names appear in ids, on command lines and in file names.
    static func name(_ role: String) -> Shape {
        text.checked(expects: "the name of \(role)", schema: .text(pattern: Name.pattern)) { name, value, decoding in
            if Name.isValid(name) { return true }
            decoding.report(.nameInvalid, Name.complaint(name, role), at: value.place, hint: Name.advice)
            return false
        }
    }

    /// The id of an endpoint: names joined with dots.
    static let endpointID = text.checked(
        expects: "the id of an endpoint, such as \"user.get\"", schema: .text(pattern: Name.idPattern)
    ) { id, value, decoding in
        if Name.isValidID(id) { return true }
        decoding.report(
            .nameInvalid, "\"\(id)\" can't be the id of an endpoint", at: value.place, hint: "write it as \"user.get\"")
        return false
    }
}

extension Shape where Value == Bool {
    static let boolean = Shape(expects: "true or false", schema: .boolean) { value, decoding in
        if let bool = value.bool { return bool }
        decoding.mismatch(
            value, expects: "true or false", hint: value.kind == .string ? "write it without quotes" : nil)
        return nil
    }
}

extension Shape where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Shape {
        let expects =
            range.upperBound == Int.max
            ? "a whole number of at least \(range.lowerBound)"
            : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Shape(expects: expects, schema: .integer(range)) { value, decoding in
            guard let number = value.number else {
                decoding.mismatch(value, expects: expects)
                return nil
            }
            guard let int = number.int, range.contains(int) else {
                decoding.mismatch(value, expects: expects, code: number.isInteger ? .valueRange : .typeMismatch)
                return nil
            }
            return int
        }
    }

    static let status = integer(100...599)
}

extension Shape where Value == JSONNumber {
    static let number = Shape(expects: "a number", schema: .number()) { value, decoding in
        if let number = value.number { return number }
        decoding.mismatch(value, expects: "a number", hint: value.kind == .string ? "write it without quotes" : nil)
        return nil
    }
}

extension Shape where Value == JSONValue {
    /// Any JSON, as a value of the file.
    static let anyJSON = Shape(expects: "any JSON value", schema: .anything) { value, _ in
        value.kind == .invalid ? nil : value
    }
}

extension Shape where Value == OrderedJSON {
    /// Any JSON, as a copy.
    static let json = Shape<JSONValue>.anyJSON.map { OrderedJSON($0) }
}

extension Shape where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One word of a fixed set. A near miss gets a suggestion.
    static var word: Shape {
        let words = Value.allCases.map(\.rawValue)
        let expects = "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
        return Shape(expects: expects, schema: .words(words)) { value, decoding in
            guard let text = value.string else {
                decoding.mismatch(value, expects: expects)
                return nil
            }
            if let word = Value(rawValue: text) { return word }
            decoding.mismatch(
                value, expects: expects, code: .valueUnknown, hint: NearNames.question(for: text, among: words))
            return nil
        }
    }
}
