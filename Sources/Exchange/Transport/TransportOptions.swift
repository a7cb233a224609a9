import Glibc
public import RequestBuilding

/// How requests are sent, beyond what they say: limits, TLS, addresses, protocol.
///
/// They are given to a transport for all of its requests; `timeouts` and `version` can also be attached to a single
/// one as ``RequestOption``s, which win.
public struct TransportOptions: Hashable, Sendable {
    /// How long things may take.
    public var timeouts: Timeouts
    /// Which certificates are trusted and shown.
    public var tls: TLSOptions
    /// Which protocol version is spoken.
    public var version: ProtocolVersion
    /// Addresses to use in place of a DNS answer.
    public var resolve: [ResolvedHost]
    /// A unix socket to connect to, whatever host the URL names; its path has no more than ``longestSocketPath`` bytes.
    public var unixSocket: String?
    /// Which requests go through a proxy.
    public var proxies: ProxySettings
    /// Whether compressed answers are asked for and unpacked.
    public var decodesContent: Bool

    /// Options; each has the default that suits most.
    public init(
        timeouts: Timeouts = .standard, tls: TLSOptions = TLSOptions(), version: ProtocolVersion = .automatic,
        resolve: [ResolvedHost] = [], unixSocket: String? = nil, proxies: ProxySettings = ProxySettings(),
        decodesContent: Bool = false
    ) {
        self.timeouts = timeouts
        self.tls = tls
        self.version = version
        self.resolve = resolve
        self.unixSocket = unixSocket
        self.proxies = proxies
        self.decodesContent = decodesContent
    }
}

extension TransportOptions {
    /// How many bytes the path of a unix socket may have: so much room does its address leave.
    public static let longestSocketPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
}

/// Whom to trust, and who to be, in TLS.
public struct TLSOptions: Hashable, Sendable {
    /// A PEM file of certificates to trust in place of the system's.
    public var authorities: String?
    /// True to accept any certificate. Say so to the user each time.
    public var isInsecure: Bool
    /// A PEM file with the client's certificate, and its key unless that is in a file of its own.
    public var certificate: String?
    /// A PEM file with the client's key.
    public var key: String?
    /// The oldest version that is spoken.
    public var minimumVersion: Version

    /// Options; the default trusts the system's certificates and speaks TLS 1.2 and newer.
    public init(
        authorities: String? = nil, isInsecure: Bool = false, certificate: String? = nil, key: String? = nil,
        minimumVersion: Version = .tls12
    ) {
        self.authorities = authorities
        self.isInsecure = isInsecure
        self.certificate = certificate
        self.key = key
        self.minimumVersion = minimumVersion
    }

    /// A version of TLS.
    public enum Version: String, Hashable, Sendable, CaseIterable {
        /// TLS 1.0, for servers that nobody can change.
        case tls10 = "1.0"
        /// TLS 1.1, likewise.
        case tls11 = "1.1"
        /// TLS 1.2
        case tls12 = "1.2"
        /// TLS 1.3
        case tls13 = "1.3"
    }
}

/// The version of HTTP to speak.
public enum ProtocolVersion: String, Hashable, Sendable, CaseIterable, RequestOption {
    /// HTTP/2 where a TLS server offers it, else HTTP/1.1.
    case automatic
    /// HTTP/1.1
    case http11 = "http/1.1"
    /// HTTP/2 from the first byte, without asking; also over plain TCP.
    case http2 = "http/2"

    /// The version itself.
    public typealias Value = ProtocolVersion

    /// The option's name.
    public static let name = "protocol version"
}

/// An address that stands in for a DNS answer.
public struct ResolvedHost: Hashable, Sendable {
    /// The host as it stands in the URL.
    public var host: String
    /// The port as it stands in the URL, or the scheme's.
    public var port: Int
    /// The address to connect to.
    public var address: String

    /// An address for a host and port.
    public init(host: String, port: Int, address: String) {
        self.host = host
        self.port = port
        self.address = address
    }
}
