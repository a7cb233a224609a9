import ReqcliAssembly
@_spi(Generated) import RequestBuilding

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

    /// The part of the request that the operators change; nil if they change several parts.
    let subject: RequestSubject?
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
        var replaced: Set<RequestSubject> = []
        return reversed().map { operation in
            var result = operation
            guard let subject = operation.subject else { return result }
            if replaced.contains(subject), let standIn = operation.standIn, operation.usesValues {
                result.calls = standIn
                result.statements = []
            }
            if operation.isCertain, operation.environments == nil { replaced.insert(subject) }
            return result
        }.reversed()
    }
}

extension RequestSubject {
    /// The part as code.
    var code: String {
        switch self {
        case .header(let name): ".header(\(SwiftText.literal(name)))"
        case .queryItem(let name): ".queryItem(\(SwiftText.literal(name)))"
        case .setting(let name): ".setting(\(SwiftText.literal(name)))"
        case .other(let text): ".other(\(SwiftText.literal(text)))"
        case .basePath: ".basePath"
        case .method, .scheme, .host, .port, .path, .query, .body: ".\(self)"
        }
    }
}

extension Carrier {
    /// The operator that removes the part.
    var removal: Operation.Call {
        switch self {
        case .header(let name): .init(".removingHeader", [SwiftText.literal(name)])
        case .queryItem(let name): .init(".removingQueryItem", [SwiftText.literal(name)])
        case .digest: .init(".removingSetting", [".digestAccount"])
        case .any: .init(".removingSetting", [".anyAccount"])
        case .signature: .init(".removingSigning", [])
        }
    }
}
