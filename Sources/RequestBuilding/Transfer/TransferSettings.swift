#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// How a request is carried to its server, beyond what it says: limits, redirects, retries, TLS, addresses.
///
/// These are the values that hold, after everybody was asked. Nil means "no limit" or "none". Operators change them
/// one key at a time: see ``TransferSetting``.
public struct TransferSettings: Hashable, Sendable {
    /// How long things may take.
    public var timeouts = Timeouts.standard
    /// Whether redirects are followed, and with what.
    public var redirects = RedirectPolicy()
    /// When and how often a request is sent again.
    public var retry = RetryPolicy()
    /// Which certificates are trusted and shown.
    public var tls = TLSSettings()
    /// Which version of HTTP is spoken.
    public var version = ProtocolVersion.automatic
    /// Which requests go through a proxy.
    public var proxies = ProxySettings()
    /// Addresses to use in place of a DNS answer.
    public var resolvedHosts: [ResolvedHost] = []
    /// A unix socket to connect to, whatever host the URL names.
    public var unixSocket: String?
    /// Who answers a Digest challenge.
    public var digestAccount: Account?
    /// The netrc file that the request's credentials were read from.
    public var netrc: NetrcSource?
    /// What Foundation's caches may do.
    public var cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// Whether compressed responses are asked for and unpacked.
    public var decodesContent = false

    /// The settings of a request that sets none.
    public init() {}
}

// MARK: - Keys

/// The keys of ``TransferSettings`` that operators change. A new setting is a field above and its key here.
extension TransferSetting<Duration> {
    /// The limit for connecting.
    public static var connectTimeout: Self { Self("timeout.connect", \.timeouts.connect, text: \.text) }
    /// The limit for the first byte of the response.
    public static var firstByteTimeout: Self { Self("timeout.firstByte", \.timeouts.firstByte, text: \.text) }
    /// The limit between two bytes.
    public static var idleTimeout: Self { Self("timeout.idle", \.timeouts.idle, text: \.text) }
    /// The limit for the whole exchange.
    public static var totalTimeout: Self { Self("timeout.total", \.timeouts.total, text: \.text) }
    /// The wait before the first retry.
    public static var retryDelay: Self { Self("retry.delay", \.retry.firstWait, text: \.text) }
}

extension TransferSetting<Bool> {
    /// Whether redirects are followed.
    public static var followsRedirects: Self { Self("redirects.follow", \.redirects.isFollowing) }
    /// Whether any certificate is accepted.
    public static var isInsecure: Self { Self("tls.insecure", \.tls.isInsecure) }
    /// Whether the credentials come from the netrc file in the home folder.
    public static var homeNetrc: Self {
        Self("netrc", text: { "\($0)" }) { settings, isHome, _ in settings.netrc = isHome == true ? .home : nil }
    }
}

extension TransferSetting<Int> {
    /// How many redirects are followed at most.
    public static var maximumRedirects: Self { Self("redirects.max", \.redirects.maximum) }
    /// How often a request is sent again.
    public static var retryTimes: Self { Self("retry.times", \.retry.times) }
}

extension TransferSetting<String> {
    /// A PEM file of certificates to trust.
    public static var authorities: Self { Self("tls.ca", \.tls.authorities) }
    /// A PEM file with the client's certificate.
    public static var certificate: Self { Self("tls.cert", \.tls.certificate) }
    /// A PEM file with the client's key.
    public static var certificateKey: Self { Self("tls.key", \.tls.key) }
    /// A unix socket to connect to.
    public static var unixSocket: Self { Self("unix-socket", \.unixSocket) }
    /// The netrc file that the credentials come from.
    public static var netrcFile: Self {
        Self("netrc-file", text: \.self) { settings, path, _ in settings.netrc = path.map(NetrcSource.file) }
    }
}

extension TransferSetting<[Int]> {
    /// The statuses after which a request is sent again.
    public static var retryStatuses: Self {
        Self("retry.on", text: { $0.map(String.init).joined(separator: ", ") }) { settings, statuses, baseline in
            settings.retry.statuses = statuses.map { Set($0) } ?? baseline.retry.statuses
        }
    }
}

extension TransferSetting<[HTTPMethod]> {
    /// The methods that may be sent again.
    public static var retryMethods: Self {
        Self("retry.methods", text: { $0.map(\.token).joined(separator: ", ") }) { settings, methods, baseline in
            settings.retry.methods = methods.map { Set($0) } ?? baseline.retry.methods
        }
    }
}

extension TransferSetting<RedirectPolicy.Credentials> {
    /// Where redirects take credentials.
    public static var redirectCredentials: Self { Self("redirects.credentials", \.redirects.credentials) }
}

extension TransferSetting<TLSSettings.Version> {
    /// The oldest version of TLS that is spoken.
    public static var minimumTLSVersion: Self {
        Self("tls.minVersion", \.tls.minimumVersion, text: \.rawValue)
    }
}

extension TransferSetting<[ResolvedHost]> {
    /// Addresses to use in place of a DNS answer.
    public static var resolvedHosts: Self {
        Self("resolve", \.resolvedHosts, text: { $0.map(\.description).joined(separator: ", ") })
    }
}

extension TransferSetting<Account> {
    /// Who answers a Digest challenge.
    public static var digestAccount: Self { Self("auth.digest", \.digestAccount, text: { "Digest \($0.user)" }) }
}

extension TransferSetting<URLRequest.CachePolicy> {
    /// What Foundation's caches may do.
    public static var cachePolicy: Self { Self("cache policy", \.cachePolicy, text: \.name) }
}
