import RequestBuilding
import Synchronization

#if canImport(FoundationNetworking)
    public import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends the cookies of a jar and keeps those that answers set.
///
/// It belongs after what follows redirects, so that each host gets its own and those set on the way are kept:
/// `transport.with(CookieMiddleware(jar))`.
public final class CookieMiddleware: Middleware {
    private let state: Mutex<CookieJar>
    private let now: @Sendable () -> Date

    /// Begins with the cookies of a jar.
    public init(_ jar: CookieJar = CookieJar(), now: @escaping @Sendable () -> Date = { Date() }) {
        state = Mutex(jar)
        self.now = now
    }

    /// The cookies as they are now.
    public var jar: CookieJar { state.withLock { $0 } }

    /// Adds the cookies that match, sends the request on and keeps what the answer sets.
    ///
    /// A request's own `Cookie` header is kept, and the jar's cookies follow in it.
    public func send(_ request: URLRequest, next: Next) async throws -> Response {
        guard let url = request.url else { return try await next(request) }
        var sent = request
        if let cookies = state.withLock({ $0.header(for: url, now: now()) }) {
            var headers = request.headerFields
            headers.set("Cookie", (headers.values("Cookie") + [cookies]).joined(separator: "; "))
            sent.headerFields = headers
        }
        let response = try await next(sent)
        state.withLock { $0.store(response.headers.values("Set-Cookie"), from: url, now: now()) }
        return response
    }
}
