import Assembly
import Definitions
import Exchange
import RequestBuilding

/// How a request goes, as its options say: what they come to is worked out once for all requests that have the same.
struct TransferWay: Sendable {
    let timeouts: Exchange.Timeouts
    /// Nil for none.
    let retries: RetryPolicy?
    /// Nil where redirects are answers.
    let mostRedirects: Int?
    /// Whether redirects take credentials along to other origins.
    let redirectCredentials: RedirectMiddleware.Credentials
    /// Who answers a Digest challenge, if anybody does.
    let digestAccount: (user: String, password: String)?
    /// Nil where nothing goes to the network.
    let transport: (any Transport)?
    /// False where the loader would do without some of the TLS settings, which nobody wants to find out later.
    let isPossible: Bool

    init(_ options: AttachedOptions, _ proxies: ProxySettings, over pool: TransportPool?) {
        let timeouts = Exchange.Timeouts(options)
        self.timeouts = timeouts
        retries = RetryPolicy(options)
        mostRedirects =
            options[TransferOption.FollowRedirects.self] == true
            ? options[TransferOption.MaximumRedirects.self] ?? TransferOption.MaximumRedirects.standard : nil
        redirectCredentials = options[TransferOption.RedirectCredentials.self] == .anyHost ? .anyHost : .sameOrigin
        digestAccount = options.digestAccount
        let options = TransportOptions(options, timeouts, proxies: proxies)
        transport = pool?.transport(options)
        isPossible = pool?.canDo(options) ?? true
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
