import ReqcliBasics
import ReqcliText
import RequestBuilding

/// Describes how values of one type are written in files, and as text after a flag.
struct SettingCodec<Value: Sendable>: Sendable {
    let form: SettingForm
    let text: SettingText
    /// The shape of the value in a file; nil if files don't contain the setting, or write it in another way.
    let shape: Shape<Value>?
    /// Reads a text, such as the text that a ``TransferSetting`` shows.
    let parse: @Sendable (String) throws(SettingComplaint) -> Value

    init(
        _ form: SettingForm, _ text: SettingText, _ shape: Shape<Value>?,
        parse: @escaping @Sendable (String) throws(SettingComplaint) -> Value
    ) {
        (self.form, self.text, self.shape, self.parse) = (form, text, shape, parse)
    }

    /// A codec for values that `read` understands. Any other value is reported together with the expected form.
    init(_ form: SettingForm, _ text: SettingText, _ shape: Shape<Value>, read: @escaping @Sendable (String) -> Value?)
    {
        self.init(form, text, shape) { (text) throws(SettingComplaint) in
            guard let value = read(text) else { throw SettingComplaint() }
            return value
        }
    }
}

/// The kinds of values, for code that writes a value in another language, such as Swift.
package enum SettingForm: Sendable {
    case boolean, duration, integer, text
    /// One of the cases of an enumeration.
    case word
    /// Status codes, or the word `any`.
    case statuses
    case methods
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
    static var boolean: Self { Self(.boolean, SettingText("BOOL", expected: "true or false"), .boolean) { Bool($0) } }
}

extension SettingCodec<Int> {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Self(.integer, SettingText("N", expected: expected), .integer(range)) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension SettingCodec<Duration> {
    static var duration: Self {
        let text = SettingText("DURATION", expected: "seconds or a duration such as 800ms")
        return Self(.duration, text, .duration, read: DurationText.parse)
    }

    /// A time limit, which is never zero.
    static var bound: Self {
        let text = SettingText("DURATION", expected: "seconds or a duration such as 800ms (at least 1ms)")
        return Self(.duration, text, .bound) { text in
            DurationText.parse(text).flatMap { $0 >= DurationText.shortestBound ? $0 : nil }
        }
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
        return Self(.word, text, .word(of: values)) { (text) throws(SettingComplaint) in
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
        let text = SettingText("STATUS", expected: "a list of status codes, or any")
        return Self(.statuses, text, .retryStatuses) { text in
            if text == "any" { return RetryPolicy.errorStatuses.sorted() }
            let numbers = text.split { ", ".contains($0) }.map { Int($0) }
            return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
        }
    }
}

extension SettingCodec<[HTTPMethod]> {
    static var methods: Self {
        let shape = Shape<[String]>.list(of: .method, expects: "a list of methods")
        return Self(
            .methods, SettingText("METHODS", expected: "a list of methods"),
            shape.map { $0.compactMap { try? HTTPMethod($0) } },
            read: { text in text.split { ", ".contains($0) }.compactMap { try? HTTPMethod(String($0)) } })
    }
}

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
