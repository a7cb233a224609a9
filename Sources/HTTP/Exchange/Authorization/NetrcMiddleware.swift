import Foundation
package import RequestBuilding

/// Adds Basic credentials from a `.netrc` file for the host of each request.
///
/// Put this middleware after the redirects, so that each host gets its own credentials: `transport.with(NetrcMiddleware(netrc))`.
package struct NetrcMiddleware: Middleware {
    private let netrc: Netrc

    /// Adds credentials from this file.
    package init(_ netrc: Netrc) {
        self.netrc = netrc
    }

    /// Adds the credentials, unless the request has an `Authorization` header, and passes the request to the next step.
    package func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        guard let host = request.url.host, request.headers["Authorization"] == nil,
            let (user, password) = netrc.credentials(for: host)
        else { return try await next(request) }
        var request = request
        request.headers.append("Authorization", Account(user: user, password: password).basicAuthorization)
        return try await next(request)
    }
}
