import Foundation
public import RequestBuilding

/// Adds the Basic credentials that a `.netrc` has for the host of each request.
///
/// It belongs after what follows redirects, so that each host gets its own: `transport.with(NetrcMiddleware(netrc))`.
public struct NetrcMiddleware: Middleware {
    private let netrc: Netrc

    /// Adds credentials of that file.
    public init(_ netrc: Netrc) {
        self.netrc = netrc
    }

    /// Adds the credentials, unless the request has an `Authorization`, and sends it on.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        guard let host = request.url.host, request.headers["Authorization"] == nil,
            let (user, password) = netrc.credentials(for: host)
        else { return try await next(request) }
        var request = request
        request.headers.append("Authorization", BasicCredentials(user: user, password: password).headerValue)
        return try await next(request)
    }
}
