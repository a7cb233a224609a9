import ASCII

/// The first line of a request: `GET /a?b HTTP/1.1`.
struct RequestLine: Sendable {
    let method: String
    let target: RequestTarget
    let isHTTP10: Bool

    init(_ line: ArraySlice<UInt8>) throws(WireProblem) {
        guard let first = line.firstIndex(of: .space),
            let second = line[(first + 1)...].firstIndex(of: .space), !line[(second + 1)...].contains(.space)
        else {
            throw WireProblem(400, "the request line is not a method, a target and a version with a space between them")
        }
        guard first > line.startIndex, line[..<first].allSatisfy(\.isTokenByte) else {
            throw WireProblem(400, "the method is not a token")
        }
        method = line[..<first].text
        let version = line[(second + 1)...]
        let (major, minor) = (second + 6, second + 8)
        guard version.count == 8, version.starts(with: "HTTP/".utf8), line[major].isDigit, line[major + 1] == .point,
            line[minor].isDigit
        else { throw WireProblem(400, "the request line doesn't end with a version such as HTTP/1.1") }
        guard line[major] == UInt8(ascii: "1") else {
            throw WireProblem(505, "the version is HTTP/\(line[major] - .zero); this server has HTTP/1.1")
        }
        isHTTP10 = line[minor] == .zero
        target = try RequestTarget(line[(first + 1)..<second], method: method)
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

    init(_ bytes: ArraySlice<UInt8>, method: String) throws(WireProblem) {
        if method == "CONNECT" { throw WireProblem(501, "this server is no proxy, and has no CONNECT") }
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 > .space && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw WireProblem(400, "the target has a byte that must be percent-encoded")
        }
        var rest = bytes
        var authority: String?
        if let start = Self.endOfScheme(bytes) {
            let end = bytes[start...].firstIndex { $0 == .slash || $0 == UInt8(ascii: "?") } ?? bytes.endIndex
            guard start < end, HostSyntax.isValid(bytes[start..<end]) else {
                throw WireProblem(400, "the target's host is none")
            }
            authority = bytes[start..<end].text
            rest = bytes[end...]
        } else if bytes.elementsEqual([.asterisk]) {
            guard method == "OPTIONS" else { throw WireProblem(400, "only OPTIONS has the target *") }
        } else if bytes.first != .slash {
            throw WireProblem(400, "the target begins with neither / nor http://")
        }
        self.authority = authority
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        let path = rest[..<(mark ?? rest.endIndex)]
        query = mark.map { rest[($0 + 1)...].text }
        // RFC 9112, section 3.2.4: a host alone is asked about itself.
        self.path = if !path.isEmpty { path.text } else { method == "OPTIONS" && mark == nil ? "*" : "/" }
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
