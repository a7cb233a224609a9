package import ReqcliText

/// A value between two functions of a placeholder.
package enum FunctionValue: Sendable, Equatable {
    case json(OrderedJSON)
    case bytes([UInt8])
    /// Milliseconds since 1970.
    case time(Int)
    /// Milliseconds. Only an argument is a duration.
    case duration(Int)

    static func text(_ text: String) -> FunctionValue { .json(.string(text)) }
    static func number(_ text: String) -> FunctionValue { .json(.number(text)) }

    package var types: ValueTypes {
        switch self {
        case .json(.string): .text
        case .json(.number): .number
        case .json(.bool): .boolean
        case .json(.array): .list
        case .json(.object): .object
        case .json(.null): .null
        case .bytes: .bytes
        case .time: .time
        case .duration: .duration
        }
    }

    /// The approximate size in bytes.
    package var size: Int {
        switch self {
        case .json(.string(let text)), .json(.number(let text)): text.utf8.count
        case .json(let value): value.texts.reduce(8) { $0 + $1.utf8.count + 8 }
        case .bytes(let bytes): bytes.count
        case .time, .duration: 8
        }
    }

    // MARK: What functions read. A function is only called with types that it takes.

    /// A string unchanged, any other JSON in compact form.
    package var text: String { if case .json(let value) = self { value.plainText } else { "" } }

    /// Bytes unchanged, any other value as UTF-8.
    var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { Array(text.utf8) } }

    var list: [OrderedJSON] { if case .json(.array(let elements)) = self { elements } else { [] } }

    /// The decimal number in a number, or in a text that is one.
    func decimal() throws(FunctionProblem) -> DecimalNumber {
        guard let number = JSONNumber(text) else { throw FunctionProblem("the text is not a number") }
        guard let decimal = DecimalNumber(number) else { throw FunctionProblem("the number is too large") }
        return decimal
    }

    /// A whole number in a range.
    func whole(_ range: ClosedRange<Int>) throws(FunctionProblem) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw FunctionProblem("takes whole numbers from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

/// The reason why a function has no result. The message never contains the value, which can be made from a secret.
package struct FunctionProblem: Error, Equatable {
    package let message: String

    init(_ message: String) { self.message = message }
}

/// The types that a value can have before it is known.
package struct ValueTypes: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let text = ValueTypes(rawValue: 1)
    package static let number = ValueTypes(rawValue: 2)
    package static let boolean = ValueTypes(rawValue: 4)
    package static let list = ValueTypes(rawValue: 8)
    package static let object = ValueTypes(rawValue: 16)
    package static let null = ValueTypes(rawValue: 32)
    package static let bytes = ValueTypes(rawValue: 64)
    package static let time = ValueTypes(rawValue: 128)
    package static let duration = ValueTypes(rawValue: 256)
    /// In what a function gives: the types of the value that it takes.
    static let same = ValueTypes(rawValue: 512)
    /// In what a function gives: the types of its argument.
    static let argument = ValueTypes(rawValue: 1024)

    static let scalar: ValueTypes = [.text, .number, .boolean]
    /// The types of JSON, which can be put into a request.
    package static let json: ValueTypes = [.text, .number, .boolean, .list, .object, .null]

    private static let names: [(ValueTypes, String)] = [
        (.json, "any JSON"), (.text, "text"), (.number, "a number"), (.boolean, "a boolean"), (.list, "a list"),
        (.object, "an object"), (.null, "null"), (.bytes, "bytes"), (.time, "a time"), (.duration, "a duration"),
        (.same, "the same type"), (.argument, "the type of the argument"),
    ]

    /// The types in the words of a message: `text, a number or bytes`.
    package var phrase: String {
        var rest = self
        var words: [String] = []
        for (type, name) in Self.names where rest.isSuperset(of: type) {
            words.append(name)
            rest.subtract(type)
        }
        return words.count < 2
            ? words.first ?? "nothing" : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    }
}
