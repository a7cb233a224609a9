import ASCII

/// The first line of a request: `GET /a?b HTTP/1.1`.
struct RequestLine: Sendable {
    let method: String
    let target: RequestTarget
    let isHTTP10: Bool

    init(_ line: Range<Int>, in buffer: [UInt8]) throws(WireProblem) {
        let bytes = buffer.span
        guard let first = bytes.firstIndex(of: .space, in: line),
            let second = bytes.firstIndex(of: .space, in: (first + 1)..<line.upperBound),
            bytes.firstIndex(of: .space, in: (second + 1)..<line.upperBound) == nil
        else {
            throw WireProblem(400, "the request line is not a method, a target and a version with a space between them")
        }
        guard bytes.isToken(line.lowerBound..<first) else { throw WireProblem(400, "the method is not a token") }
        method = buffer.text(line.lowerBound..<first)
        let version = (second + 1)..<line.upperBound
        let (major, minor) = (second + 6, second + 8)
        guard version.count == 8, buffer[version].starts(with: "HTTP/".utf8), bytes[major].isDigit,
            bytes[major + 1] == .point, bytes[minor].isDigit
        else { throw WireProblem(400, "the request line doesn't end with a version such as HTTP/1.1") }
        guard bytes[major] == UInt8(ascii: "1") else {
            throw WireProblem(505, "the version is HTTP/\(bytes[major] - .zero); this server has HTTP/1.1")
        }
        isHTTP10 = bytes[minor] == .zero
        target = try RequestTarget((first + 1)..<second, in: buffer, method: method)
    }
}

/// What a request is for: `/a?b`, `http://host/a?b`, or `*` for the server itself.
package struct RequestTarget: Equatable, Sendable {
    /// The path as it came, or `*`.
    package let path: String
    /// What follows the question mark, as it came.
    package let query: String?
    /// The host and port of a target in absolute form.
    package let authority: String?

    init(_ target: Range<Int>, in buffer: [UInt8], method: String) throws(WireProblem) {
        if method == "CONNECT" { throw WireProblem(501, "this server is no proxy, and has no CONNECT") }
        let bytes = buffer.span
        guard !target.isEmpty, bytes.isTarget(target) else {
            throw WireProblem(400, "the target has a byte that must be percent-encoded")
        }
        var rest = target
        if let start = Self.endOfScheme(buffer[target]) {
            let end = buffer[start..<target.upperBound].firstIndex { $0 == .slash || $0 == UInt8(ascii: "?") }
            rest = (end ?? target.upperBound)..<target.upperBound
            guard start < rest.lowerBound, HostSyntax.isValid(buffer[start..<rest.lowerBound]) else {
                throw WireProblem(400, "the target's host is none")
            }
            authority = buffer.text(start..<rest.lowerBound)
        } else {
            authority = nil
            if bytes[target.lowerBound] == .asterisk, target.count == 1 {
                guard method == "OPTIONS" else { throw WireProblem(400, "only OPTIONS has the target *") }
            } else if bytes[target.lowerBound] != .slash {
                throw WireProblem(400, "the target begins with neither / nor http://")
            }
        }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"), in: rest)
        let path = rest.lowerBound..<(mark ?? rest.upperBound)
        query = mark.map { buffer.text(($0 + 1)..<rest.upperBound) }
        // RFC 9112, section 3.2.4: a host alone is asked about itself.
        self.path = if !path.isEmpty { buffer.text(path) } else { method == "OPTIONS" && mark == nil ? "*" : "/" }
    }

    /// Where the authority begins in a target of absolute form.
    private static func endOfScheme(_ bytes: ArraySlice<UInt8>) -> Int? {
        // Nearly all targets begin with a slash.
        if bytes.first == .slash { return nil }
        return ["http://", "https://"].first { bytes.prefix($0.utf8.count).isSame(as: $0) }.map {
            bytes.startIndex + $0.utf8.count
        }
    }
}
