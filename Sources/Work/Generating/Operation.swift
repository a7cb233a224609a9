/// The operators of the request builder for one key of a layer.
struct Operation {
    /// An operator with its arguments.
    struct Call {
        let name: String
        let arguments: [String]

        init(_ name: String, _ arguments: [String]) {
            self.name = name
            self.arguments = arguments
        }

        var isThrowing: Bool { arguments.contains(where: CodeMark.throwing.isIn) }
    }

    /// The part of the request as code: `.header("Accept")`. Nil if the operators change several parts.
    let subject: String?
    /// An identifier of the part, to find operations on the same part.
    let key: String
    var calls: [Call]
    var statements: [(inout CodeLines) -> Void] = []
    /// Whether the part is replaced or removed in any case, regardless of the values.
    var isCertain = true
    /// The environments in which the operation applies; nil for all environments.
    var environments: [String]?
    /// Operators that keep the position of the part if a later operation replaces its value.
    var standIn: [Call]?

    var usesValues: Bool {
        var lines = CodeLines()
        for statement in statements { statement(&lines) }
        return lines.usesValues || calls.contains { $0.arguments.contains(where: CodeMark.isAny) }
    }
}

extension [Operation] {
    /// The operations, with their `standIn` in place of values that a later operation replaces.
    var withoutReplacedValues: [Operation] {
        var replaced: Set<String> = []
        return reversed().map { operation in
            var result = operation
            if replaced.contains(operation.key), let standIn = operation.standIn, operation.usesValues {
                result.calls = standIn
                result.statements = []
            }
            if operation.isCertain, operation.environments == nil { replaced.insert(operation.key) }
            return result
        }.reversed()
    }
}
