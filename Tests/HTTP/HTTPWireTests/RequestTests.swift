import Foundation
import TestSupport
import Testing

@testable import HTTPWire

/// Requests of RFC 9110 and 9112 as bytes, and what is read. Each is read whole, byte by byte, and cut at each place.
@Suite("Requests on the wire")
struct RequestTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        /// A line of what was read, or the status that refuses it.
        let outcome: String
    }

    private static func row(_ name: String, _ text: String, _ outcome: String) -> Row {
        Row(testDescription: name, text: text, outcome: outcome)
    }

    /// A request with these header lines besides Host.
    private static func fields(_ name: String, _ lines: String, _ outcome: String) -> Row {
        row(name, "POST / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n\r\n", outcome)
    }

    private static func target(_ target: String, method: String = "GET", _ outcome: String) -> Row {
        row("the target \(target)", "\(method) \(target) HTTP/1.1\r\nHost: h\r\n\r\n", outcome)
    }

    static let rows = [
        row("a request", "GET /a?b=c HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n", "GET /a ?b=c @h keep A=b"),
        row("the rest stays in the buffer", "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /b", "GET / @h keep"),
        row("one empty line before it", "\r\nGET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n", "GET / @h keep A=b"),
        row("two empty lines before it", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "400"),
        row("nothing yet", "", "more"), row("half a head", "GET / HTTP/1.1\r\nHost: h\r\n", "more"),
        row("LF alone behind the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n", "400"),
        row("LF alone behind a header", "GET / HTTP/1.1\r\nHost: h\n\r\n", "400"),
        row("LF alone at the end", "GET / HTTP/1.1\r\nHost: h\r\n\n", "400"),
        row("CR alone in a header", "GET / HTTP/1.1\r\nHost: h\r\nA: b\rc\r\n\r\n", "400"),
        row("CR alone in the request line", "GET /\r HTTP/1.1\r\nHost: h\r\n\r\n", "400"),
        row("a TLS handshake", "\u{16}\u{3}\u{1}", "400"),
        // The request line
        row("HTTP/0.9", "GET /\r\n\r\n", "400"), row("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "GET / 1.0"),
        row(
            "HTTP/1.0 that keeps", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
            "GET / 1.0 keep Connection=Keep-Alive"),
        row("HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", "GET / @h keep"),
        row("HTTP/2.0", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", "505"),
        row("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"),
        row("a small version", "GET / http/1.1\r\nHost: h\r\n\r\n", "400"),
        row("a long version", "GET / HTTP/1.10\r\nHost: h\r\n\r\n", "400"),
        row("no version's digit", "GET / HTTP/1.x\r\nHost: h\r\n\r\n", "400"),
        row("two spaces", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "400"),
        row("a tab", "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", "400"),
        row("a space at the end", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", "400"),
        row("a space before it", " GET / HTTP/1.1\r\nHost: h\r\n\r\n", "400"),
        row("a method of one's own", "x-A!z / HTTP/1.1\r\nHost: h\r\n\r\n", "x-A!z / @h keep"),
        row("a method that is no token", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n", "400"),
        // Targets
        target("http://a:8080/b?c", "GET /b ?c @a:8080 keep"), target("HTTPS://a", "GET / @a keep"),
        target("http://a?b", "GET / ?b @a keep"), target("http://[::1]:80/", "GET / @[::1]:80 keep"),
        target("http:///a", "400"), target("http://u:p@h/", "400"), target("ftp://h/", "400"), target("h/a", "400"),
        target("*", "400"), target("*", method: "OPTIONS", "OPTIONS * @h keep"),
        target("http://a", method: "OPTIONS", "OPTIONS * @a keep"),
        target("http://a/", method: "OPTIONS", "OPTIONS / @a keep"), target("h:80", method: "CONNECT", "501"),
        target("/a#b", "400"), target("/é", "400"), target("/a\u{7F}", "400"), target("/a?b?c", "GET /a ?b?c @h keep"),
        target("/?", "GET / ? @h keep"), target("//a/%2e%2E", "GET //a/%2e%2E @h keep"),
        // Hosts
        row("no Host", "GET / HTTP/1.1\r\n\r\n", "400"),
        fields("two Hosts", "Host: h", "400"), fields("a list of Hosts", "host: h", "400"),
        row("a Host with a path", "GET / HTTP/1.1\r\nHost: h/a\r\n\r\n", "400"),
        row("a Host with a user", "GET / HTTP/1.1\r\nHost: u@h\r\n\r\n", "400"),
        row("a Host with a bad port", "GET / HTTP/1.1\r\nHost: h:8o\r\n\r\n", "400"),
        row("a Host with a space", "GET / HTTP/1.1\r\nHost: h h\r\n\r\n", "400"),
        row("an IPv6 address", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "GET / @[::1]:80 keep"),
        row("half an IPv6 address", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", "400"),
        row("no Host in 1.0, but a target", "GET http://a/ HTTP/1.0\r\nHost: b\r\n\r\n", "GET / @a 1.0"),
        // Fields
        fields("spaces around a value", "A: \t b c\t ", "POST / @h keep A=b c"),
        fields("an empty value", "A:", "POST / @h keep A="), fields("no space", "A:b", "POST / @h keep A=b"),
        fields("a name of odd letters", "!#$%&'*+-.^_`|~9: b", "POST / @h keep !#$%&'*+-.^_`|~9=b"),
        fields("a value of UTF-8", "A: é", "POST / @h keep A=é"), fields("a space before the colon", "A : b", "400"),
        fields("a space before the name", " A: b", "400"), fields("a folded value", "A: b\r\n c", "400"),
        fields("a folded value by tab", "A: b\r\n\tc", "400"), fields("no colon", "A", "400"),
        fields("no name", ": b", "400"), fields("a name with a space", "A B: c", "400"),
        fields("a name in brackets", "A[]: c", "400"), fields("NUL in a value", "A: b\0c", "400"),
        fields("NUL in a name", "A\0: b", "400"), fields("a control character in a value", "A: \u{1}", "400"),
        fields("DEL in a value", "A: \u{7F}", "400"), fields("an accent in a name", "É: b", "400"),
        row("folding behind the request line", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", "400"),
        // Bodies
        fields("a length", "Content-Length: 5", "POST / @h keep 5"),
        fields("no bytes", "Content-Length: 0", "POST / @h keep"),
        fields("a length with zeros", "Content-Length: 005", "POST / @h keep 5"),
        fields("two lengths", "Content-Length: 5\r\nContent-Length: 6", "400"),
        fields("the same length twice", "Content-Length: 5\r\ncontent-length: 5", "400"),
        fields("a list of lengths", "Content-Length: 5, 5", "400"),
        fields("a negative length", "Content-Length: -5", "400"),
        fields("a length with a sign", "Content-Length: +5", "400"),
        fields("a length in hex", "Content-Length: 0x5", "400"),
        fields("an empty length", "Content-Length:", "400"), fields("half a length", "Content-Length: 5 5", "400"),
        fields("a length of Arabic digits", "Content-Length: ٥", "400"),
        fields("a huge length", "Content-Length: 99999999999999999999", "POST / @h keep \(Int.max)"),
        fields("chunks", "Transfer-Encoding: chunked", "POST / @h keep chunked"),
        fields("chunks in capitals", "transfer-encoding: CHUNKED", "POST / @h keep chunked"),
        fields("an empty member", "Transfer-Encoding: , chunked,", "POST / @h keep chunked"),
        fields("chunks twice", "Transfer-Encoding: chunked, chunked", "400"),
        fields("chunks on two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "400"),
        fields("chunks not last", "Transfer-Encoding: chunked, gzip", "400"),
        fields("gzip below chunks", "Transfer-Encoding: gzip, chunked", "501"),
        fields("gzip alone", "Transfer-Encoding: gzip", "400"),
        fields("identity", "Transfer-Encoding: identity", "400"),
        fields("an empty coding", "Transfer-Encoding:", "400"),
        fields("xchunked", "Transfer-Encoding: xchunked", "400"),
        fields("chunked with a tab", "Transfer-Encoding: chun\tked", "400"),
        fields("chunked in quotes", "Transfer-Encoding: \"chunked\"", "400"),
        fields("chunked with a parameter", "Transfer-Encoding: chunked;a=b", "400"),
        fields("chunks and a length", "Content-Length: 5\r\nTransfer-Encoding: chunked", "400"),
        fields("chunks and no bytes", "Transfer-Encoding: chunked\r\nContent-Length: 0", "400"),
        row("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "400"),
        row("a length in HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n", "POST / 1.0 5"),
        // The connection
        fields("close", "Connection: close", "POST / @h Connection=close"),
        fields("close in a list", "Connection: a, Close", "POST / @h Connection=a, Close"),
        fields(
            "close and keep", "Connection: keep-alive\r\nConnection: close",
            "POST / @h Connection=keep-alive Connection=close"),
        fields("an upgrade", "Connection: Upgrade\r\nUpgrade: h2c", "POST / @h keep Connection=Upgrade Upgrade=h2c"),
        fields("a body that waits", "Content-Length: 5\r\nExpect: 100-Continue", "POST / @h keep waits 5"),
        fields("no body that waits", "Expect: 100-continue", "POST / @h keep"),
        fields("another expectation", "Expect: x", "417"),
        row(
            "HTTP/1.0 that waits", "POST / HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
            "POST / 1.0 5"),
    ]

    /// What is read of the bytes, which come in these parts.
    static func outcome(_ parts: [ArraySlice<UInt8>]) -> String {
        var parser = RequestParser()
        var buffer: [UInt8] = []
        do throws(WireProblem) {
            for part in parts {
                buffer += part
                if let head = try parser.read(buffer) { return shown(head) }
            }
            return "more"
        } catch {
            return "\(error.status)"
        }
    }

    private static func shown(_ head: RequestHead) -> String {
        let known = ["host", "content-length", "transfer-encoding", "expect"]
        var words = [head.method, head.target.path]
        if let query = head.target.query { words.append("?" + query) }
        if let authority = head.authority { words.append("@" + authority) }
        if head.isHTTP10 { words.append("1.0") }
        if head.keepsConnection { words.append("keep") }
        if head.awaitsContinue { words.append("waits") }
        switch head.body {
        case .none: break
        case .length(let length): words.append("\(length)")
        case .chunked: words.append("chunked")
        }
        words += head.fields.filter { !known.contains($0.name.lowercased()) }.map { "\($0.name)=\($0.value)" }
        return words.joined(separator: " ")
    }

    @Test("A request is read in the same way, however its bytes come", arguments: rows)
    func reading(_ row: Row) {
        let bytes = Array(row.text.utf8)
        #expect(Self.outcome([bytes[...]]) == row.outcome)
        #expect(Self.outcome(bytes.indices.map { bytes[$0...$0] }) == row.outcome)
        for cut in bytes.indices {
            #expect(Self.outcome([bytes[..<cut], bytes[cut...]]) == row.outcome, "cut at \(cut)")
        }
    }

    @Test("What is no host is said to be none", arguments: ["", "a:b", "a:70000", "a b"])
    func wordingOfHost(_ host: String) {
        var parser = RequestParser()
        let problem = #expect(throws: WireProblem.self) {
            try parser.read(Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
        }
        #expect(problem?.reason == "the Host header is not a host with an optional port, such as localhost:8080")
    }

    @Test("The head's end tells where the body begins")
    func end() throws {
        let text = "\r\nPOST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n"
        var parser = RequestParser()
        let head = try #require(try parser.read(Array((text + "{}GET").utf8)))
        #expect(head.end == text.utf8.count)
        #expect(head.values(of: "CONTENT-length") == ["2"])
        #expect(head.values(of: "content").isEmpty)
    }

    @Test("A value that isn't UTF-8 is read as Latin-1")
    func latin1() throws {
        var parser = RequestParser()
        let bytes = Array("GET / HTTP/1.1\r\nHost: h\r\nA: ".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
        #expect(try parser.read(bytes)?.values(of: "a") == ["é"])
    }

    @Test("Headers are found by name, whether they came in a request or not")
    func headerLines() throws {
        var parser = RequestParser()
        let text = "GET / HTTP/1.1\r\nHost: h\r\nA: 1\r\nAB: 2\r\na: 3\r\n\r\n"
        let received = try #require(try parser.read(Array(text.utf8))).headers
        let other = [("Host", "h"), ("A", "1"), ("AB", "2"), ("a", "3")].map { (name: $0, value: $1) }
        for lines in [received, HeaderLines(other)] {
            #expect(lines.fields.map { "\($0.name)=\($0.value)" } == ["Host=h", "A=1", "AB=2", "a=3"])
            #expect(lines.values(of: "A") == ["1", "3"])
            #expect(lines.first("a") == "1")
            #expect(lines.first("B") == nil)
            #expect(lines.count == 4)
            #expect(lines.size == 12)
        }
    }

    @Test("Headers stay as they are in front of a long body, which is not kept with them")
    func longBody() throws {
        var parser = RequestParser()
        let text = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n" + String(repeating: "a", count: 50_000)
        let head = try #require(try parser.read(Array(text.utf8)))
        #expect(head.values(of: "content-length") == ["50000"])
        #expect(head.headers.keptBytes == text.utf8.count - 50_000)
    }

    /// Each limit from both sides.
    static let limits: [(name: String, text: String, outcome: String)] = [
        ("the longest line", "GET /\(String(repeating: "a", count: 16_384 - 14)) HTTP/1.1\r\nHost: h\r\n\r\n", "GET"),
        ("a longer line", "GET /\(String(repeating: "a", count: 16_384 - 13)) HTTP/1.1\r\nHost: h\r\n\r\n", "414"),
        ("a line without an end", String(repeating: "a", count: 16_386), "414"),
        ("the most headers", "GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "A: b\r\n", count: 199))\r\n", "GET"),
        ("one more header", "GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "A: b\r\n", count: 200))\r\n", "431"),
        (
            "the longest head", "GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "a", count: 65_536 - 30))\r\n\r\n",
            "GET"
        ),
        (
            "a longer head", "GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "a", count: 65_536 - 27))\r\n\r\n",
            "431"
        ),
        ("a head without an end", "GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 65_536))", "431"),
    ]

    @Test("A limit refuses what is one byte too long, however its bytes come", arguments: limits)
    func limit(_ name: String, _ text: String, _ outcome: String) {
        let bytes = Array(text.utf8)
        #expect(Self.outcome([bytes[...]]).prefix(3) == outcome)
        #expect(Self.outcome(bytes.indices.map { bytes[$0...$0] }).prefix(3) == outcome)
    }
}

/// Bytes by chance.
struct RequestFuzzTests {
    private static let count = RandomInputs.count(2_000)

    @Test("Random bytes are refused, or read in the same way however they are cut")
    func fuzz() {
        var generator = SeededGenerator(seed: 11)
        let pieces =
            [
                "GET", "POST", "OPTIONS", " ", "  ", "/", "*", "http://h", "?", " HTTP/1.1\r\n", " HTTP/1.0\r\n",
                "\r\n", "\n",
                "\r", "Host: h\r\n", "Content-Length: ", "5", "Transfer-Encoding: chunked\r\n", "A: b\r\n", ":", ",",
                "\t", "\0",
                "Connection: close\r\n", "Expect: 100-continue\r\n", "é", "GET / HTTP/1.1\r\nHost: h\r\n", "\r\n\r\n",
            ].map { Array($0.utf8) }
        for _ in 0..<Self.count {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                bytes += pieces.randomElement(using: &generator) ?? []
            }
            let whole = RequestTests.outcome([bytes[...]])
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            let isSame =
                whole == RequestTests.outcome([bytes[..<cut], bytes[cut...]])
                && whole == RequestTests.outcome(bytes.indices.map { bytes[$0...$0] })
            #expect(isSame, "\(bytes)")
        }
    }
}
