public import Foundation
public import RequestBuilding
import Synchronization

/// Sends the cookies of a jar and keeps those that responses set.
///
/// It belongs after what follows redirects, so that each host gets its own and those set on the way are kept:
/// `transport.with(CookieMiddleware(jar))`.
public final class CookieMiddleware: Middleware {
    private let state: Mutex<CookieJar>
    private let now: @Sendable () -> Date
    private let suffixes: PublicSuffixes
    private let onRefused: @Sendable (RefusedCookie) -> Void

    /// Begins with the cookies of a jar.
    ///
    /// - Parameters:
    ///   - jar: The cookies to begin with.
    ///   - now: The time, by which cookies expire.
    ///   - suffixes: Domains that no cookie may be for.
    ///   - onRefused: Called for each cookie of a response that the jar can't keep.
    public init(
        _ jar: CookieJar = CookieJar(), now: @escaping @Sendable () -> Date = { Date() },
        suffixes: PublicSuffixes = .system, onRefused: @escaping @Sendable (RefusedCookie) -> Void = { _ in }
    ) {
        state = Mutex(jar)
        self.now = now
        self.suffixes = suffixes
        self.onRefused = onRefused
    }

    /// The cookies as they are now.
    public var jar: CookieJar { state.withLock { $0 } }

    /// Adds the cookies that match, sends the request on and keeps what the response sets.
    ///
    /// A request's own `Cookie` header is kept, and the jar's cookies follow in it.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        let url = request.url
        var sent = request
        if let cookies = state.withLock({ $0.header(for: url, now: now()) }) {
            sent.headers.set("Cookie", (sent.headers.values("Cookie") + [cookies]).joined(separator: "; "))
        }
        let response = try await next(sent)
        let setCookies = response.head.rawValues("Set-Cookie")
        let refused = state.withLock { $0.store(setCookies, from: url, now: now(), suffixes: suffixes) }
        refused.forEach(onRefused)
        return response
    }
}
