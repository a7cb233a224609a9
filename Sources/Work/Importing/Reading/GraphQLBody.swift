import ReqcliBasics
import ReqcliText

extension ImportedRequest {
    /// Writes a body of JSON that holds an operation of GraphQL as one, and names the request like the operation.
    mutating func makeGraphQLBody() {
        guard let body, body.name == "json", let members = body.value.objectMembers,
            members.allSatisfy({ ["query", "variables", "operationName"].contains($0.name) }),
            case .string(let query)? = members.first(where: { $0.name == "query" })?.value
        else { return }
        let words = ["{", "query", "mutation", "subscription", "fragment", "#"]
        guard query.contains("{"), words.contains(where: query.trimmed.hasPrefix) else { return }
        let variables = members.first { $0.name == "variables" }?.value
        // Without variables of its own, a document gets params of their names.
        guard variables?.objectMembers != nil || variables == nil && !query.contains("$") else { return }
        var operation: String?
        if let name = members.first(where: { $0.name == "operationName" })?.value {
            guard case .string(let text) = name else { return }
            operation = text
        }
        self.body = OrderedJSON.Member(
            "graphql",
            .object([
                "query": .string(query), "variables": variables,
                "operationName": operation.map { .string($0) },
            ]))
        if let operation, !operation.isEmpty { name = name ?? operation }
    }
}
