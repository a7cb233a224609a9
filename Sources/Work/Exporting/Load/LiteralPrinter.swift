import ReqcliText

/// Writes JSON as a literal of a programming language.
struct LiteralPrinter: Sendable {
    let null: String
    let booleans: (no: String, yes: String)
    let string: @Sendable (String) -> String
    let key: @Sendable (String) -> String

    static let javaScript = LiteralPrinter(
        null: "null", booleans: ("false", "true"), string: { ScriptText.javaScript($0) },
        key: { ScriptText.javaScriptKey($0) })
    static let python = LiteralPrinter(
        null: "None", booleans: ("False", "True"), string: { ScriptText.python($0) }, key: { ScriptText.python($0) })

    private static let width = 110

    /// The value on one line if it is short, else with one member or element on each line.
    func text(_ value: OrderedJSON, indent: Int = 0) -> String {
        let line = line(value)
        if indent + line.utf8.count <= Self.width { return line }
        let start = String(repeating: " ", count: indent + 2)
        func lines(_ items: [String]) -> String {
            items.map { "\(start)\($0),\n" }.joined() + start.dropLast(2)
        }
        switch value {
        case .array(let elements): return "[\n" + lines(elements.map { text($0, indent: indent + 2) }) + "]"
        case .object(let members):
            return "{\n" + lines(members.map { "\(key($0.name)): \(text($0.value, indent: indent + 2))" }) + "}"
        case .null, .bool, .number, .string: return line
        }
    }

    private func line(_ value: OrderedJSON) -> String {
        switch value {
        case .null: null
        case .bool(let value): value ? booleans.yes : booleans.no
        case .number(let text): text
        case .string(let text): string(text)
        case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(key($0.name)): \(line($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}
