package import Exchange
import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText

extension Failure {
    /// The failure of a request without a response.
    package init(unanswered error: any Error, _ redactor: Redactor) {
        if let failure = error as? Failure {
            self = failure
            return
        }
        guard let error = error as? TransportError else {
            self.init(.noAnswer, code: .noAnswer, redactor.redact("the request failed: \("\(error)")" as Wording))
            return
        }
        self.init(
            ExitStatus(error), code: error.kind == .exhausted ? .exhausted : .noAnswer, redactor.redact(error.wording))
    }
}

extension ExitStatus {
    package init(_ error: TransportError) {
        switch error.kind {
        case .timeout: self = .timedOut
        case .invalidRequest, .unreadableBody: self = .broken
        case .cannotWrite: self = .outputFailed
        case .cancelled: self = .interrupted
        default: self = .noAnswer
        }
    }
}

extension TransportError {
    /// One line that says what happened, and which of this program's flags or keys may help.
    package var message: String {
        guard let remedy = ownRemedy else { return description }
        return "\(summary): \(remedy)"
    }

    /// The message as a wording. The server's name, and the details from the server or the system, are marked as quoted text,
    /// because a name may also be an ordinary word.
    package var wording: Wording {
        var rest = message[...]
        var wording: Wording = ""
        func first(_ text: String) -> Range<String.Index>? { text.isEmpty ? nil : rest.firstRange(of: text) }
        while let next = [first(target), first(detail)].compactMap(\.self).min(by: {
            ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound)
        }) {
            wording = wording + Wording(own: String(rest[..<next.lowerBound])) + Wording(quoting: String(rest[next]))
            rest = rest[next.upperBound...]
        }
        return wording + Wording(own: String(rest))
    }

    private var ownRemedy: String? {
        switch kind {
        case .timeout(.total): "raise the limit with --timeout, or with \"timeout\" in a file"
        case .tooManyRedirects: "raise the limit with --max-redirects, or check where they lead"
        case .reset: "try again, check whether the port expects http or https, or look into the server's log"
        case .timeout(.connect): "check the address, or raise timeout.connect"
        case .timeout(.firstByte): "raise timeout.firstByte"
        case .timeout(.idle): "raise timeout.idle"
        case .tls(.selfSigned), .tls(.unknownAuthority):
            "name its certificate authority with tls.ca or --ca, or accept any certificate with --insecure"
        case .tls(.clientCertificate): "check the files of tls.cert and tls.key"
        case .tls(.authorities): "check the file of tls.ca"
        case .tls(.noAuthorities):
            "install certificates (most distributions have the package ca-certificates), or name a file with tls.ca or --ca"
        case .tls(.handshake):
            "check that the port speaks TLS (or write http://), and tls.minVersion and tls.maxVersion"
        default: nil
        }
    }
}
