package import RequestBuilding

/// Puts an access token in the place of its stand-in, right before a request is sent. After a 401 the middleware asks for another
/// token, and sends the request once more.
///
/// A request without the stand-in gets no token, such as one after a redirect to another origin.
package struct TokenMiddleware: Middleware {
    /// Returns the token for a request, or another token than the rejected one; nil if there is no other token.
    package typealias Source =
        @Sendable (_ client: OAuthClient, _ request: PreparedRequest, _ rejected: String?) async throws -> String?

    private let token: Source

    package init(_ token: @escaping Source) { self.token = token }

    package func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        guard let client = request.tokenClient, let token = try await token(client, request, nil) else {
            return try await next(request)
        }
        let response = try await next(request.authorized(token))
        guard response.status == 401, let other = try await self.token(client, request, token), other != token else {
            return response
        }
        await response.body.drain(upTo: 64 << 10)
        return try await next(request.authorized(other))
    }
}

extension PreparedRequest {
    fileprivate func authorized(_ token: String) -> PreparedRequest {
        var request = self
        request.headers.set("Authorization", "Bearer \(token)")
        request.oauth = nil
        return request
    }
}
