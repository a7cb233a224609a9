import Foundation
import ReqcliBasics
public import RequestBuilding

/// Follows redirects by the rules of RFC 9110, if `transfer.redirects` of the request allows this.
///
/// After 307 and 308 the body is sent again. After 303, and after 301 and 302 in response to a POST, the next request is a GET
/// without a body. A redirect to another origin (scheme, host, port) removes credentials and cookies. A later redirect back does
/// not add them again. If the body holds a secret, a redirect to another origin is not followed but returned. Only http and https
/// are followed.
public struct RedirectMiddleware: Middleware {
    private let holdsSecret: @Sendable (RequestBody) -> Bool
    private let onKeptBack: @Sendable (ResponseHead.Redirect) -> Void
    private let elapsed: @Sendable () -> Duration
    private let check: @Sendable (PreparedRequest) throws -> Void

    /// Follows the redirects of requests whose settings allow it.
    ///
    /// - Parameters:
    ///   - holdsSecret: Whether a body holds a secret. This closure is only called for a redirect to another origin.
    ///   - onKeptBack: Called for a redirect that is not followed because the body holds a secret.
    ///   - elapsed: The time on a clock that only goes forward. The time that redirects take counts towards the `total` timeout,
    ///     so that this timeout covers the whole chain.
    ///   - check: Called before each further request; throws if the request must not be sent. The method may differ from the
    ///     method of the first request.
    public init(
        holdsSecret: @escaping @Sendable (RequestBody) -> Bool = { _ in false },
        onKeptBack: @escaping @Sendable (ResponseHead.Redirect) -> Void = { _ in },
        elapsed: (@Sendable () -> Duration)? = nil,
        check: @escaping @Sendable (PreparedRequest) throws -> Void = { _ in }
    ) {
        self.holdsSecret = holdsSecret
        self.onKeptBack = onKeptBack
        let start = ContinuousClock.now
        self.elapsed = elapsed ?? { start.duration(to: .now) }
        self.check = check
    }

    /// Sends the request, and a further request for each redirect.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        let policy = request.transfer.redirects
        guard policy.isFollowing else { return try await next(request) }
        var request = request
        var chain: [ResponseHead.Redirect] = []
        let start = elapsed() - request.transfer.timeouts.spent
        while true {
            var response = try await response(to: request, after: chain, next)
            response.head.redirects = chain
            guard let target = try target(of: response, to: request) else { return response }
            let from = request.url
            let redirect = ResponseHead.Redirect(
                status: response.status, method: request.method, from: from, headers: response.headers, to: target)
            let further = request.redirected(to: target, status: response.status)
            if policy.credentials == .sameOrigin, WebOrigin(from) != WebOrigin(target), let body = further.body,
                holdsSecret(body)
            {
                onKeptBack(redirect)
                return response
            }
            if chain.count == policy.maximum {
                throw TransportError(.tooManyRedirects, target: from.host ?? "", detail: "limit \(policy.maximum)")
            }
            await response.body.drain(upTo: 64 << 10)
            chain.append(redirect)
            request = further
            try check(request)
            request.transfer.timeouts.spent = elapsed() - start
            if let total = request.transfer.timeouts.total, request.transfer.timeouts.left == .zero {
                throw TransportError(
                    .timeout(.total), target: target.host ?? "", detail: "limit \(total.secondsText) s")
            }
        }
    }

    /// Sends a request. If a redirect led to a request that cannot be sent, the error names the redirect as the cause.
    private func response(to request: PreparedRequest, after chain: [ResponseHead.Redirect], _ next: Next) async throws
        -> Response
    {
        do {
            return try await next(request)
        } catch let error as TransportError where error.kind == .invalidRequest {
            guard let last = chain.last else { throw error }
            throw TransportError(
                .refusedRedirect, target: last.from.host ?? "",
                detail: "cannot send a request to \(last.to.absoluteString): \(error.detail)")
        }
    }

    /// The target of the redirect; nil if the response is not a redirect.
    private func target(of response: Response, to request: PreparedRequest) throws -> URL? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let bytes = response.head.rawValues("Location").first(where: { !$0.isEmpty })
        else { return nil }
        let location = RedirectLocation(bytes: bytes)
        do throws(RedirectLocation.Problem) {
            return try location.target(from: request.url)
        } catch {
            throw TransportError(
                .refusedRedirect, target: request.url.host ?? "",
                detail: "its Location \(location.shown): \(error.reason)")
        }
    }
}

extension PreparedRequest {
    /// The request that follows a redirect.
    fileprivate func redirected(to target: URL, status: Int) -> PreparedRequest {
        var request = self
        let becomesGet = status == 303 ? method != .head : (status == 301 || status == 302) && method == .post
        if becomesGet {
            request.method = .get
            request.body = nil
            for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Transfer-Encoding"]
            {
                request.headers.remove(name)
            }
        }
        if WebOrigin(url) != WebOrigin(target) {
            request.headers.remove("Host")
            if transfer.redirects.credentials == .sameOrigin {
                for field in headers where holdsSecret(inHeader: field.name) { request.headers.remove(field.name) }
                request.signer = nil
            }
        }
        request.url = target
        return request
    }
}
