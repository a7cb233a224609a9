import Assembly
import Definitions
import Exchange
import Foundation
import Redaction
import RequestBuilding

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Takes an assembled request to an answer: transport, redirects, retries, in one fixed order.
///
/// retry → redirect → digest → cookies → log → transport: a retry starts the whole chain again; what a redirect or a
/// challenge brings about carries the cookies for where it goes, and is logged like any request.
struct Delivery {
    let assembled: AssembledRequest
    /// Answers instead of the network.
    let stub: StubTransport?
    let pool: TransportPool
    let network: Network
    let proxies: ProxySettings
    /// None unless somebody has asked for a jar.
    let cookies: CookieMiddleware?
    /// Called with each request that goes out, with each response to one, and before each new attempt.
    let onRequest: @Sendable (URLRequest) -> Void
    var onResponse: @Sendable (ResponseHead) -> Void = { _ in }
    let onRetry: @Sendable (RetryMiddleware.Retry) -> Void
    /// Called for a redirect that isn't followed, with the reason.
    var onKeptBack: @Sendable (String) -> Void = { _ in }
    /// Told what the server asks to wait, and what is waited at most, where that is why its answer stands.
    var onTooLong: @Sendable (_ asked: Duration, _ longest: Duration) -> Void = { _, _ in }

    func response() async throws -> Response {
        let way = pool.way(assembled.options, proxies, overNetwork: stub == nil)
        let request = assembled.request.carrying(way.timeouts, assembled.redactor)
        var middlewares: [any Middleware] = []
        if let policy = way.retries {
            middlewares.append(
                RetryMiddleware(
                    policy, sleep: network.sleep, onRetry: onRetry,
                    onTooLong: { onTooLong($0, policy.maximumWait) }))
        }
        if let maximum = way.mostRedirects {
            middlewares.append(
                RedirectMiddleware(
                    maximum: maximum, credentials: way.redirectCredentials,
                    holdsSecret: { [assembled] in $0.holdsSecret(assembled.redactor) },
                    onKeptBack: { [assembled, onKeptBack] in onKeptBack(assembled.keepingBack($0)) },
                    elapsed: network.elapsed,
                    check: { [assembled] in try assembled.refuseRedirect(to: $0) }))
        }
        if let account = way.digestAccount, let url = request.url {
            middlewares.append(DigestMiddleware(user: account.user, password: account.password, origin: url))
        }
        if let cookies { middlewares.append(cookies) }
        let announcing = Announcing(
            onRequest: onRequest, onResponse: onResponse, transport: try transport(for: request, way))
        if middlewares.isEmpty { return try await announcing.send(request) }
        return try await MiddlewareTransport(middlewares, before: announcing).send(request)
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
    fileprivate func refuseRedirect(to request: URLRequest) throws {
        let method = request.httpMethod ?? "GET"
        guard case .refused(let reason) = PolicyDecision(method: method, call.environment.policy) else { return }
        throw Failure(
            .refusedByPolicy, code: .policyRefused,
            "the server redirects to a \(method), which \(call.environment.name) doesn't take: \(reason)",
            hint: "the environment's \"policy\" says so; no endpoint and no server can loosen it")
    }
}

extension Delivery {
    private func transport(for request: URLRequest, _ way: TransferWay) throws(TransportError) -> any Transport {
        if let stub { return stub }
        guard let transport = way.transport, request.url?.scheme == "http" || way.isPossible else {
            throw TransportError(
                .invalidRequest, target: request.url?.host ?? "",
                detail: "Foundation's loader can't do what tls asks for, --loader curl can")
        }
        return transport
    }
}

/// Announces each request as it goes out, and the head of each response as it arrives.
private struct Announcing: Transport {
    let onRequest: @Sendable (URLRequest) -> Void
    let onResponse: @Sendable (ResponseHead) -> Void
    let transport: any Transport

    func send(_ request: URLRequest) async throws -> Response {
        onRequest(request)
        let response = try await transport.send(request)
        onResponse(response.head)
        return response
    }
}

extension URLRequest {
    /// The request in the transport's own terms: its limit in total, which redirects use up, and which of its headers
    /// must stay with their origin.
    fileprivate func carrying(_ timeouts: Exchange.Timeouts, _ redactor: Redactor) -> URLRequest {
        let names =
            redactor.isEmpty
            ? [] : headerFields.filter { !redactor.matches(in: Array($0.value.utf8)).isEmpty }.map(\.name)
        if timeouts.total == nil, names.isEmpty { return self }
        var request = self
        request.attach { options in
            if timeouts.total != nil { options[Exchange.Timeouts.self] = timeouts }
            if !names.isEmpty { options[CredentialHeaders.self] = names }
        }
        return request
    }
}
