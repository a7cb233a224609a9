import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension ImportedRequest {
    /// Whether the request becomes a case of `check` that may change something on the server.
    package var isChangingCase: Bool {
        guard expect != nil, !HTTPMethod.isSafe(method) else { return false }
        guard case .graphQL(let members)? = body else { return true }
        func text(_ key: String) -> String? { members.first { $0.name == key }?.value.scalarText }
        return text("query").map { !GraphQLOperations($0).onlyReads(named: text("operationName")) } ?? true
    }
}
