public import ReqcliNetworking

/// Settings for sending a request that are not part of its message: limits, redirects, retries, TLS, addresses.
///
/// These are the final values, after all layers were applied. Nil means "no limit" or "none". An operator changes one setting at a
/// time: see ``RequestBuilder/setting(_:_:)``.
public struct TransferSettings: Hashable, Sendable {
    /// The time limits.
    public var timeouts = Timeouts.standard
    /// Whether redirects are followed, and with which credentials.
    public var redirects = RedirectPolicy()
    /// The rules for sending a request again.
    public var retry = RetryPolicy()
    /// The certificates to trust and to send.
    public var tls = TLSSettings()
    /// The version of HTTP. If it is nil, requests use HTTP/2 where a TLS server offers it, and HTTP/1.1 otherwise.
    public var version: ProtocolVersion?
    /// The proxies, and the hosts that do not use them.
    public var proxies = ProxySettings()
    /// Addresses to use instead of a DNS lookup.
    public var resolvedHosts: [ResolvedHost] = []
    /// Servers to connect to instead of the servers that URLs name. The first detour that matches is used.
    package var detours: [ConnectionDetour] = []
    /// A unix socket to connect to, whatever host the URL names.
    public var unixSocket: String?
    /// The account that is used for challenges of the server.
    public var challengeAccount: Account?
    /// Whether the account is also used for a server that offers Basic but not Digest.
    package var answersBasic = false
    /// The netrc file that the request's credentials were read from.
    package var netrc: NetrcSource?
    /// Foundation's cache policy.
    public var cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// Whether compressed responses are requested and decoded, unless the request names an encoding or a range itself.
    public var decodesContent: Bool?

    /// The values of ``RedirectPolicy/maximum`` that are allowed in files and flags.
    package static let redirectLimits = 0...100

    /// The default settings.
    public init() {}

    /// The names of fields in lists of operators, where files spell them in another way. A key of the same name sets the same field.
    private static let names = [
        "timeouts.connect": "timeout.connect", "timeouts.firstByte": "timeout.firstByte",
        "timeouts.idle": "timeout.idle",
        "timeouts.total": "timeout.total", "retry.firstWait": "retry.delay", "retry.statuses": "retry.on",
        "redirects.isFollowing": "redirects.follow", "redirects.maximum": "redirects.max",
        "decodesContent": "compressed",
        "tls.isInsecure": "tls.insecure", "tls.authorities": "tls.ca", "tls.certificate": "tls.cert",
        "tls.minimumVersion": "tls.minVersion", "tls.maximumVersion": "tls.maxVersion", "version": "httpVersion",
        "proxies.exceptions": "noProxy", "proxies.isTunnel": "proxytunnel", "proxies.usesDigest": "proxy-digest",
        "proxies.headers": "proxy-header", "unixSocket": "unix-socket", "resolvedHosts": "resolve",
        "cachePolicy": "cache policy",
    ]

    /// A value in lists of operators; nil for nil. The values of headers, and the URLs of proxies and the parts of accounts, may
    /// hold a secret and are left out.
    static func text(of value: Any, named name: String) -> String? {
        if let headers = value as? HeaderFields { return headers.map(\.name).joined(separator: ", ") }
        if let duration = value as? Duration { return duration.text }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle != .optional || !mirror.children.isEmpty else { return nil }
        if value as? String != nil, name.hasPrefix("proxies.") || name.hasPrefix("challengeAccount") { return "…" }
        return mirror.displayStyle == .optional ? mirror.children.first.map { "\($0.value)" } : "\(value)"
    }

    /// The name of a field in lists of operators.
    static func name(of path: PartialKeyPath<TransferSettings>) -> String {
        let field = String("\(path)".drop { $0 != "." }.dropFirst())
        return names[field] ?? field
    }

    /// The proxies and the certificates to trust that the usual environment variables name.
    package init(environment: [String: String]) {
        proxies = ProxySettings(environment: environment)
        tls = TLSSettings(environment: environment)
    }

