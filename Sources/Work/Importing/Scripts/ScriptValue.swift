import ReqcliJSONPath
import ReqcliText

/// A value that a script refers to.
enum ScriptValue: Equatable {
    case status, time, text
    case header(String)
    /// The first match of a pattern in a header.
    case match(header: String, pattern: String)
    case cookie(String)
    /// A value of the JSON body.
    case json([JSONValue.Step])
    case jsonLength([JSONValue.Step])
    /// A variable, by its name in the source.
    case variable(String)
    case constant(OrderedJSON)

    static func path(_ steps: [JSONValue.Step]) -> String {
        // Two opening braces would begin a placeholder, so the first brace is escaped.
        JSONPath.short(steps).replacing("{{", with: #"\u007B{"#)
    }

    /// The part of a response; nil if a capture can't read it.
    var captured: ImportedCapture.Source? {
        switch self {
        case .json(let steps): ForeignPath.holdsToken(Self.path(steps)) ? nil : .json(Self.path(steps))
        case .header(let name): .header(name)
        case .match(let name, let pattern): .header(name, match: pattern)
        case .cookie(let name): .cookie(name)
        case .text: .body
        case .status: .status
        case .time, .jsonLength, .variable, .constant: nil
        }
    }

    /// The condition that an operation states on the value; nil if `expect` can't express the condition.
    func condition(_ operation: ExpectDraft.Operation) -> ExpectDraft.Condition? {
        let (name, operand) = (operation.name, operation.operand)
        guard Self.isOperand(operand, of: name) else { return nil }
        switch self {
        case .status:
            guard !operation.isNegated else { return nil }
            let statuses = if name == "in", case .array(let all) = operand { all } else { [operand] }
            guard ["equals", "in"].contains(name), statuses.allSatisfy({ $0.int.map((100...599).contains) ?? false })
            else { return nil }
            return .status(statuses)
        case .time:
            guard name == "<" || name == "<=", let time = operand.int, (1...2_000_000_000).contains(time) else {
                return nil
            }
            return .maxTime(OrderedJSON.milliseconds(time).plainText)
        case .header(let header):
            if name == "type", operand == "null", operation.isNegated {
                return .header(header, ExpectDraft.Operation("exists", true))
            }
            if name == "equals", operand == .null {
                return .header(header, ExpectDraft.Operation("exists", .bool(operation.isNegated)))
            }
            let isPossible = ["equals", "contains", "matches", "in", "exists", "startsWith", "endsWith"].contains(name)
            return isPossible && operand != .null ? .header(header, operation) : nil
        case .text:
            let isText = if case .string = operand { true } else { false }
            let isPossible =
                name == "empty"
                || isText && ["equals", "contains", "matches", "startsWith", "endsWith"].contains(name)
            return isPossible ? .body(operation) : nil
        case .json(let steps):
            // A check for a subset of an object isn't converted, because `contains` can't express the check.
            if name == "contains", case .object = operand { return nil }
            guard name == "empty" else { return .json(Self.path(steps), operation) }
            let length: OrderedJSON = operand == true ? 0 : .object([">": 0])
            return .json(Self.path(steps), ExpectDraft.Operation("length", length))
        case .jsonLength(let steps):
            guard !operation.isNegated, let count = operand.int, count >= 0 else { return nil }
            guard ["equals", "<", "<=", ">", ">="].contains(name) else { return nil }
            let length = name == "equals" ? operand : .object([OrderedJSON.Member(name, operand)])
            return .json(Self.path(steps), ExpectDraft.Operation("length", length))
        case .match, .cookie, .variable, .constant: return nil
        }
    }

    /// Whether an operation can have an operand.
    private static func isOperand(_ operand: OrderedJSON, of operation: String) -> Bool {
        switch operation {
        case "in": if case .array(let elements) = operand { !elements.isEmpty } else { false }
        case "type": ["string", "number", "integer", "boolean", "array", "object", "null"].contains(operand)
        case "<", "<=", ">", ">=": if case .number = operand { true } else { false }
        case "length": operand.int.map { $0 >= 0 } ?? false
        default: true
        }
    }
}

extension OrderedJSON {
    fileprivate var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }
}
