import ReqcliBasics
import ReqcliText

extension ImportedRequest {
    /// Turns a JSON body that contains a GraphQL operation into a `graphql` body, and names the request after the operation.
    mutating func makeGraphQLBody() {
        guard case .json(.object(let members))? = body,
            members.allSatisfy({ ["query", "variables", "operationName"].contains($0.name) }),
            case .string(let query)? = members.first(where: { $0.name == "query" })?.value
        else { return }
        let words = ["{", "query", "mutation", "subscription", "fragment", "#"]
        guard query.contains("{"), words.contains(where: query.trimmed.hasPrefix) else { return }
        let variables = members.first { $0.name == "variables" }?.value
        // If the body has no `variables`, reqcli would fill the variables of the GraphQL document from params with the same
        // names.
        guard variables?.objectMembers != nil || variables == nil && !query.contains("$") else { return }
        var operation: String?
        if let name = members.first(where: { $0.name == "operationName" })?.value {
            guard case .string(let text) = name else { return }
            operation = text
        }
        body = .graphQL(query, variables: variables, operationName: operation.map { .string($0) })
        if let operation, !operation.isEmpty { name = name ?? operation }
    }
}
