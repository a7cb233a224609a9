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
    /// Told of each request that goes out, and of each new try.
    let onRequest: @Sendable (URLRequest) -> Void
    let onRetry: @Sendable (RetryMiddleware.Retry) -> Void

    func response() async throws -> Response {
        let request = assembled.request.carrying(assembled)
        var middlewares: [any Middleware] = []
        if let policy = RetryPolicy(request) {
            middlewares.append(
                RetryMiddleware(policy, sleep: network.sleep, onRetry: onRetry))
        }
        if request[option: TransferOption.FollowRedirects.self] == true {
            let maximum = request[option: TransferOption.MaximumRedirects.self]
            middlewares.append(
                RedirectMiddleware(
                    maximum: maximum ?? TransferOption.MaximumRedirects.standard, elapsed: network.elapsed))
        }
        if let account = assembled.digestAccount, let url = request.url {
            middlewares.append(DigestMiddleware(user: account.user, password: account.password, origin: url))
        }
        if let cookies { middlewares.append(cookies) }
        middlewares.append(Announcing(tell: onRequest))
        return try await MiddlewareTransport(middlewares, before: transport(for: request)).send(request)
    }
}

extension Delivery {
    private func transport(for request: URLRequest) -> any Transport {
        stub ?? pool.transport(TransportOptions(request, proxies: proxies))
    }
}

/// Says what goes out, as it goes out.
private struct Announcing: Middleware {
    let tell: @Sendable (URLRequest) -> Void

    func send(_ request: URLRequest, next: Next) async throws -> Response {
        tell(request)
        return try await next(request)
    }
}

extension URLRequest {
    /// The request in the transport's own terms: its time limits, and which of its headers must stay with their origin.
    fileprivate func carrying(_ assembled: AssembledRequest) -> URLRequest {
        var request = self
        request[option: Exchange.Timeouts.self] = Exchange.Timeouts(
            connect: self[option: TransferOption.ConnectTimeout.self],
            firstByte: self[option: TransferOption.FirstByteTimeout.self],
            idle: self[option: TransferOption.IdleTimeout.self], total: self[option: TransferOption.TotalTimeout.self])
        let redactor = assembled.redactor
        let names = headerFields.filter { !redactor.matches(in: Array($0.value.utf8)).isEmpty }.map(\.name)
        if !names.isEmpty { request[option: CredentialHeaders.self] = names }
        return request
    }
}

extension RetryPolicy {
    /// The policy that the options of a request say; nil for none.
    fileprivate init?(_ request: URLRequest) {
        guard let times = request[option: TransferOption.RetryTimes.self], times > 0 else { return nil }
        let standard = RetryPolicy()
        self.init(
            times: times,
            statuses: request[option: TransferOption.RetryStatuses.self].map { Set($0.compactMap { Int($0) }) }
                ?? standard.statuses,
            methods: request[option: TransferOption.RetryMethods.self].map { Set($0) } ?? Self.repeatable,
            firstWait: request[option: TransferOption.RetryDelay.self] ?? standard.firstWait)
    }

    /// Methods that are idempotent (RFC 9110, 9.2.2): sent twice they do what they do once.
    private static let repeatable: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
}

extension TransportOptions {
    fileprivate init(_ request: URLRequest, proxies: ProxySettings) {
        let version = request[option: TransferOption.MinimumTLSVersion.self].flatMap(TLSOptions.Version.init)
        self.init(
            tls: TLSOptions(
                authorities: request[option: TransferOption.CertificateAuthorities.self],
                isInsecure: request[option: TransferOption.Insecure.self] ?? false,
                certificate: request[option: TransferOption.ClientCertificate.self],
                key: request[option: TransferOption.ClientKey.self], minimumVersion: version ?? .tls12),
            resolve: (request[option: TransferOption.ResolvedHosts.self] ?? []).compactMap(ResolvedHost.init(text:)),
            unixSocket: request[option: TransferOption.UnixSocket.self], proxies: proxies)
    }
}
