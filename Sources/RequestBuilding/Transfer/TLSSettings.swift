/// Which certificates to trust, and which to show, in TLS.
public struct TLSSettings: Hashable, Sendable {
    /// A PEM file of certificates to trust in place of the system's.
    public var authorities: String?
    /// True to accept any certificate. Say so to the user each time.
    public var isInsecure: Bool
    /// A PEM file with the client's certificate, and its key unless that is in a file of its own.
    public var certificate: String?
    /// A PEM file with the client's key.
    public var key: String?
    /// The oldest version that is spoken; nil for TLS 1.2.
    public var minimumVersion: Version?

    /// Settings; the default trusts the system's certificates and speaks TLS 1.2 and newer.
    public init(
        authorities: String? = nil, isInsecure: Bool = false, certificate: String? = nil, key: String? = nil,
        minimumVersion: Version? = nil
    ) {
        self.authorities = authorities
        self.isInsecure = isInsecure
        self.certificate = certificate
        self.key = key
        self.minimumVersion = minimumVersion
    }

    /// A version of TLS.
    public enum Version: String, Hashable, Sendable, CaseIterable {
        /// TLS 1.0, for servers that can't be changed.
        case tls10 = "1.0"
        /// TLS 1.1, likewise.
        case tls11 = "1.1"
        /// TLS 1.2
        case tls12 = "1.2"
        /// TLS 1.3
        case tls13 = "1.3"
    }
}
