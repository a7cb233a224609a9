import ASCII

/// What the fields of a request say about the message itself (RFC 9112, sections 3.2, 6 and 9.3).
///
/// Whatever two readers could understand in two ways is refused, so that no proxy in front sees another end of a body than we do.
struct MessageFields {
    private(set) var host: String?
    private(set) var body = BodyFraming.none
    private(set) var keepsConnection: Bool
    private(set) var awaitsContinue = false

    init(_ lines: [FieldLine], in bytes: [UInt8], isHTTP10: Bool) throws(WireProblem) {
        keepsConnection = !isHTTP10
        var length: Int?
        var codings: [ArraySlice<UInt8>]?
        var closes = false
        for line in lines {
            let name = bytes[line.name]
            let value = bytes[line.value]
            if name.isSame(as: "host") {
                guard host == nil else { throw WireProblem(400, "the request has two Host headers") }
                guard HostSyntax.isValid(value) else { throw WireProblem(400, "the Host header has no host") }
                host = value.text
            } else if name.isSame(as: "content-length") {
                guard length == nil else { throw WireProblem(400, "the request has two Content-Length headers") }
                length = try Self.length(value)
            } else if name.isSame(as: "transfer-encoding") {
                codings = (codings ?? []) + Self.list(value)
            } else if name.isSame(as: "connection") {
                let options = Self.list(value)
                closes = closes || options.contains { $0.isSame(as: "close") }
                keepsConnection = keepsConnection || options.contains { $0.isSame(as: "keep-alive") }
            } else if name.isSame(as: "expect"), !isHTTP10 {
                guard value.isSame(as: "100-continue") else {
                    throw WireProblem(417, "the request expects something else than 100-continue")
                }
                awaitsContinue = true
            }
        }
        if closes { keepsConnection = false }
        if host == nil, !isHTTP10 { throw WireProblem(400, "the request has no Host header") }
        if let codings {
            if isHTTP10 { throw WireProblem(400, "HTTP/1.0 has no Transfer-Encoding") }
            if length != nil { throw WireProblem(400, "the request has both Transfer-Encoding and Content-Length") }
            try Self.check(codings)
            body = .chunked
        } else if let length, length > 0 {
            body = .length(length)
        }
        // A client that has nothing to send has nothing to wait for.
        if body == .none { awaitsContinue = false }
    }

    private static func length(_ value: ArraySlice<UInt8>) throws(WireProblem) -> Int {
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else {
            throw WireProblem(400, "Content-Length is not a whole number")
        }
        // A number that is too large for us is too large for every limit.
        return Int(value.text) ?? .max
    }

    private static func check(_ codings: [ArraySlice<UInt8>]) throws(WireProblem) {
        guard let last = codings.last else { throw WireProblem(400, "Transfer-Encoding is empty") }
        guard codings.allSatisfy({ $0.allSatisfy(\.isTokenByte) }) else {
            throw WireProblem(400, "Transfer-Encoding is no list of tokens")
        }
        guard last.isSame(as: "chunked"), !codings.dropLast().contains(where: { $0.isSame(as: "chunked") }) else {
            throw WireProblem(400, "Transfer-Encoding doesn't end with its only chunked")
        }
        guard codings.count == 1 else {
            throw WireProblem(501, "this server reads no other transfer coding than chunked")
        }
    }

    /// The members of a list with commas; empty ones don't count (RFC 9110, section 5.6.1).
    private static func list(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        value.split(separator: .comma).map(\.trimmingSpacesAndTabs).filter { !$0.isEmpty }
    }
}
