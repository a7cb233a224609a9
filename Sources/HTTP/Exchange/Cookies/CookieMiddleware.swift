public import Foundation
import ReqcliBasics
public import RequestBuilding

/// Sends the cookies of a jar, and stores the cookies that responses set.
///
/// Put this middleware after the redirects, so that each host gets its own cookies, and cookies set by redirects are stored:
/// `transport.with(CookieMiddleware(jar))`.
public final class CookieMiddleware: Middleware {
    private let state: Mutex<CookieJar>
    private let now: @Sendable () -> Date
    private let suffixes: PublicSuffixes
    private let onRefused: @Sendable (RefusedCookie) -> Void

    /// Starts with the cookies of a jar.
    ///
    /// - Parameters:
    ///   - jar: The cookies to start with.
    ///   - now: The current time, for the expiry of cookies.
    public convenience init(_ jar: CookieJar = CookieJar(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(jar, now: now, suffixes: .system)
    }

    /// - Parameters:
    ///   - suffixes: The public suffixes. A cookie for all hosts below such a suffix is ignored.
    ///   - onRefused: Called for each cookie of a response that the jar cannot store.
    package init(
        _ jar: CookieJar = CookieJar(), now: @escaping @Sendable () -> Date = { Date() }, suffixes: PublicSuffixes,
        onRefused: @escaping @Sendable (RefusedCookie) -> Void = { _ in }
    ) {
        state = Mutex(jar)
        self.now = now
        self.suffixes = suffixes
        self.onRefused = onRefused
    }

    /// The current cookies.
    public var jar: CookieJar { state.withLock { $0 } }

    /// Adds the matching cookies, passes the request to the next step, and stores the cookies that the response sets.
    ///
    /// A request's own `Cookie` header is kept, and the jar's cookies are appended to it.
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
