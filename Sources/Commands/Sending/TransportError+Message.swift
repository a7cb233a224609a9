package import Exchange

extension TransportError {
    /// One line: what happened, and what to try with this program's flags and keys.
    package var message: String {
        guard let remedy = ownRemedy else { return description }
        return "\(summary): \(remedy)"
    }

    private var ownRemedy: String? {
        switch kind {
        case .timeout(.connect): "check the address, or raise timeout.connect"
        case .timeout(.firstByte): "raise timeout.firstByte"
        case .timeout(.idle): "raise timeout.idle"
        case .tls(.selfSigned), .tls(.unknownAuthority):
            "name its authority with tls.ca or --ca, or accept it with --insecure"
        case .tls(.clientCertificate): "check the files of tls.cert and tls.key"
        case .tls(.authorities): "check the file of tls.ca"
        case .tls(.handshake): "check the port, and tls.minVersion if the server is old"
        default: nil
        }
    }
}
