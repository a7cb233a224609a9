import ReqcliBasics

/// The facts about a message that its header fields state: the host, the length of the body, and whether the connection is kept
/// (RFC 9112, sections 3.2, 6 and 9.3).
///
/// A message that two readers could understand differently is refused. A proxy in front of this server therefore always agrees
/// with this server about where a body ends.
struct MessageFields {
    private(set) var host: Range<Int>?
    private(set) var body = BodyFraming.none
    private(set) var keepsConnection: Bool
    private(set) var awaitsContinue = false

    init(_ lines: [FieldLine], in bytes: Span<UInt8>, isHTTP10: Bool) throws(WireProblem) {
        keepsConnection = !isHTTP10
        var length: Int?
        var codings: [Range<Int>]?
        var closes = false
        for line in lines {
            var value = line.value
            // Checks the length first, because it rules out nearly all other names.
            switch line.name.count {
            case 4 where bytes.isSame(line.name, as: "host"):
                guard host == nil else { throw WireProblem(400, "the request has two Host headers") }
                guard HostSyntax.isValid(value, in: bytes) else {
                    throw WireProblem(
                        400, "the Host header is not a host with an optional port, such as localhost:8080")
                }
                host = value
            case 14 where bytes.isSame(line.name, as: "content-length"):
                guard length == nil else { throw WireProblem(400, "the request has two Content-Length headers") }
                length = try Self.length(value, bytes)
            case 17 where bytes.isSame(line.name, as: "transfer-encoding"):
                codings = codings ?? []
                while let coding = bytes.takeMember(of: &value) { codings?.append(coding) }
            case 10 where bytes.isSame(line.name, as: "connection"):
                while let option = bytes.takeMember(of: &value) {
                    if bytes.isSame(option, as: "close") { closes = true }
                    if bytes.isSame(option, as: "keep-alive") { keepsConnection = true }
                }
            case 6 where bytes.isSame(line.name, as: "expect") && !isHTTP10:
                guard bytes.isSame(value, as: "100-continue") else {
                    throw WireProblem(417, "the Expect header is not 100-continue")
                }
                awaitsContinue = true
            default: continue
            }
        }
        if closes { keepsConnection = false }
        if host == nil, !isHTTP10 { throw WireProblem(400, "the request has no Host header") }
        if let codings {
            if isHTTP10 { throw WireProblem(400, "HTTP/1.0 does not allow Transfer-Encoding") }
            if length != nil { throw WireProblem(400, "the request has both Transfer-Encoding and Content-Length") }
            try Self.check(codings, bytes)
            body = .chunked
        } else if let length, length > 0 {
            body = .length(length)
        }
        // A client without a body has no reason to wait for `100 Continue`.
        if body == .none { awaitsContinue = false }
    }

    private static func length(_ value: Range<Int>, _ bytes: Span<UInt8>) throws(WireProblem) -> Int {
        let text = bytes.text(value)
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
            throw WireProblem(400, "Content-Length is not a whole number")
        }
        // A number that doesn't fit into an `Int` is greater than every limit.
        return Int(text) ?? .max
    }

    private static func check(_ codings: [Range<Int>], _ bytes: Span<UInt8>) throws(WireProblem) {
        guard let last = codings.last else { throw WireProblem(400, "Transfer-Encoding is empty") }
        for coding in codings {
            guard bytes.isToken(coding) else { throw WireProblem(400, "Transfer-Encoding is not a list of tokens") }
        }
        var chunkedCount = 0
        for coding in codings where bytes.isSame(coding, as: "chunked") { chunkedCount += 1 }
        guard chunkedCount == 1, bytes.isSame(last, as: "chunked") else {
            throw WireProblem(400, "Transfer-Encoding must contain the coding chunked once, at its end")
        }
        guard codings.count == 1 else {
            throw WireProblem(501, "this server supports only the transfer coding chunked")
        }
    }
}
