package import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText
package import RequestBuilding

/// Where the access tokens of requests come from.
package struct TokenSource: Sendable {
    /// Throws if it is certain that there is no token for a request. Nothing is sent.
    package var rehearse: @Sendable (_ client: OAuthClient, _ assembled: AssembledRequest) throws(Failure) -> Void
    /// The token for a request, which may be a variant of the assembled one, or another token than the rejected one; nil if there
    /// is no other token.
    package var token:
        @Sendable (
            _ client: OAuthClient, _ assembled: AssembledRequest, _ request: PreparedRequest, _ rejected: String?
        ) async throws(Failure) -> String?

    package init(
        rehearse: @escaping @Sendable (OAuthClient, AssembledRequest) throws(Failure) -> Void,
        token:
            @escaping @Sendable (OAuthClient, AssembledRequest, PreparedRequest, String?) async throws(Failure) ->
            String?
    ) {
        self.rehearse = rehearse
        self.token = token
    }

    /// No token at all.
    package static let none = TokenSource(
        rehearse: { _, _ in }, token: { _, _, _, _ throws(Failure) in throw missing })

    /// The failure of a call that has no source of tokens.
    package static let missing: Failure = Failure(
        .broken, code: .valueUnresolved, "there are no access tokens here")
}
