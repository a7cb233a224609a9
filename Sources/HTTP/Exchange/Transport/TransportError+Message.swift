public import Foundation

extension TransportError: CustomStringConvertible, LocalizedError {
    /// One line: what happened and what to try.
    public var description: String { "\(summary): \(message.remedy)" }

    /// The description of the failure.
    public var errorDescription: String? { summary }

    /// The advice.
    public var recoverySuggestion: String? { message.remedy }

    /// The description of the failure.
    package var summary: String { detail.isEmpty ? message.what : "\(message.what) (\(detail))" }

    private var message: (what: String, remedy: String) {
        switch kind {
        case .dns: ("can't find the host \(target)", "check its spelling, or the DNS of this machine")
        case .refused: ("\(target) refused the connection", "check that the server runs and listens there")
        case .socketMissing:
            ("\(target) doesn't exist", "check its path, and that the server runs and listens there")
        case .exhausted:
            (
                "cannot connect to \(target)",
                "check the address, open fewer connections at the same time, or raise the limit (ulimit -n)"
            )
        case .unreachable: ("\(target) can't be reached", "check the network and the address")
        case .tls(let problem): Self.message(problem, target: target)
        case .reset:
            ("\(target) closed the connection before it had responded", "try again, or look into the server's log")
        case .truncated:
            ("the response of \(target) ended before it was complete", "try again, or look into the server's log")
        case .badResponse: ("\(target) sent no valid HTTP response", "check that the port speaks HTTP")
        case .timeout(let timeout): Self.message(timeout, target: target)
        case .proxy: ("the proxy \(target) didn't connect", "check the proxy's address and what it allows")
        case .tooManyRedirects: ("\(target) redirects too many times", "allow more redirects, or check where they lead")
        case .refusedRedirect:
            (
                "cannot follow the redirect of \(target)",
                "if you know where it should lead, request that address yourself"
            )
        case .unreadableBody: ("the request's body can't be read", "check the file")
        case .cannotWrite: ("the response of \(target) cannot be written", "check the free space and the permissions")
        case .invalidRequest: ("the request to \(target) can't be sent", "change the request")
        case .notCached:
            ("the request asks for a cached response and there is no cache", "choose another cache policy")
        case .cancelled: ("the request to \(target) was cancelled", "send it again")
        case .libcurlMissing: ("libcurl can't be loaded", "install libcurl 4 (Debian and Ubuntu: libcurl4)")
        case .other: ("the request to \(target) failed", "try again with more detail shown")
        }
    }

    private static func message(_ timeout: Timeout, target: String) -> (String, String) {
        switch timeout {
        case .connect: ("no connection to \(target) in time", "check the address, or allow more time to connect")
        case .firstByte: ("\(target) didn't begin to respond in time", "allow more time for the first byte")
        case .idle: ("\(target) stopped sending data", "allow longer pauses")
        case .total: ("\(target) took too long", "raise the timeout")
        }
    }

    private static func message(_ problem: TLSProblem, target: String) -> (String, String) {
        let trust = "trust its certificate authority, or accept any certificate"
        return switch problem {
        case .expired: ("the certificate of \(target) has expired", "have it renewed, or check this machine's clock")
        case .notYetValid: ("the certificate of \(target) is not valid yet", "check this machine's clock")
        case .wrongHost: ("the certificate of \(target) is for another name", "check the host in the URL")
        case .selfSigned: ("the certificate of \(target) is signed by itself or by an unknown root", trust)
        case .unknownAuthority: ("the certificate of \(target) is signed by an untrusted authority", trust)
        case .revoked: ("the certificate of \(target) has been revoked", "don't trust this server")
        case .clientCertificate:
            ("the client certificate for \(target) can't be used", "check the files of the certificate and its key")
        case .authorities: ("the trusted certificates can't be read", "check their file")
        case .noAuthorities:
            (
                "this system has no trusted certificates to check the certificate of \(target) with",
                "install trusted certificates, or name a file of them"
            )
        case .handshake:
            (
                "\(target) and this client can't agree on TLS",
                "check the port; for an old server, also check the oldest TLS version allowed"
            )
        }
    }
}