    /// The names of the usual environment variables for proxies and certificates.
    package static let variables = ProxySettings.variables + TLSSettings.variables

    /// These settings. If they name no proxies or no certificates to trust, the values of the other settings are used.
    package func completed(by others: TransferSettings) -> TransferSettings {
        var result = self
        result.proxies = proxies.completed(by: others.proxies)
        result.tls = tls.completed(by: others.tls)
        return result
    }
}

// MARK: - Keys

/// The keys of ``TransferSettings`` that operators change. A new setting needs a field above and its key here.
extension TransferSetting<Duration> {
    /// The limit for connecting.
    @_spi(Generated) public static var connectTimeout: Self {
        Self("timeout.connect", \.timeouts.connect, text: \.text)
    }
    /// The limit for the first byte of the response.
    @_spi(Generated) public static var firstByteTimeout: Self {
        Self("timeout.firstByte", \.timeouts.firstByte, text: \.text)
    }
    /// The limit between two bytes.
    @_spi(Generated) public static var idleTimeout: Self { Self("timeout.idle", \.timeouts.idle, text: \.text) }
    /// The limit for the whole exchange.
    @_spi(Generated) public static var totalTimeout: Self { Self("timeout.total", \.timeouts.total, text: \.text) }
    /// The wait before the first retry.
    @_spi(Generated) public static var retryDelay: Self { Self("retry.delay", \.retry.firstWait, text: \.text) }
}

extension TransferSetting<Bool> {
    /// Whether redirects are followed.
    @_spi(Generated) public static var followsRedirects: Self { Self("redirects.follow", \.redirects.isFollowing) }
    /// Whether compressed responses are requested and decoded.
    @_spi(Generated) public static var decodesContent: Self {
        Self("compressed", text: { "\($0)" }, get: \.decodesContent) { settings, decodes, baseline in
            settings.decodesContent = decodes ?? baseline.decodesContent
        }
    }
    /// Whether any certificate is accepted.
    @_spi(Generated) public static var isInsecure: Self { Self("tls.insecure", \.tls.isInsecure) }
    /// Whether http requests also go through a tunnel of the proxy.
    @_spi(Generated) public static var proxyTunnel: Self { Self("proxytunnel", \.proxies.isTunnel) }
    /// Whether the account is used for the proxy's Digest challenges.
    @_spi(Generated) public static var proxyDigest: Self { Self("proxy-digest", \.proxies.usesDigest) }
    /// Whether the credentials come from the netrc file in the home folder.
    package static var homeNetrc: Self {
        Self("netrc", text: { "\($0)" }) { settings, isHome, _ in settings.netrc = isHome == true ? .home : nil }
    }
}

extension TransferSetting<Int> {
    /// The maximum number of redirects.
    @_spi(Generated) public static var maximumRedirects: Self { Self("redirects.max", \.redirects.maximum) }
    /// The maximum number of retries.
    @_spi(Generated) public static var retryTimes: Self {
        Self("retry.times", text: { "\($0)" }, get: \.retry.times) { settings, times, baseline in
            settings.retry.times = times ?? baseline.retry.times
        }
    }
}

extension TransferSetting<String> {
    /// A PEM file of certificates to trust.
    @_spi(Generated) public static var authorities: Self { Self("tls.ca", \.tls.authorities) }
    /// A PEM file with the client's certificate.
    @_spi(Generated) public static var certificate: Self { Self("tls.cert", \.tls.certificate) }
    /// A PEM file with the client's key.
    @_spi(Generated) public static var certificateKey: Self { Self("tls.key", \.tls.key) }
    /// Hosts that are reached without a proxy, separated by commas.
    @_spi(Generated) public static var noProxy: Self { Self("noProxy", \.proxies.exceptions) }
    /// A unix socket to connect to.
    @_spi(Generated) public static var unixSocket: Self { Self("unix-socket", \.unixSocket) }
    /// The netrc file that the credentials come from.
    package static var netrcFile: Self {
        Self("netrc-file", text: \.self) { settings, path, _ in settings.netrc = path.map(NetrcSource.file) }
    }
}

