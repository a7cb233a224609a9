/// A typed value that travels with a request to the transport, such as a limit or a switch that `URLRequest` has no
/// property for.
///
/// Values travel as text, so they are part of the request's value: they survive copies, and two requests never share
/// one. Types that are made from text (`Int`, `Double`, `Bool`, `String`, string enums) need no more than a name:
///
/// ```swift
/// enum MaximumRedirects: RequestOption {
///     typealias Value = Int
///     static let name = "maximum redirects"
/// }
///
/// let request = try builder.option(MaximumRedirects.self, 3).makeRequest()
/// request[option: MaximumRedirects.self]  // 3
/// ```
public protocol RequestOption: SendableMetatype {
    /// What is attached.
    associatedtype Value: Sendable

    /// What the value is kept under and shown as; unique among the options of a program.
    static var name: String { get }

    /// The value as text, readable since it is also shown.
    static func text(for value: Value) -> String

    /// The value that the text stands for.
    static func value(for text: String) -> Value?
}

/// The options of one request.
package struct AttachedOptions: Equatable, Sendable {
    var texts: OptionTexts

    package subscript<Option: RequestOption>(_ option: Option.Type) -> Option.Value? {
        get {
            guard let text = texts[Option.name] else { return nil }
            return Option.value(for: text)
        }
        set { texts[Option.name] = newValue.map(Option.text(for:)) }
    }
}

/// The options of one request as texts, by name. A list in order of the names: a request has a few, which are looked for in
/// less time than it takes to hash a name.
struct OptionTexts: Equatable, Sendable {
    private(set) var all: [(name: String, value: String)] = []

    var isEmpty: Bool { all.isEmpty }

    subscript(name: String) -> String? {
        get { all.first { $0.name == name }?.value }
        set {
            let index = all.firstIndex { $0.name >= name } ?? all.endIndex
            let isThere = index < all.endIndex && all[index].name == name
            if let newValue {
                if isThere { all[index].value = newValue } else { all.insert((name, newValue), at: index) }
            } else if isThere {
                all.remove(at: index)
            }
        }
    }

    /// Byte by byte: two spellings of "é" are two names of a file.
    static func == (one: OptionTexts, other: OptionTexts) -> Bool {
        one.all.elementsEqual(other.all) { $0.name == $1.name && $0.value.utf8.elementsEqual($1.value.utf8) }
    }
}

extension RequestOption where Value: LosslessStringConvertible {
    /// The value's own text.
    public static func text(for value: Value) -> String { value.description }

    /// The value made from its own text.
    public static func value(for text: String) -> Value? { Value(text) }
}

extension RequestOption where Value: RawRepresentable<String> {
    /// The raw value.
    public static func text(for value: Value) -> String { value.rawValue }

    /// The value of that raw value.
    public static func value(for text: String) -> Value? { Value(rawValue: text) }
}
