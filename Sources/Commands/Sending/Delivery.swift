import Assembly
import CommandLineKit
import Definitions
import Exchange
import Foundation
import Redaction
import RequestBuilding

/// Takes an assembled request to a response with the library's client and middlewares, in one fixed order.
///
/// retry → redirect → digest → cookies → log → transport: a retry starts the whole chain again; what a redirect or a
/// challenge brings about carries the cookies for where it goes, and is logged like any request.
struct Delivery {
    let assembled: AssembledRequest
    /// Answers instead of the network.
    let stub: StubTransport?
    let transport: NetworkTransport
    let clock: WorldClock
    let proxies: ProxySettings
    /// None unless somebody has asked for a jar.
    let cookies: CookieMiddleware?
    /// Called with each request that goes out, with each response to one, and before each new attempt.
    let onRequest: @Sendable (PreparedRequest) -> Void
    var onResponse: @Sendable (ResponseHead) -> Void = { _ in }
    let onRetry: @Sendable (RetryMiddleware.Retry) -> Void
    /// Called for a redirect that isn't followed, with the reason.
    var onKeptBack: @Sendable (String) -> Void = { _ in }
    /// Told what the server asks to wait, and what is waited at most, where that is why its answer stands.
    var onTooLong: @Sendable (_ asked: Duration, _ longest: Duration) -> Void = { _, _ in }

    func response() async throws -> Response {
        var request = assembled.request
        request.transfer.proxies = proxies
        if stub == nil { try transport.refuseWhatLoaderCannot(request) }
        var onTheWire: [any Middleware] = []
        if let account = request.transfer.digestAccount {
            onTheWire.append(DigestMiddleware(user: account.user, password: account.password, origin: request.url))
        }
        if let cookies { onTheWire.append(cookies) }
        onTheWire.append(Announcing(onRequest: onRequest, onResponse: onResponse))
        let client = APIClient(
            requests: RequestFactory(base: RequestBuilder()),
            transport: MiddlewareTransport(onTheWire, before: stub ?? transport),
            middlewares: [RetryMiddleware(sleep: clock.sleep, onRetry: onRetry, onTooLong: onTooLong)],
            redirects: RedirectMiddleware(
                holdsSecret: { [assembled] in $0.holdsSecret(assembled.redactor) },
                onKeptBack: { [assembled, onKeptBack] in onKeptBack(assembled.keepingBack($0)) },
                elapsed: clock.elapsed,
                check: { [assembled] in try assembled.refuseRedirect(to: $0) }))
        return try await client.send(request)
    }
}

extension AssembledRequest {
    fileprivate func keepingBack(_ redirect: ResponseHead.Redirect) -> String {
        let port = redirect.to.port.map { ":\($0)" } ?? ""
        let origin = redactor.redact("\(redirect.to.scheme ?? "")://\(redirect.to.host ?? "")\(port)")
        return "the redirect to \(origin) is not followed, since the body holds a secret; "
            + "\"redirects\": {\"credentials\": \"anyHost\"} sends it to any host"
    }

    /// A redirect may turn a POST into a GET, which an environment's policy may refuse like one of the user's own.
    fileprivate func refuseRedirect(to request: PreparedRequest) throws {
        let method = request.method.token
        guard case .refused(let reason) = PolicyDecision(method: method, call.environment.policy) else { return }
        throw Failure(
            .refusedByPolicy, code: .policyRefused,
            "the server redirects to a \(method), which \(call.environment.name) doesn't take: \(reason)",
            hint: "the environment's \"policy\" says so; no endpoint and no server can loosen it")
    }
}

/// Announces each request as it goes out, and the head of each response as it arrives.
private struct Announcing: Middleware {
    let onRequest: @Sendable (PreparedRequest) -> Void
    let onResponse: @Sendable (ResponseHead) -> Void

    func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        onRequest(request)
        let response = try await next(request)
        onResponse(response.head)
        return response
    }
}