extension TransferSetting<[Int]> {
    /// The statuses after which a request is sent again.
    @_spi(Generated) public static var retryStatuses: Self {
        let text: @Sendable ([Int]) -> String = { statuses in
            Set(statuses) == RetryPolicy.errorStatuses ? "any" : statuses.map(String.init).joined(separator: ", ")
        }
        return Self("retry.on", text: text) { settings, statuses, baseline in
            settings.retry.statuses = statuses.map { Set($0) } ?? baseline.retry.statuses
        }
    }
}

extension TransferSetting<[HTTPMethod]> {
    /// The methods that may be sent again.
    @_spi(Generated) public static var retryMethods: Self {
        Self("retry.methods", text: { $0.map(\.token).joined(separator: ", ") }) { settings, methods, baseline in
            settings.retry.methods = methods.map { Set($0) } ?? baseline.retry.methods
        }
    }
}

extension TransferSetting<RedirectPolicy.Credentials> {
    /// The origins that credentials are sent to after a redirect.
    @_spi(Generated) public static var redirectCredentials: Self {
        Self("redirects.credentials", \.redirects.credentials)
    }
}

extension TransferSetting<TLSSettings.Version> {
    /// The minimum version of TLS.
    @_spi(Generated) public static var minimumTLSVersion: Self {
        Self("tls.minVersion", \.tls.minimumVersion, text: \.rawValue)
    }
    /// The maximum version of TLS.
    @_spi(Generated) public static var maximumTLSVersion: Self {
        Self("tls.maxVersion", \.tls.maximumVersion, text: \.rawValue)
    }
}

extension TransferSetting<ProtocolVersion> {
    /// The version of HTTP.
    @_spi(Generated) public static var httpVersion: Self { Self("httpVersion", \.version, text: \.rawValue) }
}

extension TransferSetting<[ResolvedHost]> {
    /// Addresses to use instead of a DNS lookup.
    @_spi(Generated) public static var resolvedHosts: Self {
        Self("resolve", \.resolvedHosts, text: { $0.map(\.description).joined(separator: ", ") })
    }
}

extension TransferSetting<[ConnectionDetour]> {
    /// Servers to connect to instead of the servers that URLs name.
    package static var detours: Self {
        Self("connect-to", \.detours, text: { $0.map(\.description).joined(separator: ", ") })
    }
}

extension TransferSetting<ProxySettings> {
    /// The proxy, with its account. This key replaces all earlier proxy settings, so that no account is sent to the wrong proxy.
    /// Only the exceptions are kept.
    @_spi(Generated) public static var proxy: Self {
        Self("proxy", text: \.description) { settings, value, baseline in
            let exceptions = settings.proxies.exceptions
            settings.proxies = value ?? baseline.proxies
            settings.proxies.exceptions = exceptions
        }
    }
}

extension TransferSetting<HeaderFields> {
    /// Headers that are sent only to the proxy. Lists of operators show only the names of these headers.
    @_spi(Generated) public static var proxyHeaders: Self {
        Self("proxy-header", \.proxies.headers, text: { $0.map(\.name).joined(separator: ", ") })
    }
}

extension TransferSetting<Account> {
    /// The account for Digest challenges.
    @_spi(Generated) public static var digestAccount: Self {
        challenged("auth.digest", text: "Digest", answersBasic: false)
    }
    /// The account for Digest challenges, and for Basic challenges of servers that do not offer Digest.
    @_spi(Generated) public static var anyAccount: Self {
        challenged("auth.any", text: "Digest or Basic", answersBasic: true)
    }

    private static func challenged(_ name: String, text: String, answersBasic: Bool) -> Self {
        Self(name, text: { "\(text) \($0.user)" }) { settings, account, _ in
            settings.challengeAccount = account
            settings.answersBasic = account != nil && answersBasic
        }
    }
}

extension TransferSetting<URLRequest.CachePolicy> {
    /// Foundation's cache policy.
    @_spi(Generated) public static var cachePolicy: Self { Self("cache policy", \.cachePolicy, text: \.name) }
}
