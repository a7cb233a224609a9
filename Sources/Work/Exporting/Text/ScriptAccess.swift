import ReqcliAssembly
import ReqcliText

/// Values as expressions of JavaScript.
enum ScriptAccess {
    /// The steps of a path, to be written after a value: `["items"][0]`.
    static func text(_ steps: [MemberPath.Step]) -> String {
        steps.map { step in
            switch step {
            case .member(let name): "[\(ScriptText.javaScript(name))]"
            case .index(let index): "[\(index)]"
            case .everyItem: ""
            }
        }.joined()
    }

    /// The condition that the status is an expected status: `code === 404 || (code >= 200 && code <= 299)`.
    static func statusCheck(_ subject: String, _ statuses: [ClosedRange<Int>]) -> String {
        statuses.map { range in
            range.count == 1
                ? "\(subject) === \(range.lowerBound)"
                : "(\(subject) >= \(range.lowerBound) && \(subject) <= \(range.upperBound))"
        }.joined(separator: " || ")
    }

    /// The expected statuses as a phrase: `2xx or 404`.
    static func statusText(_ statuses: [ClosedRange<Int>]) -> String {
        statuses.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound / 100)xx" }.joined(separator: " or ")
    }

    /// The first match of a pattern in the value of an expression.
    static func match(_ expression: String, _ pattern: String) -> String {
        "(\(expression).match(new RegExp(\(ScriptText.javaScript(pattern)), \"u\")) || [])[0]"
    }

    /// A value as an expression. The expression reads open values from variables.
    ///
    /// - Parameter read: Makes the expression that reads a variable. The argument is the variable's name as a string literal.
    static func script(
        _ value: OrderedJSON, _ request: OpenRequest, _ names: inout VariableNames, _ read: (String) -> String
    ) -> String {
        switch value {
        case .null, .bool: return value.compact
        case .number(let text): return StandIn.onlyValue(of: text) == nil ? text : "0"
        case .string(let text):
            if let open = StandIn.onlyValue(of: text), !request.isText(open) {
                return "JSON.parse(\(read(ScriptText.javaScript(names.name(of: open, in: request)))))"
            }
            let parts = StandIn.pieces(of: text).map { piece in
                switch piece {
                case .literal(let text): return ScriptText.javaScript(text)
                case .open(let open): return read(ScriptText.javaScript(names.name(of: open, in: request)))
                }
            }
            return parts.isEmpty ? "\"\"" : parts.joined(separator: " + ")
        case .array(let elements):
            return "[" + elements.map { script($0, request, &names, read) }.joined(separator: ", ") + "]"
        case .object(let members):
            // Names are in brackets, since a plain `__proto__` would set the prototype.
            return "{"
                + members.map { "[\(ScriptText.javaScript($0.name))]: \(script($0.value, request, &names, read))" }
                .joined(separator: ", ") + "}"
        }
    }
}
