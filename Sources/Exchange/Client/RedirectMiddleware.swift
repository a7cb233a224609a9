public import RequestBuilding

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Follows redirects by the rules of RFC 9110.
///
/// The body is sent again for 307 and 308; 303, and 301 and 302 after a POST, become a GET without one. Credentials and
/// cookies don't go to another origin (scheme, host, port), and what was dropped doesn't come back. A body with a secret
/// doesn't either: the redirect is then the response. Only http and https are followed.
public struct RedirectMiddleware: Middleware {
    /// Where credentials and bodies with secrets go.
    public enum Credentials: Hashable, Sendable {
        /// To the origin (scheme, host, port) of the first request alone.
        case sameOrigin
        /// Wherever a server leads.
        case anyHost
    }

    private let maximum: Int
    private let credentials: Credentials
    private let holdsSecret: @Sendable (RequestBody) -> Bool
    private let onKeptBack: @Sendable (ResponseHead.Redirect) -> Void
    private let elapsed: @Sendable () -> Duration
    private let check: @Sendable (URLRequest) throws -> Void

    /// Follows at most `maximum` redirects in a row.
    ///
    /// - Parameters:
    ///   - credentials: Where credentials and bodies with secrets go.
    ///   - holdsSecret: Tells whether a body holds a secret. It is called only where a redirect leads to another origin.
    ///   - onKeptBack: Called for a redirect that isn't followed because of that.
    ///   - elapsed: The time on a clock that only goes forward; it shortens the `total` of ``Timeouts`` for each
    ///     further request, so that one bound holds for the whole chain.
    ///   - check: Throws if a further request must not be sent: its method may be another than the first one's.
    public init(
        maximum: Int = 10, credentials: Credentials = .sameOrigin,
        holdsSecret: @escaping @Sendable (RequestBody) -> Bool = { _ in false },
        onKeptBack: @escaping @Sendable (ResponseHead.Redirect) -> Void = { _ in },
        elapsed: (@Sendable () -> Duration)? = nil,
        check: @escaping @Sendable (URLRequest) throws -> Void = { _ in }
    ) {
        self.maximum = maximum
        self.credentials = credentials
        self.holdsSecret = holdsSecret
        self.onKeptBack = onKeptBack
        self.elapsed = elapsed ?? { .nanoseconds(Clock.now) }
        self.check = check
    }

    /// Sends the request on, and again for each redirect.
    public func send(_ request: URLRequest, next: Next) async throws -> Response {
        var request = request
        var chain: [ResponseHead.Redirect] = []
        let start = elapsed()
        let total = request.totalTimeout
        while true {
            var response = try await response(to: request, after: chain, next)
            response.head.redirects = chain
            guard let target = try target(of: response, to: request), let from = request.url else { return response }
            let redirect = ResponseHead.Redirect(status: response.status, from: from, to: target)
            let further = request.redirected(to: target, status: response.status, credentials)
            if credentials == .sameOrigin, WebOrigin(from) != WebOrigin(target), let body = further.bodySource,
                holdsSecret(body)
            {
                onKeptBack(redirect)
                return response
            }
            if chain.count == maximum {
                throw TransportError(.tooManyRedirects, target: from.host ?? "", detail: "limit \(maximum)")
            }
            await response.body.drain(upTo: 64 << 10)
            chain.append(redirect)
            request = further
            try check(request)
            if let total {
                let left = total - (elapsed() - start)
                guard left > .zero else {
                    throw TransportError(
                        .timeout(.total), target: target.host ?? "", detail: "limit \(total.secondsText) s")
                }
                request.totalTimeout = left
            }
        }
    }

    /// Sends a request. One that a server led to and that can't be sent is the server's mistake.
    private func response(to request: URLRequest, after chain: [ResponseHead.Redirect], _ next: Next) async throws
        -> Response
    {
        do {
            return try await next(request)
        } catch let error as TransportError where error.kind == .invalidRequest {
            guard let last = chain.last else { throw error }
            throw TransportError(
                .refusedRedirect, target: last.from.host ?? "",
                detail: "no request can go to \(last.to.absoluteString): \(error.detail)")
        }
    }

    /// Where the response leads; nil if it is no redirect.
    private func target(of response: Response, to request: URLRequest) throws -> URL? {
        guard [301, 302, 303, 307, 308].contains(response.status), let base = request.url,
            let bytes = response.head.rawValues("Location").first(where: { !$0.isEmpty })
        else { return nil }
        let location = RedirectLocation(bytes: bytes)
        do throws(RedirectLocation.Problem) {
            return try location.target(from: base)
        } catch {
            throw TransportError(
                .refusedRedirect, target: base.host ?? "", detail: "its Location \(location.shown): \(error.reason)")
        }
    }
}

extension URLRequest {
    /// The request that follows a redirect.
    fileprivate func redirected(
        to target: URL, status: Int, _ credentials: RedirectMiddleware.Credentials
    ) -> URLRequest {
        var request = self
        var headers = headerFields
        let method = httpMethod ?? "GET"
        let becomesGet = status == 303 ? method != "HEAD" : (status == 301 || status == 302) && method == "POST"
        if becomesGet {
            request.httpMethod = "GET"
            request.bodySource = nil
            for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Transfer-Encoding"]
            {
                headers.remove(name)
            }
        }
        if url.map(WebOrigin.init) != WebOrigin(target) {
            headers.remove("Host")
            if credentials == .sameOrigin {
                let own = request[option: CredentialHeaders.self] ?? []
                for name in ["Authorization", "Proxy-Authorization", "Cookie"] + own { headers.remove(name) }
            }
        }
        request.url = target
        request.headerFields = headers
        return request
    }
}

/// Headers that carry credentials beside the usual ones, such as an API key: they stay with their origin.
public enum CredentialHeaders: RequestOption {
    /// Header names.
    public typealias Value = [String]

    /// The option's name.
    public static let name = "credential headers"

    /// The names, separated by commas.
    public static func text(for value: [String]) -> String { value.joined(separator: ",") }

    /// The names in such a text.
    public static func value(for text: String) -> [String]? { text.split(separator: ",").map(String.init) }
}
