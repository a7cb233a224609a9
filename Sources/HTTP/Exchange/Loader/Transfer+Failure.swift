#if os(Linux)
import CReqcliLibcurl
import Foundation
import ReqcliBasics
import RequestBuilding

extension Transfer {
    /// The error for a result code of libcurl. The kind of error depends only on codes and numbers; libcurl's message is only
    /// shown.
    func curlFailure(code: Int) -> TransportError {
        switch code {
        case LC_CURLE_COULDNT_RESOLVE_HOST: error(.dns)
        case LC_CURLE_COULDNT_RESOLVE_PROXY: proxyError("the proxy's name has no address")
        case LC_CURLE_PROXY: proxyError(errorSentence)
        case LC_CURLE_COULDNT_CONNECT: connectFailure()
        case LC_CURLE_OPERATION_TIMEDOUT:
            error(.timeout(.connect), plan.settings.timeouts.connect.map { "limit \($0.secondsText) s" } ?? "")
        case LC_CURLE_PARTIAL_FILE: error(.truncated, parser.isComplete ? "" : "the head of the response is incomplete")
        case LC_CURLE_GOT_NOTHING: error(.reset, "no line of a response was received")
        // `maySendRequest` returned false. All other code that ends a transfer sets `failure`.
        case LC_CURLE_ABORTED_BY_CALLBACK where isRefused: error(.reset, "the server refused the request many times")
        case LC_CURLE_ABORTED_BY_CALLBACK:
            error(.reset, "the connection was reused; the server may have acted on the request")
        case LC_CURLE_SEND_ERROR, LC_CURLE_RECV_ERROR: exchangeFailure()
        case LC_CURLE_HTTP2, LC_CURLE_HTTP2_STREAM: error(.reset, errorSentence)
        case LC_CURLE_UNSUPPORTED_PROTOCOL, LC_CURLE_WEIRD_SERVER_REPLY:
            error(.badResponse, errorSentence)
        case LC_CURLE_BAD_CONTENT_ENCODING: error(.badResponse, codingProblem)
        // libcurl's code for a header line that is longer than its own limit.
        case LC_CURLE_OUT_OF_MEMORY where !parser.isComplete:
            error(.badResponse, "a line in the head of the response is too long")
        // libcurl 7.88 rejects a first header that begins with a space. Other versions leave this check to `HeadParser`.
        case LC_CURLE_BAD_FUNCTION_ARGUMENT where parser.hasBegun && !parser.isComplete:
            error(.badResponse, HeadParser.beginsFolded)
        case LC_CURLE_URL_MALFORMAT: error(.invalidRequest, errorSentence)
        case LC_CURLE_SEND_FAIL_REWIND, LC_CURLE_READ_ERROR: error(.unreadableBody, errorSentence)
        default: tlsFailure(code: code) ?? error(.other, sentence(for: code))
        }
    }

    private var codingProblem: String {
        let codings = parser.head.headers.values("Transfer-Encoding").flatMap { $0.split(separator: ",") }.map(
            { String($0.trimmingSpacesAndTabs) })
        let unknown = codings.first { !Self.knownCodings.contains($0.lowercased()) }
        return unknown.map { "its Transfer-Encoding \"\($0)\" is unknown" } ?? "its compressed body is broken"
    }

    private static let knownCodings: Set = ["gzip", "x-gzip", "deflate", "identity", "chunked"]

    private func connectFailure() -> TransportError {
        if plan.settings.proxy(for: plan.url) != nil { return proxyError(systemReason) }
        if let socket = plan.settings.unixSocket {
            let target = "the socket \(socket)"
            return switch Int32(long(LC_CURLINFO_OS_ERRNO)) {
            case ENOENT: TransportError(.socketMissing, target: target)
            case ECONNREFUSED: TransportError(.refused, target: target)
            default: TransportError(.unreachable, target: target, detail: systemReason)
            }
        }
        return switch Int32(long(LC_CURLINFO_OS_ERRNO)) {
        case ECONNREFUSED: error(.refused)
        case ETIMEDOUT: error(.timeout(.connect))
        case EMFILE, ENFILE, EADDRNOTAVAIL, ENOBUFS, ENOMEM: error(.exhausted, systemReason)
        default: error(.unreachable, systemReason)
        }
    }

