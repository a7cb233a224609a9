/// A JSON document to print, with keys in the order given.
indirect enum JSONText {
    case string(String)
    case number(Int)
    case bool(Bool)
    case array([JSONText])
    case object([(String, JSONText)])

    func text(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .string(let value): return Self.quoted(value)
        case .number(let value): return String(value)
        case .bool(let value): return String(value)
        case .array(let values) where values.isEmpty: return "[]"
        case .object(let members) where members.isEmpty: return "{}"
        case .array(let values):
            return Self.block("[", values.map { inner + $0.text(indent: inner) }, indent + "]")
        case .object(let members):
            return Self.block(
                "{", members.map { "\(inner)\(Self.quoted($0.0)): \($0.1.text(indent: inner))" }, indent + "}")
        }
    }

    private static func block(_ start: String, _ lines: [String], _ end: String) -> String {
        start + "\n" + lines.joined(separator: ",\n") + "\n" + end
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0"..<" ", "\u{7F}":
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
