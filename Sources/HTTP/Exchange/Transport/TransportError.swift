/// The reason why a request has no response: what happened, where, and what to try.
///
/// ```swift
/// catch let error as TransportError where error.kind == .timeout(.connect) { … }
/// ```
public struct TransportError: Error, Hashable, Sendable {
    /// The kind of failure, for code that handles errors.
    public let kind: Kind
    /// The server or proxy that the error is about, as `host` or `host:port`, or a socket.
    public let target: String
    /// More about the failure, such as the message of the server or the system; may be empty.
    public let detail: String
    /// The times of the transfer up to the failure; nil if there was no transfer. Errors with different times are equal.
    public internal(set) var timings: Timings?

    /// An error of the network, or of a stub that acts like the network.
    public init(_ kind: Kind, target: String, detail: String = "") {
        self.kind = kind
        self.target = target
        // The detail is one line, even if a server or a library has put line breaks into it.
        self.detail = String(detail.map { $0.isNewline ? " " : $0 })
    }

    /// Whether both errors have the same kind, target and detail.
    public static func == (one: TransportError, other: TransportError) -> Bool {
        one.kind == other.kind && one.target == other.target && one.detail == other.detail
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(target)
        hasher.combine(detail)
    }

    /// The kinds of failure.
    public enum Kind: Hashable, Sendable {
        /// The host's name has no address.
        case dns
        /// No server listens at the address.
        case refused
        /// There is no unix socket at the path.
        case socketMissing
        /// The network has no route to the address.
        case unreachable
        /// This machine has no file descriptor, local port or memory left for a connection.
        case exhausted
        /// TLS could not be set up.
        case tls(TLSProblem)
        /// The connection was cut before the response arrived.
        case reset
        /// The response ended before it was complete.
        case truncated
        /// The server sent something that is not an HTTP response, or one that cannot be read.
        case badResponse
        /// Something took longer than allowed.
        case timeout(Timeout)
        /// The proxy can't be reached or won't connect.
        case proxy
        /// More redirects than allowed.
        case tooManyRedirects
        /// A redirect to a location that requests cannot be sent to.
        case refusedRedirect
        /// The request's body can't be read.
        case unreadableBody
        /// The response cannot be written to its destination.
        case cannotWrite
        /// The request is not valid and can't be sent.
        case invalidRequest
        /// The request asked for a cached response and there is no cache.
        case notCached
        /// The caller cancelled the request.
        case cancelled
        /// libcurl is not installed, or too old.
        case libcurlMissing
        /// Any other failure; `detail` describes it.
        case other
    }

    /// The limit that was reached.
    public enum Timeout: String, Hashable, Sendable {
        /// Finding the host, connecting and agreeing on TLS.
        case connect
        /// Waiting for the response to begin.
        case firstByte
        /// Waiting for the next byte.
        case idle
        /// The whole exchange.
        case total
    }

    /// The problem with TLS.
    public enum TLSProblem: Hashable, Sendable {
        /// The server's certificate has expired.
        case expired
        /// The server's certificate is not valid yet.
        case notYetValid
        /// The server's certificate is for another name.
        case wrongHost
        /// The server's certificate is signed by itself.
        case selfSigned
        /// The server's certificate is signed by an untrusted authority.
        case unknownAuthority
        /// The server's certificate has been revoked.
        case revoked
        /// The client's certificate or key can't be used.
        case clientCertificate
        /// The file of trusted certificates can't be used.
        case authorities
        /// The system has no trusted certificates in a usual place.
        case noAuthorities
        /// The two sides found no common version or cipher, or the server does not speak TLS.
        case handshake
    }
}
