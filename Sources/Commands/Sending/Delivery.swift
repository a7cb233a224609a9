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
    /// Told what the server asks to wait, and what is waited at most, where that is why its answer stands.
    var onTooLong: @Sendable (_ asked: Duration, _ longest: Duration) -> Void = { _, _ in }

    func response() async throws -> Response {
        // The options are read once for everybody here.
        let options = assembled.request.options
        let timeouts = Exchange.Timeouts(options)
        let request = assembled.request.carrying(timeouts, assembled.redactor)
        var middlewares: [any Middleware] = []
        if let policy = RetryPolicy(options) {
            middlewares.append(
                RetryMiddleware(
                    policy, sleep: network.sleep, onRetry: onRetry,
                    onTooLong: { onTooLong($0, policy.maximumWait) }))
        }
        if options[TransferOption.FollowRedirects.self] == true {
            let maximum = options[TransferOption.MaximumRedirects.self]
            middlewares.append(
                RedirectMiddleware(
                    maximum: maximum ?? TransferOption.MaximumRedirects.standard, elapsed: network.elapsed,
                    check: { [assembled] in try assembled.refuseRedirect(to: $0) }))
        }
        if let account = options.digestAccount, let url = request.url {
            middlewares.append(DigestMiddleware(user: account.user, password: account.password, origin: url))
        }
        if let cookies { middlewares.append(cookies) }
        middlewares.append(Announcing(tell: onRequest))
        return try await MiddlewareTransport(middlewares, before: transport(for: request, options, timeouts)).send(
            request)
    }
}

extension AssembledRequest {
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
    private func transport(
        for request: URLRequest, _ options: AttachedOptions, _ timeouts: Exchange.Timeouts
    ) throws(TransportError) -> any Transport {
        if let stub { return stub }
        let options = TransportOptions(options, timeouts, proxies: proxies)
        guard request.url?.scheme == "http" || pool.canDo(options) else {
            throw TransportError(
                .invalidRequest, target: request.url?.host ?? "",
                detail: "Foundation's loader can't do what tls asks for, --loader curl can")
        }
        return pool.transport(options)
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

extension Exchange.Timeouts {
    fileprivate init(_ options: AttachedOptions) {
        self.init(
            connect: options[TransferOption.ConnectTimeout.self],
            firstByte: options[TransferOption.FirstByteTimeout.self],
            idle: options[TransferOption.IdleTimeout.self], total: options[TransferOption.TotalTimeout.self])
    }
}

extension RetryPolicy {
    /// The policy that the options of a request say; nil for none.
    fileprivate init?(_ options: AttachedOptions) {
        guard let times = options[TransferOption.RetryTimes.self], times > 0 else { return nil }
        let standard = RetryPolicy()
        self.init(
            times: times,
            statuses: options[TransferOption.RetryStatuses.self].map { Set($0.compactMap { Int($0) }) }
                ?? standard.statuses,
            methods: options[TransferOption.RetryMethods.self].map { Set($0) } ?? Self.repeatable,
            firstWait: options[TransferOption.RetryDelay.self] ?? standard.firstWait)
    }

    /// Methods that are idempotent (RFC 9110, 9.2.2): sent twice they do what they do once.
    private static let repeatable: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
}

extension TransportOptions {
    fileprivate init(_ options: AttachedOptions, _ timeouts: Exchange.Timeouts, proxies: ProxySettings) {
        let version = options[TransferOption.MinimumTLSVersion.self].flatMap(TLSOptions.Version.init)
        var timeouts = timeouts
        // It travels with the request.
        timeouts.total = nil
        self.init(
            timeouts: timeouts,
            tls: TLSOptions(
                authorities: options[TransferOption.CertificateAuthorities.self],
                isInsecure: options[TransferOption.Insecure.self] ?? false,
                certificate: options[TransferOption.ClientCertificate.self],
                key: options[TransferOption.ClientKey.self], minimumVersion: version ?? .tls12),
            resolve: (options[TransferOption.ResolvedHosts.self] ?? []).compactMap(ResolvedHost.init(text:)),
            unixSocket: options[TransferOption.UnixSocket.self], proxies: proxies)
    }
}