    /// The error after sending or receiving has failed. libcurl has the same code for a cut connection, bad chunks and a proxy
    /// that refuses.
    private func exchangeFailure() -> TransportError {
        let proxyStatus = long(LC_CURLINFO_HTTP_CONNECTCODE)
        if plan.settings.proxy(for: plan.url) != nil, proxyStatus >= 300 {
            return proxyError("it responded with \(proxyStatus)")
        }
        switch Int32(long(LC_CURLINFO_OS_ERRNO)) {
        case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN:
            return error(parser.isComplete ? .truncated : .reset, "connection reset")
        default:
            return error(parser.isComplete ? .badResponse : .reset, errorSentence)
        }
    }

    private func tlsFailure(code: Int) -> TransportError? {
        switch code {
        case LC_CURLE_PEER_FAILED_VERIFICATION where isUntrusted && lacksAuthorities,
            LC_CURLE_SSL_CACERT_BADFILE where lacksAuthorities:
            error(.tls(.noAuthorities))
        case LC_CURLE_PEER_FAILED_VERIFICATION, LC_CURLE_SSL_ISSUER_ERROR:
            error(.tls(verificationProblem), verificationProblem == .wrongHost ? "" : errorSentence)
        case LC_CURLE_SSL_CERTPROBLEM, LC_CURLE_SSL_CLIENTCERT:
            error(.tls(.clientCertificate), errorSentence)
        case LC_CURLE_SSL_CACERT_BADFILE:
            error(.tls(.authorities), plan.settings.tls.authorities ?? errorSentence)
        case LC_CURLE_SSL_CONNECT_ERROR where isReset: error(.reset, "in the TLS handshake")
        case LC_CURLE_SSL_CONNECT_ERROR, LC_CURLE_SSL_CIPHER:
            error(.tls(.handshake), errorSentence)
        default: nil
        }
    }

    private var isUntrusted: Bool { [.selfSigned, .unknownAuthority].contains(verificationProblem) }

    /// Whether there were no trusted certificates to check the server's certificate with.
    private var lacksAuthorities: Bool {
        let tls = plan.settings.tls
        return tls.authorities == nil && tls.authoritiesFolder == nil && UsualAuthorities.here == .missing
    }

    /// The TLS problem for the result code of OpenSSL. The codes (X509_V_ERR_…) are stable. If OpenSSL accepts the chain of
    /// certificates, libcurl itself compares the host name. If the name is wrong, the result code is 0 or 1.
    private var verificationProblem: TransportError.TLSProblem {
        switch long(LC_CURLINFO_SSL_VERIFYRESULT) {
        case 0, 1, 62, 64: .wrongHost
        case 9: .notYetValid
        case 10: .expired
        case 18, 19: .selfSigned
        case 23: .revoked
        default: .unknownAuthority
        }
    }

    private var isReset: Bool {
        Int32(long(LC_CURLINFO_OS_ERRNO)) == ECONNRESET
    }

    private var systemReason: String {
        let number = Int32(long(LC_CURLINFO_OS_ERRNO))
        return number == 0 ? errorSentence : String(cString: strerror(number))
    }

    private func sentence(for code: Int) -> String {
        errorSentence.isEmpty ? String(cString: lc_easy_strerror(Int32(code))) : errorSentence
    }

    // MARK: - Proxy

    private func proxyError(_ detail: String) -> TransportError {
        TransportError(.proxy, target: proxyAddress, detail: detail)
    }

    /// The proxy without the account that its URL may contain.
    var proxyAddress: String {
        proxy.map { $0.split(separator: "@").last.map(String.init) ?? $0 } ?? ""
    }
}
#endif
