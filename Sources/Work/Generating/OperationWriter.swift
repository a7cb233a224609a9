/// Writes operations as a chain of operators.
struct OperationWriter {
    /// Writes the operators of a builder.
    ///
    /// - Parameter head: The code before the builder: `return ` or `let base = `.
    static func chain(
        _ operations: [Operation], head: String, to lines: inout CodeLines, start: String = "RequestBuilder()"
    ) {
        for operation in operations { for statement in operation.statements { statement(&lines) } }
        let calls = operations.flatMap(\.calls)
        let marker = calls.contains(where: \.isThrowing) ? "try " : ""
        let first = "\(head)\(marker)\(start)"
        let operators = calls.map { CodeLines.call($0.name, $0.arguments) }
        let whole = first + operators.joined()
        if lines.fits(whole) { return lines.add(whole) }
        lines.add(first)
        lines.indented { lines in for each in operators { lines.add(each) } }
    }

    /// The body of a getter or a closure that returns a builder.
    static func body(_ operations: [Operation], to lines: inout CodeLines) {
        let isConditional = operations.contains { $0.environments != nil }
        let hasStatements = operations.contains { !$0.statements.isEmpty }
        guard isConditional else {
            return chain(operations, head: hasStatements ? "return " : "", to: &lines)
        }
        var groups: [(environments: [String]?, operations: [Operation])] = []
        for operation in operations {
            if let last = groups.last, last.environments == operation.environments {
                groups[groups.count - 1].operations.append(operation)
            } else {
                groups.append((operation.environments, [operation]))
            }
        }
        if groups.first?.environments != nil { groups.insert((nil, []), at: 0) }
        for (index, group) in groups.enumerated() {
            guard let environments = group.environments else {
                chain(
                    group.operations, head: index == 0 ? "var request = " : "request = ", to: &lines,
                    start: index == 0 ? "RequestBuilder()" : "request")
                continue
            }
            let names = environments.map(SwiftText.literal)
            let value = "\(CodeMark.values.rawValue)values.environment"
            let condition =
                names.count == 1 ? "\(value) == \(names[0])" : "[\(names.joined(separator: ", "))].contains(\(value))"
            lines.block("if \(condition)") { chain(group.operations, head: "request = ", to: &$0, start: "request") }
        }
        lines.add("return request")
    }
}
