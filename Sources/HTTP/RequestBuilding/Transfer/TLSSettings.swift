/// The certificates to trust and to send, and the versions of TLS.
public struct TLSSettings: Hashable, Sendable {
    /// A PEM file of certificates to trust instead of the system's.
    public var authorities: String?
    /// A folder of certificates to trust. The name of each file is the hash of the certificate's subject.
    package var authoritiesFolder: String?
    /// Whether any certificate is accepted. If so, warn the user each time.
    public var isInsecure: Bool
    /// A PEM file with the client's certificate. The file also contains the key, unless `key` names another file.
    public var certificate: String?
    /// A PEM file with the client's key.
    public var key: String?
    /// The minimum version; nil for TLS 1.2.
    public var minimumVersion: Version?
    /// The maximum version; nil for the newest that both sides know.
    public var maximumVersion: Version?

    /// Settings. The defaults are the system's certificates and TLS 1.2 or newer.
    public init(
        authorities: String? = nil, isInsecure: Bool = false, certificate: String? = nil, key: String? = nil,
        minimumVersion: Version? = nil, maximumVersion: Version? = nil
    ) {
        self.authorities = authorities
        self.isInsecure = isInsecure
        self.certificate = certificate
        self.key = key
        self.minimumVersion = minimumVersion
        self.maximumVersion = maximumVersion
    }

    /// The contradiction between the settings; nil if there is none.
    package var problem: String? {
        guard let minimumVersion, let maximumVersion, minimumVersion.rawValue > maximumVersion.rawValue else {
            return nil
        }
        return
            "TLS \(minimumVersion.rawValue) is the oldest version to use, and \(maximumVersion.rawValue) is the newest"
    }

    /// A version of TLS.
    public enum Version: String, Hashable, Sendable, CaseIterable {
        /// TLS 1.0, for servers that can't be changed.
        case tls10 = "1.0"
        /// TLS 1.1, for servers that can't be changed.
        case tls11 = "1.1"
        /// TLS 1.2
        case tls12 = "1.2"
        /// TLS 1.3
        case tls13 = "1.3"
    }
}

extension TLSSettings {
    /// Reads the certificates to trust from the usual environment variables, as the curl program does.
    package init(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        self.init()
        authorities = value("CURL_CA_BUNDLE")
        if authorities != nil { return }
        authorities = value("SSL_CERT_FILE")
        authoritiesFolder = value("SSL_CERT_DIR")
    }

    /// The names of the usual environment variables for certificates.
    package static let variables = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"]

    /// A copy of these settings. If they name no certificates to trust, the certificates of the other settings are used.
    package func completed(by others: TLSSettings) -> TLSSettings {
        guard authorities == nil, authoritiesFolder == nil else { return self }
        var result = self
        result.authorities = others.authorities
        result.authoritiesFolder = others.authoritiesFolder
        return result
    }
}
