import ReqcliText
import RequestBuilding

extension LocatedEndpoint {
    /// Whether a call may change something on the server. False for methods that only read (RFC 9110, section 9.2.1) and for
    /// GraphQL operations that only read.
    ///
    /// - Parameter text: Reads a file by its path below the workspace's root; returns nil if the file can't be read.
    package func mayChange(in environment: String, reading text: (_ path: String) -> String?) -> Bool {
        if HTTPMethod.isSafe(method(in: environment)) { return false }
        guard case .graphQL(let operation)? = body(in: environment)?.content else { return true }
        return !operation.onlyReads(reading: text)
    }

    /// Whether the endpoint itself has conditions for its response. The defaults of its group don't count.
    package func hasOwnExpectation(in environment: String) -> Bool {
        let setting = definition.environments[named: environment]?.expectation ?? definition.request.expectation
        return setting?.set?.isEmpty == false
            || definition.checks.contains { $0.expectation?.isEmpty == false }
    }
}

extension Body.GraphQL {
    /// Whether the operation is known to be a query or a subscription.
    fileprivate func onlyReads(reading text: (_ path: String) -> String?) -> Bool {
        let written: String? =
            switch document {
            case .value(.text(let template)): template.outline
            case .file(let path): path.literal.flatMap(text)
            case .value, nil: nil
            }
        guard let written else { return false }
        // If a placeholder chooses the operation, the operation that runs is not known here.
        return GraphQLOperations(written).onlyReads(named: operationName?.literal)
    }
}

extension TextTemplate {
    /// The text with a plain word in place of each placeholder, so that a placeholder is never taken for an operation's keyword.
    fileprivate var outline: String {
        pieces.map { if case .literal(let text) = $0 { text } else { "placeholder" } }.joined()
    }
}
