public import Foundation
import ReqcliBasics
public import RequestBuilding

/// The head of a response as it was received.
public struct ResponseHead: Sendable {
    /// The URL of the request that got this response. After redirects, this is the URL of the last request.
    public var url: URL?
    /// The protocol in the status line, such as `HTTP/1.1` or `HTTP/2`.
    public var version: String
    /// The status code.
    public var status: Int
    /// The reason phrase; empty in HTTP/2, and if the server sent none.
    public var reason: String
    /// The header fields in order, in their original spelling, with repetitions.
    public var headers: HeaderFields
    /// The bytes of the head, including the status line and all line ends; empty if the transport doesn't know them.
    package var rawBytes: [UInt8]
    /// Heads with a 1xx status that arrived before this head, such as early hints.
    package var interim: [InterimHead]
    /// The connection that the response arrived on; nil if there was none.
    public var connection: Connection?
    /// The redirects that led to this response, oldest first.
    public var redirects: [Redirect]
    /// Whether the body has been decoded, so that the codings in `Content-Encoding` no longer apply to it.
    package var isDecoded = false

    /// A head. Only the status is required.
    public init(
        status: Int, reason: String? = nil, version: String = "HTTP/1.1", headers: HeaderFields = [:], url: URL? = nil
    ) {
        self.url = url
        self.version = version
        self.status = status
        self.reason = reason ?? ReasonPhrase.usual(for: status)
        self.headers = headers
        self.rawBytes = []
        self.interim = []
        self.connection = nil
        self.redirects = []
    }

    /// The values of `Content-Encoding` that still describe the body; empty if it has been decoded.
    package var contentCodings: [String] { isDecoded ? [] : headers.values("Content-Encoding") }

    /// The content coding that the body still has when it is read; nil if there is none.
    package var contentCoding: String? {
        contentCodings.first.flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
    }

    /// The number of bytes that the body has when it is read; nil if this number is not known.
    package var contentLength: Int? { isDecoded ? nil : headers["Content-Length"].flatMap { Int($0) } }

    /// The lines of the head as they were received, without their line ends.
    package var rawLines: [[UInt8]] {
        rawBytes.split(separator: 0x0A, omittingEmptySubsequences: true)
            .map { $0.last == 0x0D ? Array($0.dropLast()) : Array($0) }
            .filter { !$0.isEmpty }
    }

    /// The values of a header as the bytes that were sent, in order. ``headers`` has the values as strings, which don't show
    /// whether the bytes were UTF-8 or Latin-1.
    func rawValues(_ name: String) -> [[UInt8]] {
        guard !rawBytes.isEmpty else { return headers.values(name).map { Array($0.utf8) } }
        var values: [[UInt8]] = []
        var isNamed = false
        for line in rawLines.dropFirst() {
            if line[0].isSpaceOrTab {
                // An obsolete folded line continues the value before it.
                if isNamed, let last = values.popLast() { values.append(last + [0x20] + line.trimmingSpacesAndTabs) }
                continue
            }
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            isNamed =
                colon < line.endIndex
                && String(decoding: line[..<colon].trimmingSpacesAndTabs, as: UTF8.self).isSameHeader(as: name)
            if isNamed { values.append(Array(line[(colon + 1)...].trimmingSpacesAndTabs)) }
        }
        return values
    }
}

extension ResponseHead {
    /// The reason why the length of the body is in doubt; nil if it is not. Either Content-Length has several different values, or
    /// its value isn't a number (RFC 9112 §6.3) or is too large for any body.
    var lengthProblem: String? {
        let lines = headers.values("Content-Length")
        // Fast path: one short number, as in nearly all heads.
        if lines.count == 1, (1..<19).contains(lines[0].utf8.count), lines[0].utf8.allSatisfy(\.isDigit) { return nil }
        let values = lines.flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmingSpacesAndTabs) }
        }
        guard let first = values.first else { return nil }
        let isNumber = first.utf8.allSatisfy(\.isDigit) && Int64(first) != nil
        guard !isNumber || values.contains(where: { $0 != first }) else { return nil }
        return "its Content-Length is \"\(lines.joined(separator: ", "))\""
    }

    /// A head that the server sends before the final head.
    package struct InterimHead: Hashable, Sendable {
        /// The status code, 100 to 199.
        package let status: Int
        /// The reason phrase.
        package let reason: String
        /// The header fields.
        package let headers: HeaderFields
    }

    /// The connection that a response arrived on.
    public struct Connection: Hashable, Sendable {
        /// The address that the client connected to.
        public let address: String
        /// The port that the client connected to.
        public let port: Int
        /// True if an earlier request had opened the connection.
        public let isReused: Bool
    }

    /// One step of a chain of redirects.
    public struct Redirect: Hashable, Sendable {
        /// The status code of the redirect.
        public let status: Int
        /// The method of the request that was redirected.
        public let method: HTTPMethod
        /// The URL of the request that was redirected.
        public let from: URL
        /// The header fields of the redirect.
        public let headers: HeaderFields
        /// The URL that the redirect led to.
        public let to: URL
    }
}
