import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension ImportedRequest {
    /// Whether the request becomes a case of `check` that may change something on the server.
    package var isChangingCase: Bool {
        guard expect != nil, !HTTPMethod.isSafe(method) else { return false }
        guard let body, body.name == "graphql" else { return true }
        func text(_ key: String) -> String? {
            guard case .string(let text)? = body.value.objectMembers?.first(where: { $0.name == key })?.value else {
                return nil
            }
            return text
        }
        return text("query").map { !GraphQLOperations($0).onlyReads(named: text("operationName")) } ?? true
    }
}
