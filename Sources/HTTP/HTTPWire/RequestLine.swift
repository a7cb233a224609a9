import ReqcliBasics

/// The first line of a request: `GET /a?b HTTP/1.1`.
///
/// The properties are ranges of the buffer. They become strings when the head is complete.
struct RequestLine: Sendable {
    let method: Range<Int>
    let target: TargetPlaces
    let isHTTP10: Bool

    init(_ line: Range<Int>, in bytes: Span<UInt8>) throws(WireProblem) {
        guard let first = bytes.firstIndex(of: .space, in: line),
            let second = bytes.firstIndex(of: .space, in: (first + 1)..<line.upperBound),
            bytes.firstIndex(of: .space, in: (second + 1)..<line.upperBound) == nil
        else {
            throw WireProblem(400, "the request line is not a method, a target and a version with a space between them")
        }
        method = line.lowerBound..<first
        guard bytes.isToken(method) else { throw WireProblem(400, "the method is not a token") }
        let (major, minor) = (second + 6, second + 8)
        guard line.upperBound == minor + 1, bytes.isEqual((second + 1)..<major, to: "HTTP/"), bytes[major].isDigit,
            bytes[major + 1] == .point, bytes[minor].isDigit
        else { throw WireProblem(400, "the request line doesn't end with a version such as HTTP/1.1") }
        guard bytes[major] == UInt8(ascii: "1") else {
            throw WireProblem(505, "the version is HTTP/\(bytes[major] - .zero); this server supports HTTP/1.1")
        }
        isHTTP10 = bytes[minor] == .zero
        target = try TargetPlaces((first + 1)..<second, in: bytes, method: method)
    }
}

/// The ranges of a target's parts in the buffer.
struct TargetPlaces: Sendable {
    /// The range of the path; empty if the target has only a host.
    let path: Range<Int>
    let query: Range<Int>?
    let authority: Range<Int>?
    /// Whether the method is OPTIONS. If the target of OPTIONS is only a host, the request is about the server itself.
    let isOptions: Bool

    init(_ target: Range<Int>, in bytes: Span<UInt8>, method: Range<Int>) throws(WireProblem) {
        if bytes.isEqual(method, to: "CONNECT") {
            throw WireProblem(501, "this server is not a proxy, and does not support CONNECT")
        }
        guard !target.isEmpty, bytes.isTarget(target) else {
            throw WireProblem(400, "the target has a byte that must be percent-encoded")
        }
        isOptions = bytes.isEqual(method, to: "OPTIONS")
        var rest = target
        if let start = Self.endOfScheme(target, in: bytes) {
            let behind = start..<target.upperBound
            let end =
                [bytes.firstIndex(of: .slash, in: behind), bytes.firstIndex(of: UInt8(ascii: "?"), in: behind)]
                .compactMap(\.self).min() ?? target.upperBound
            rest = end..<target.upperBound
            guard start < end, HostSyntax.isValid(start..<end, in: bytes) else {
                throw WireProblem(400, "the target's host is not valid")
            }
            authority = start..<end
        } else {
            authority = nil
            if bytes.isEqual(target, to: "*") {
                guard isOptions else { throw WireProblem(400, "only OPTIONS can have * as its target") }
            } else if bytes[target.lowerBound] != .slash {
                throw WireProblem(400, "the target begins with neither / nor http://")
            }
        }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"), in: rest)
        path = rest.lowerBound..<(mark ?? rest.upperBound)
        query = mark.map { ($0 + 1)..<rest.upperBound }
    }

    /// The index in the target at which the authority begins, if the target begins with a scheme; nil for any other target.
    private static func endOfScheme(_ target: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        // Nearly all targets begin with a slash.
        if bytes[target.lowerBound] == .slash { return nil }
        for scheme: StaticString in ["http://", "https://"] {
            let end = target.lowerBound + scheme.utf8CodeUnitCount
            if end <= target.upperBound, bytes.isSame(target.lowerBound..<end, as: scheme) { return end }
        }
        return nil
    }
}

/// The target of a request: `/a?b`, `http://host/a?b`, or `*` for the server itself.
package struct RequestTarget: Equatable, Sendable {
    /// The path as received, or `*`.
    package let path: String
    /// The query after the question mark, as received.
    package let query: String?
    /// The host and port; nil if the target doesn't begin with a scheme.
    package let authority: String?

    init(_ places: TargetPlaces, in bytes: Span<UInt8>) {
        query = places.query.map { bytes.text($0) }
        authority = places.authority.map { bytes.text($0) }
        // RFC 9112, section 3.2.4: if the target of OPTIONS is only a host, the request is about the server itself.
        path =
            if !places.path.isEmpty { bytes.text(places.path) } else { places.isOptions && query == nil ? "*" : "/" }
    }
}
