import ReqcliDefinitions
import ReqcliText

/// JSON that contains values of the request.
extension RequestCode {
    indirect enum JSONNode {
        case leaf(Code)
        case array([JSONNode])
        case object([(name: String, value: JSONNode)])

        var size: Int {
            switch self {
            case .leaf: 1
            case .array(let elements): elements.reduce(1) { $0 + $1.size }
            case .object(let members): members.reduce(1) { $0 + $1.value.size }
            }
        }
    }

    /// The value as an expression. An array or an object becomes a constant before the operators.
    mutating func jsonExpression(_ template: ValueTemplate) -> Code {
        let node = json(node: template)
        if case .leaf(let code) = node { return code }
        return Code(constant(node, "json"), .json)
    }

    mutating func json(_ template: ValueTemplate) -> Code { jsonExpression(template) }

    /// Writes the node as a constant and returns its name.
    mutating func constant(_ node: JSONNode, _ base: String) -> String {
        let split = splitting(node, isRoot: true)
        let name = local(base)
        add { lines in
            // An array or an object is never nil.
            lines.add("let \(name): JSONLiteral = \(Self.isThrowing(split) ? "try " : "")" + Self.opening(split))
            Self.close(split, to: &lines, end: "")
        }
        return name
    }

    /// The value as an expression within another one.
    mutating func inlineJSON(_ template: ValueTemplate) -> String {
        func text(_ node: JSONNode) -> String {
            switch node {
            case .leaf(let code): code.text
            case .array(let elements): "[\(elements.map(text).joined(separator: ", "))]"
            case .object(let members) where members.isEmpty: "[:]"
            case .object(let members):
                "[\(members.map { "\($0.name): \(text($0.value))" }.joined(separator: ", "))]"
            }
        }
        let node = json(node: template)
        guard case .leaf(let value) = node else { return text(node) }
        return required(value, template.placeholders.first?.value.text ?? "claims").text
    }

    mutating func json(node template: ValueTemplate) -> JSONNode {
        switch template {
        case .text(let text):
            if let only = text.onlyPlaceholder { return .leaf(code(of: only).json) }
            return .leaf(self.text(text).json)
        case .choice(let choice): return .leaf(self.choice(choice, .json))
        case .scalar(let value, _): return node(value)
        case .plain(let value): return node(OrderedJSON(value))
        case .list(let elements, _): return .array(elements.map { json(node: $0) })
        case .object(let members, _): return .object(members.map { (literal($0.name), json(node: $0.value)) })
        }
    }

    /// Writes a value as a constant.
    static func write(_ value: OrderedJSON, head: String, to lines: inout CodeLines) {
        func node(_ value: OrderedJSON) -> JSONNode {
            switch value {
            case .array(let elements) where !elements.isEmpty: .array(elements.map(node))
            case .object(let members) where !members.isEmpty:
                .object(members.map { (SwiftText.literal($0.name), node($0.value)) })
            default: .leaf(Code(JSONCode.inline(value), .json))
            }
        }
        let whole = node(value)
        lines.add(head + opening(whole))
        close(whole, to: &lines, end: "")
    }

    private mutating func node(_ value: OrderedJSON) -> JSONNode {
        switch value {
        case .null: .leaf(Code(".null", .json))
        case .bool(let value): .leaf(Code("\(value)", .json))
        case .number(let text): .leaf(Code(JSONCode.number(text), .json))
        case .string(let text): .leaf(string(text))
        case .array(let elements): .array(elements.map { node($0) })
        case .object(let members): .object(members.map { (literal($0.name), node($0.value)) })
        }
    }

    private mutating func string(_ text: String) -> Code {
        let literal = literal(text)
        return Code(literal.hasSuffix("\"") || literal.hasSuffix("#") ? literal : ".string(\(literal))", .json)
    }

    /// Splits large parts off into separate constants, since the compiler needs a long time for one large literal.
    private mutating func splitting(_ node: JSONNode, isRoot: Bool) -> JSONNode {
        let isLarge = node.size > 24
        switch node {
        case .leaf: return node
        case .array(let elements):
            if elements.isEmpty { return .leaf(Code(".array([])", .json)) }
            let split = JSONNode.array(elements.map { splitting($0, isRoot: false) })
            return isLarge && !isRoot ? .leaf(Code(constant(split, "json"), .json)) : split
        case .object(let members):
            if members.isEmpty { return .leaf(Code(".object([])", .json)) }
            let split = JSONNode.object(members.map { ($0.name, splitting($0.value, isRoot: false)) })
            return isLarge && !isRoot ? .leaf(Code(constant(split, "json"), .json)) : split
        }
    }

    private static func isThrowing(_ node: JSONNode) -> Bool {
        switch node {
        case .leaf(let code): code.throwsError
        case .array(let elements): elements.contains(where: isThrowing)
        case .object(let members): members.contains { isThrowing($0.value) }
        }
    }

    /// The code on the first line of the value.
    private static func opening(_ node: JSONNode) -> String {
        if case .leaf(let code) = node { code.text } else { "[" }
    }

    /// Writes the lines after the opening, with `end` after the last bracket.
    private static func close(_ node: JSONNode, to lines: inout CodeLines, end: String) {
        switch node {
        case .leaf: return
        case .array(let elements):
            lines.indented { lines in
                for element in elements { write("", element, to: &lines, end: elements.count > 1 ? "," : "") }
            }
        case .object(let members):
            lines.indented { lines in
                for member in members {
                    write("\(member.name): ", member.value, to: &lines, end: members.count > 1 ? "," : "")
                }
            }
        }
        lines.add("]\(end)")
    }

    private static func write(_ head: String, _ node: JSONNode, to lines: inout CodeLines, end: String) {
        if case .leaf(let code) = node { return lines.add(head + code.text + end) }
        lines.add("\(head)[")
        close(node, to: &lines, end: end)
    }
}
