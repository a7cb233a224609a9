/// An expression of Swift with its type.
struct Code {
    /// The type of a value.
    indirect enum Kind {
        case string
        case int
        case double
        case bool
        case json
        /// A time, which is sent in UTC.
        case date
        /// An enum with raw values of type `String`. With `isText`, the values are strings; without it, they are numbers.
        case option(isText: Bool)
        /// A list. An empty list counts as missing. The separator joins the items. Without a separator, each item is sent
        /// separately under the same name.
        case list(Kind, separator: String?)
    }

    var text: String
    var kind: Kind
    var isOptional = false

    init(_ text: String, _ kind: Kind, isOptional: Bool = false) {
        self.text = text
        self.kind = kind
        self.isOptional = isOptional
    }

    /// Whether the expression needs `try` before it.
    var throwsError: Bool { CodeMark.throwing.isIn(text) }

    /// The value as JSON; an optional if the value may be missing.
    var json: Code {
        switch kind {
        case .json: return self
        case .list(let item, _):
            let elements = Code("$0", item).json.text
            let array = ".array(\(text).map { \(elements) })"
            return with("\(text).isEmpty ? nil : \(array)", .json, isOptional: true)
        default:
            if isOptional { return with("\(text).map { \(Code("$0", kind).json.text) }", .json, isOptional: true) }
            let json =
                switch kind {
                case .string: ".string(\(text))"
                case .int, .double: ".number(\(text))"
                case .bool: ".bool(\(text))"
                case .date: ".date(\(text))"
                case .option(let isText): isText ? ".string(\(text).rawValue)" : ".number(text: \(text).rawValue)"
                case .json, .list: text
                }
            return with(json, .json, isOptional: false)
        }
    }

    /// The value as a string; an optional if the value may be missing. A list becomes one joined string.
    var asText: Code {
        switch kind {
        case .string: return self
        case .json: return with(isOptional ? "\(text)?.text" : "\(text).text", .string)
        case .option: return with(isOptional ? "\(text)?.rawValue" : "\(text).rawValue", .string)
        case .list(let item, let separator):
            let joined = "\(items(item)).joined(separator: \(SwiftText.literal(separator ?? ",")))"
            return with("\(text).isEmpty ? nil : \(joined)", .string, isOptional: true)
        case .int, .bool, .double, .date:
            if isOptional { return with("\(text).map { \(Code("$0", kind).asText.text) }", .string) }
            switch kind {
            case .double: return with("JSONLiteral.number(\(text)).text", .string)
            case .date: return with("JSONLiteral.date(\(text)).text", .string)
            default: return with("\"\\(\(text))\"", .string)
            }
        }
    }

    /// The strings of a value that is sent several times under one name, as an array; nil if the value is a single string.
    var repeated: Code? {
        switch kind {
        case .list(let item, nil): with(items(item), .string, isOptional: false)
        case .json: with(isOptional ? "\(text)?.texts ?? []" : "\(text).texts", .string, isOptional: false)
        default: nil
        }
    }

    private func items(_ item: Kind) -> String {
        if case .string = item { return text }
        return "\(text).map { \(Code("$0", item).asText.text) }"
    }

    func with(_ text: String, _ kind: Kind, isOptional: Bool? = nil) -> Code {
        Code(text, kind, isOptional: isOptional ?? self.isOptional)
    }

    /// The value as the left side of a member access, in parentheses if necessary.
    var operand: String { text.contains(" ") || text.contains("?") ? "(\(text))" : text }

    /// The value as an interpolation in a string literal.
    var interpolation: String {
        switch kind {
        case .int, .bool, .string: "\\(\(text))"
        default: "\\(\(asText.text))"
        }
    }
}

/// A character that the generator puts before a name in code to mark a property of the expression. No literal contains a mark, and
/// all marks are removed before the code is written to a file.
enum CodeMark: String, CaseIterable {
    /// The expression uses `values`, which a call gets from its environment.
    case values = "\u{2}"
    /// The expression uses `values` and may throw an error.
    case throwing = "\u{1}"

    func isIn(_ text: String) -> Bool { text.utf8.contains { $0 == rawValue.utf8.first } }

    static func isAny(in text: String) -> Bool { allCases.contains { $0.isIn(text) } }

    static func removed(from text: String) -> String {
        isAny(in: text)
            ? String(text.unicodeScalars.filter { $0.value > 2 }.reduce(into: "") { $0.unicodeScalars.append($1) })
            : text
    }
}

extension String {
    /// The expression, with `try` before it if necessary.
    var withTry: String { CodeMark.throwing.isIn(self) ? "try \(self)" : self }
}
