import HTTPWire
import ReqcliBasics
import ReqcliServing
import Testing

/// What RFC 9110 and 9112 demand of a server, as bytes that it gets and what it answers. The server says each request again.
@Suite("Requests over a connection")
struct FramingTests {
    static let close = "GET /end HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

    static let rows: [(name: String, text: String, outcome: String)] = [
        // RFC 9112, section 9.3: persistence
        ("close", close, "200 GET /end , closed"),
        ("keep, then close", "GET / HTTP/1.1\r\nHost: h\r\n\r\n" + close, "200 GET / , 200 GET /end , closed"),
        ("HTTP/1.0 closes", "GET / HTTP/1.0\r\n\r\n", "200 GET / , closed"),
        (
            "HTTP/1.0 that keeps", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /b HTTP/1.0\r\n\r\n",
            "200 GET / , 200 GET /b , closed"
        ),
        ("nothing behind close is read", close + "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "200 GET /end , closed"),
        (
            "an upgrade is ignored",
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"
                + close, "200 GET / , 200 GET /end , closed"
        ),
        // Section 9.3.2: pipelining
        (
            "many requests at once", String(repeating: "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", count: 50) + close,
            String(repeating: "200 GET /a , ", count: 50) + "200 GET /end , closed"
        ),
        (
            "what came before a mistake is answered", "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET\r\n\r\n",
            "200 GET / , 400, closed"
        ),
        // Section 6: bodies
        (
            "a body with a length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + close,
            "200 POST / abc, 200 GET /end , closed"
        ),
        (
            "a body of GET", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + close,
            "200 GET / abc, 200 GET /end , closed"
        ),
        (
            "a body in chunks",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\n1\r\nc\r\n0\r\nA: b\r\n\r\n"
                + close, "200 POST / abc, 200 GET /end , closed"
        ),
        (
            "a body that looks like a request",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n" + close,
            "200 POST / GET / HTTP/1.1\r\n\r\n, 200 GET /end , closed"
        ),
        ("no length is no body", "POST / HTTP/1.1\r\nHost: h\r\n\r\n" + close, "200 POST / , 200 GET /end , closed"),
        (
            "an empty line behind a body",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na\r\n" + close,
            "200 POST / a, 200 GET /end , closed"
        ),
        ("a length in 1.0", "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nab", "200 POST / ab, closed"),
        (
            "chunks and a length",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + close,
            "400, closed"
        ),
        (
            "two lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc" + close,
            "400, closed"
        ),
        ("chunks in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400, closed"),
        (
            "another coding", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "501, closed"
        ),
        ("a bad chunk", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n" + close, "400, closed"),
        // Sections 2 and 5: lines and fields
        ("an empty line first", "\r\n" + close, "200 GET /end , closed"),
        ("LF alone", "GET / HTTP/1.1\nHost: h\n\n", "400, closed"),
        ("a space before the first header", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", "400, closed"),
        ("a space before a colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", "400, closed"),
        ("a folded header", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n", "400, closed"),
        ("a TLS handshake", "\u{16}\u{3}\u{1}\u{2}\0", "400, closed"),
        // Section 3: the request line and Host
        ("no Host", "GET / HTTP/1.1\r\n\r\n", "400, closed"),
        ("two Hosts", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", "400, closed"),
        ("a bad Host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "400, closed"),
        (
            "an absolute target",
            "GET http://a/b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "200 GET /b , closed"
        ),
        ("the server itself", "OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "200 OPTIONS * , closed"),
        ("a long target", "GET /\(String(repeating: "a", count: 17_000)) HTTP/1.1\r\nHost: h\r\n\r\n", "414, closed"),
        (
            "a long head", "GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "a", count: 66_000))\r\n\r\n",
            "431, closed"
        ),
        ("CONNECT", "CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n", "501, closed"),
        ("HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\nConnection: close\r\n\r\n", "200 GET / , closed"),
        ("HTTP/2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505, closed"),
        ("a method of one's own", "X-A / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "200 X-A / , closed"),
        // RFC 9110, section 10.1.1: Expect
        (
            "a body that waits",
            "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n",
            "100"
        ),
        (
            "HTTP/1.0 doesn't wait",
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab", "200 POST / ab, closed"
        ),
        ("another expectation", "GET / HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n", "417, closed"),
        (
            "a large body that waits",
            "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 16777217\r\n\r\n", "413, closed"
        ),
    ]

    @Test("Bytes that come while the last response is made don't reset the connection")
    func behindLastRequest() throws {
        let clients = Mutex<[RawClient]>([])
        let server = try TestServer { _ in
            clients.withLock { $0.first }?.send("\r\n")
            return ServerReply(status: 200, body: .bytes(Array("all of it".utf8)))
        }
        let client = try server.connect()
        clients.withLock { $0 = [client] }
        client.send("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 1\r\n\r\na")
        #expect(brief(client.receive()) == "200 all of it, closed")
    }

    @Test("A connection has the same outcome, however its bytes come", arguments: rows)
    func outcome(_ name: String, _ text: String, _ outcome: String) throws {
        let server = try TestServer()
        let bytes = Array(text.utf8)
        // A client that waits gets its 100, and the test doesn't wait longer.
        func received(_ client: RawClient) -> String {
            outcome == "100" ? brief(client.receive { $0.count >= 25 }) : brief(client.receive())
        }
        let whole = try server.connect()
        whole.send(bytes)
        try #require(received(whole) == outcome)
        if bytes.count < 20_000 {
            let slow = try server.connect()
            for byte in bytes { slow.send([byte]) }
            try #require(received(slow) == outcome)
        }
        for cut in bytes.indices.prefix(200) {
            let client = try server.connect()
            client.send(bytes[..<cut])
            client.send(bytes[cut...])
            try #require(received(client) == outcome, "cut at \(cut)")
        }
    }

    @Test("A client that ends within a request gets nothing")
    func incomplete() throws {
        let server = try TestServer()
        for text in ["", "GET / HT", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabc"] {
            let client = try server.connect()
            client.send(text)
            client.finishSending()
            #expect(brief(client.receive()) == "closed")
        }
    }

    @Test("A client that ends its side behind a request gets its response")
    func halfClosed() throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        client.finishSending()
        #expect(brief(client.receive()) == "200 GET / , closed")
    }

    @Test("A refusal reaches a client that goes on sending")
    func lingering() throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000000\r\n\r\n")
        client.send([UInt8](repeating: 0x61, count: 4 << 20))
        #expect(brief(client.receive()) == "413, closed")
    }
}
