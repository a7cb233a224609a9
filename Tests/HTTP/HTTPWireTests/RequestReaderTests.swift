import HTTPWire
import Testing

@Suite("Requests behind one another")
struct RequestReaderTests {
    static let rows: [(name: String, text: String, outcome: String)] = [
        ("no byte", "", "empty"), ("a request", "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", "/a, empty"),
        ("two requests", "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n", "/a, /b, empty"),
        ("half a second one", "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b", "/a, head"),
        ("half a body", "GET /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nab", "body"),
        (
            "bodies",
            "P /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                + "P /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"
                + "\r\nGET /c HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", "/a abc, /b abcd, /c, empty"
        ),
        (
            "a body that is too long",
            "P /a HTTP/1.1\r\nHost: h\r\n\r\nP / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n",
            "/a, 413"
        ),
        (
            "chunks that are too long",
            "P / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n5\r\n", "413"
        ),
        ("a mistake behind a request", "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET \r\n", "/a, 400"),
    ]

    /// - Parameter wholeBody: Bodies with more bytes are taken in parts, which are shown together.
    static func outcome(_ parts: [ArraySlice<UInt8>], wholeBody: Int? = nil) -> String {
        var limits = RequestLimits()
        limits.body = 10
        if let wholeBody { limits.wholeBody = wholeBody }
        var taken: [UInt8] = []
        let reader = RequestReader(limits: limits)
        var words: [String] = []
        do throws(WireProblem) {
            for part in parts {
                part.withUnsafeBytes { reader.append($0) }
                while let event = try reader.next() {
                    switch event {
                    case .request(let head, let body):
                        words.append(
                            ([head.target.path] + (body.isEmpty ? [] : [String(decoding: body, as: UTF8.self)]))
                                .joined(separator: " "))
                    case .grows(let head):
                        words.append("\(head.target.path) grows \(String(decoding: reader.bodyStart, as: UTF8.self))")
                        reader.streamBody()
                    case .part(let bytes, let isLast):
                        taken += bytes
                        if isLast { words.append("\(String(decoding: taken, as: UTF8.self)) end") }
                    case .expects: break
                    }
                }
            }
            words.append(reader.isEmpty ? "empty" : reader.isInBody ? "body" : "head")
        } catch {
            words.append("\(error.status)")
        }
        return words.joined(separator: ", ")
    }

    @Test("Requests are read in the same way, however their bytes come", arguments: rows)
    func reading(_ name: String, _ text: String, _ outcome: String) {
        let bytes = Array(text.utf8)
        #expect(Self.outcome([bytes[...]]) == outcome)
        #expect(Self.outcome(bytes.indices.map { bytes[$0...$0] }) == outcome)
        for cut in bytes.indices {
            #expect(Self.outcome([bytes[..<cut], bytes[cut...]]) == outcome, "cut at \(cut)")
        }
    }

    static let expectations: [(name: String, body: String, isAnnounced: Bool)] = [
        ("before the body", "", true), ("behind its first byte", "a", false), ("behind all of it", "abc", false),
    ]

    @Test("A body that waits is announced once, if none of it has come", arguments: expectations)
    func expectation(_ name: String, _ body: String, _ isAnnounced: Bool) throws {
        let reader = RequestReader()
        let head = "P / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        Array((head + body).utf8).withUnsafeBytes { reader.append($0) }
        var announcements = 0
        for byte in Array("abc".utf8).dropFirst(body.utf8.count) + [0x47] {
            while let event = try reader.next() { if case .expects = event { announcements += 1 } }
            withUnsafeBytes(of: byte) { reader.append($0) }
        }
        #expect(announcements == (isAnnounced ? 1 : 0))
    }

    static let growing: [(name: String, body: String, outcome: String)] = [
        ("a length", "Content-Length: 9\r\n\r\nabcdefghi", "/a grows abcde, abcdefghi end, /b, empty"),
        ("the limit", "Content-Length: 5\r\n\r\nabcde", "/a abcde, /b, empty"),
        (
            "chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n3\r\nghi\r\n0\r\nX: 1\r\n\r\n",
            "/a grows abcde, abcdefghi end, /b, empty"
        ),
        (
            "chunks up to the limit", "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
            "/a abcde, /b, empty"
        ),
    ]

    @Test("A body that grows can be taken in parts, which are the same however their bytes come", arguments: growing)
    func parts(_ name: String, _ body: String, _ outcome: String) {
        let bytes = Array("P /a HTTP/1.1\r\nHost: h\r\n\(body)GET /b HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        #expect(Self.outcome([bytes[...]], wholeBody: 5) == outcome)
        #expect(Self.outcome(bytes.indices.map { bytes[$0...$0] }, wholeBody: 5) == outcome)
        for cut in bytes.indices {
            #expect(Self.outcome([bytes[..<cut], bytes[cut...]], wholeBody: 5) == outcome, "cut at \(cut)")
        }
    }

    static let broken: [(name: String, chunks: String, status: String)] = [
        ("more than any body may have", "9\r\nabcdefghi\r\n2\r\njk\r\n0\r\n\r\n", "413"),
        ("a chunk without an end", "9\r\nabcdefghijk\r\n0\r\n\r\n", "400"),
    ]

    @Test("A broken body has no end, however its bytes come", arguments: broken)
    func brokenBody(_ name: String, _ chunks: String, _ status: String) {
        let bytes = Array("P /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)".utf8)
        for cut in bytes.indices {
            let outcome = Self.outcome([bytes[..<cut], bytes[cut...]], wholeBody: 5)
            #expect(outcome == status || outcome == "/a grows abcde, \(status)", "cut at \(cut)")
        }
    }

    @Test("Many requests in one buffer take a time that grows with their number")
    func growth() {
        let requests = Array(String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 20_000).utf8)
        let reader = RequestReader()
        requests.withUnsafeBytes { reader.append($0) }
        var count = 0
        while (try? reader.next()) != nil { count += 1 }
        #expect(count == 20_000 && reader.isEmpty)
    }
}
