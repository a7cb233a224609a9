import ReqcliBasics
import ReqcliText
import RequestBuilding

/// Describes how values of one type are written in files, as text after a flag, and in Swift.
struct SettingCodec<Value: Sendable>: Sendable {
    let text: SettingText
    /// The shape of the value in a file; nil if files don't contain the setting, or write it in another way.
    let shape: Shape<Value>?
    /// Reads a text, such as the text that a ``TransferSetting`` shows.
    let parse: @Sendable (String) throws(SettingComplaint) -> Value
    /// The value as a file writes it, made from its text.
    let json: @Sendable (String) -> OrderedJSON
    /// The value in Swift.
    let swift: @Sendable (Value) -> SwiftExpression

    init(
        _ text: SettingText, _ shape: Shape<Value>?,
        json: @escaping @Sendable (String) -> OrderedJSON = { .string($0) },
        swift: @escaping @Sendable (Value) -> SwiftExpression,
        parse: @escaping @Sendable (String) throws(SettingComplaint) -> Value
    ) {
        (self.text, self.shape, self.json, self.swift, self.parse) = (text, shape, json, swift, parse)
    }

    /// A codec for values that `read` understands. Any other value is reported together with the expected form.
    init(
        _ text: SettingText, _ shape: Shape<Value>, json: @escaping @Sendable (String) -> OrderedJSON = { .string($0) },
        swift: @escaping @Sendable (Value) -> SwiftExpression, read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(text, shape, json: json, swift: swift) { (text) throws(SettingComplaint) in
            guard let value = read(text) else { throw SettingComplaint() }
            return value
        }
    }
}

/// A value as generated Swift writes it.
package enum SwiftExpression: Sendable {
    /// Code such as `.tls12` or `[.get]`.
    case code(String)
    case integer(Int)
    case string(String)
    case duration(Duration)
}

/// The words with which help and messages describe a value.
package struct SettingText: Sendable {
    /// The name of the value in help: `N`, `FILE`.
    package let placeholder: String
    /// The words for a valid value in a message: "a whole number from 0 to 20". Nil if the value is one of `words`.
    package let expected: String?
    /// The words, if the value is one of a fixed list.
    package var words: [String] = []
    package var isPath = false
    package var mayHoldSecret = false

    init(
        _ placeholder: String, expected: String?, words: [String] = [], isPath: Bool = false,
        mayHoldSecret: Bool = false
    ) {
        (self.placeholder, self.expected, self.words) = (placeholder, expected, words)
        (self.isPath, self.mayHoldSecret) = (isPath, mayHoldSecret)
    }
}

/// The reason why a text is not a valid value.
package struct SettingComplaint: Error {
    package let hint: String?

    package init(hint: String? = nil) { self.hint = hint }
}

extension SettingCodec<Bool> {
    static var boolean: Self {
        Self(
            SettingText("BOOL", expected: "true or false"), .boolean, json: { .bool($0 == "true") },
            swift: { .code(String($0)) }, read: { Bool($0) })
    }
}

extension SettingCodec<Int> {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Self(
            SettingText("N", expected: expected), .integer(range), json: { .number($0) }, swift: { .integer($0) },
            read: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } })
    }
}

extension SettingCodec<Duration> {
    static var duration: Self {
        let text = SettingText("DURATION", expected: "seconds or a duration such as 800ms")
        return Self(text, .duration, swift: { .duration($0) }, read: DurationText.parse)
    }

    /// A time limit, which is never zero.
    static var bound: Self {
        let text = SettingText("DURATION", expected: "seconds or a duration such as 800ms (at least 1ms)")
        return Self(
            text, .bound, swift: { .duration($0) },
            read: { text in
                DurationText.parse(text).flatMap { $0 >= DurationText.shortestBound ? $0 : nil }
            })
    }
}

extension SettingCodec where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var word: Self { word(of: Array(Value.allCases)) }
}

extension SettingCodec where Value: RawRepresentable, Value.RawValue == String {
    /// One of these values, written as its raw value.
    static func word(of values: [Value]) -> Self {
        let words = values.map(\.rawValue)
        let text = SettingText(words.joined(separator: "|"), expected: nil, words: words)
        return Self(text, .word(of: values), swift: { .code(".\($0)") }) { (text) throws(SettingComplaint) in
            guard let value = values.first(where: { $0.rawValue == text }) else {
                throw SettingComplaint(hint: NearNames.question(for: text, among: words))
            }
            return value
        }
    }
}

extension SettingCodec<[Int]> {
    /// Status codes to retry on.
    static var retryStatuses: Self {
        let all = RetryPolicy.errorStatuses.sorted()
        return Self(
            SettingText("STATUS", expected: "a list of status codes, or any"), .retryStatuses,
            json: { text in
                text == "any" ? .string(text) : .array(listed(text).map { .number($0) })
            },
            swift: { .code($0 == all ? "RetryPolicy.errorStatuses.sorted()" : "\($0)") },
            read: { text in
                if text == "any" { return all }
                let numbers = listed(text).map { Int($0) }
                return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
            })
    }
}

extension SettingCodec<[HTTPMethod]> {
    static var methods: Self {
        let shape = Shape<[String]>.list(of: .method, expects: "a list of methods")
        return Self(
            SettingText("METHODS", expected: "a list of methods"),
            shape.map { $0.compactMap { try? HTTPMethod($0) } },
            json: { .array(listed($0).map { .string($0) }) },
            swift: { methods in
                let constants = methods.filter(HTTPMethod.standard.contains).map { ".\($0.token.lowercased())" }
                return .code("[\(constants.joined(separator: ", "))]")
            },
            read: { text in listed(text).compactMap { try? HTTPMethod($0) } })
    }
}

/// The elements of a list that is written as text.
private func listed(_ text: String) -> [String] { text.split { ", ".contains($0) }.map(String.init) }

extension Shape where Value == [Int] {
    /// A list of status codes, or the word "any" for all error statuses.
    fileprivate static let retryStatuses: Shape = {
        let list = Shape.list(of: .status, expects: "a list of status codes, or \"any\"")
        return Shape(expects: list.expects, schema: .either([list.schema, .words(["any"])])) { value, decoding in
            if value.string == "any" { return RetryPolicy.errorStatuses.sorted() }
            return list.decode(value, &decoding)
        }
    }()
}
