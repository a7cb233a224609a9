import SourceText

/// Values as expressions of JavaScript.
enum ScriptAccess {
    /// The steps of a path behind a value: `["items"][0]`.
    static func text(_ steps: [MemberPath.Step]) -> String {
        steps.map { step in
            switch step {
            case .member(let name): "[\(ScriptText.javaScript(name))]"
            case .index(let index): "[\(index)]"
            case .everyItem: ""
            }
        }.joined()
    }

    /// A value as an expression, which reads what is open from the variables.
    ///
    /// - Parameter read: The expression that reads the variable with this name, a string literal.
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
            // In brackets, so that no name is `__proto__`.
            return "{"
                + members.map { "[\(ScriptText.javaScript($0.name))]: \(script($0.value, request, &names, read))" }
                .joined(separator: ", ") + "}"
        }
    }
}
