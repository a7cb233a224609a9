import Dispatch
import HTTPWire
import ReqcliServing
import Testing

@Suite("Bodies of requests")
struct BodyTests {
    private static func small(_ body: Int) -> ServerLimits {
        var limits = ServerLimits()
        limits.request.body = body
        return limits
    }

    static let limits: [(name: String, request: String, outcome: String)] = [
        ("the largest length", "Content-Length: 5\r\n\r\nabcde", "200 POST / abcde, closed"),
        ("a larger length", "Content-Length: 6\r\n\r\nabcdef", "413, closed"),
        ("a huge length", "Content-Length: 99999999999999999999\r\n\r\n", "413, closed"),
        (
            "the largest chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            "200 POST / abcde, closed"
        ),
        ("larger chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n", "413, closed"),
        ("a larger length that waits", "Content-Length: 6\r\nExpect: 100-continue\r\n\r\n", "413, closed"),
    ]

    @Test("A body is taken up to its limit", arguments: limits)
    func limit(_ name: String, _ request: String, _ outcome: String) throws {
        let server = try TestServer(limits: Self.small(5))
        let client = try server.connect()
        client.send("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n" + request)
        #expect(brief(client.receive()) == outcome)
    }

    @Test("16 MiB are taken, in one piece and in chunks")
    func large() throws {
        let server = try TestServer { request in
            ServerReply(status: 200, fields: [("A", "\(request.body.count) \(request.body.last ?? 0)")])
        }
        let client = try server.connect()
        var body = [UInt8](repeating: 1, count: 16 << 20)
        body[body.count - 1] = 7
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n")
        client.send(body)
        #expect(client.text(until: "\r\n\r\n").contains("A: 16777216 7\n"))
        client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1000000\r\n")
        client.send(body)
        client.send("\r\n0\r\n\r\n")
        #expect(client.text(until: "\r\n\r\n").contains("A: 16777216 7\n"))
    }

    private static let waiting =
        "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"

    @Test("A client that waits gets 100, then its response")
    func expectation() throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send(Self.waiting)
        #expect(client.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\n\n")
        client.send("ab")
        #expect(brief(client.receive()) == "200 POST /a ab, closed")
    }

    @Test("A client whose body is there gets no 100")
    func sentBody() throws {
        let server = try TestServer()
        #expect(try server.exchange(Self.waiting + "ab").hasPrefix("HTTP/1.1 200 "))
    }

    @Test("A body that waits can be refused by what its head says")
    func refusal() throws {
        var handler = ServerHandler(reply: TestServer.echo)
        handler.refusalOfBody = { $0.target.path == "/a" ? ServerReply(status: 403) : nil }
        let server = try TestServer(handler)
        #expect(
            try server.exchange(Self.waiting) == "HTTP/1.1 403 Forbidden\nContent-Length: 0\nConnection: close\n\n")
    }

    @Test("A reply to a large body may take long, and other clients get theirs meanwhile")
    func largeBody() throws {
        let loop = try EventLoop()
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let handler = ServerHandler(loop, upTo: 3) { request in
            if request.body.count > 3 {
                hasBegun.signal()
                guard mayEnd.wait(timeout: .now() + .seconds(RawClient.patience)) == .success else { return nil }
            }
            return TestServer.echo(request)
        }
        let server = try Server(on: [.loopback(port: 0)], loop: loop, handler: handler)
        let (large, small) = (try RawClient(port: server.port), try RawClient(port: server.port))
        large.send("POST /large HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd")
        hasBegun.wait()
        small.send("POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
        #expect(small.text().hasSuffix("POST /small abc"))
        mayEnd.signal()
        #expect(large.text().hasSuffix("POST /large abcd"))
    }

    @Test("The owner words refusals")
    func wording() throws {
        var handler = ServerHandler(reply: TestServer.echo)
        handler.refusal = { problem, _ in ServerReply(status: problem.status, fields: [("A", problem.reason)]) }
        let server = try TestServer(handler)
        let text = try server.exchange("GET / HTTP/1.1\r\n\r\n")
        #expect(
            text
                == "HTTP/1.1 400 Bad Request\nA: the request has no Host header\nContent-Length: 0\nConnection: close\n\n"
        )
    }

    static let refused: [(name: String, text: String, head: String)] = [
        ("a larger body", "POST /a HTTP/1.1\r\nHost: h\r\nA: b\r\nContent-Length: 6\r\n\r\n", "413 POST /a b"),
        (
            "a chunk without size", "POST /a HTTP/1.1\r\nHost: h\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "400 POST /a b"
        ),
        ("no host", "GET /a HTTP/1.1\r\nA: b\r\n\r\n", "400 GET /a b"),
        ("a header without a colon", "GET /a HTTP/1.1\r\nA: b\r\nHost\r\n", "400 GET /a b"),
        ("half a head", "GET /a HTTP/1.1\r\nA: b\r\n", "408 GET /a b"),
        ("half a body", "POST /a HTTP/1.1\r\nHost: h\r\nA: b\r\nContent-Length: 2\r\n\r\na", "408 POST /a b"),
        ("half a request line", "GET /a", "408 no head"),
        ("a second request line that is none", "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET\r\n", "400 no head"),
    ]

    @Test("The owner gets as much of a refused head as was read", arguments: refused)
    func refusedHead(_ name: String, _ text: String, _ head: String) throws {
        var handler = ServerHandler(reply: TestServer.echo)
        handler.refusal = { problem, head in
            let shown = head.map { "\($0.method) \($0.target.path) \($0.values(of: "A").joined())" } ?? "no head"
            return ServerReply(status: problem.status, fields: [("Head", "\(problem.status) \(shown)")])
        }
        var limits = ServerLimits()
        limits.request.body = 5
        limits.headTime = .milliseconds(200)
        limits.bodySilence = .milliseconds(200)
        let server = try TestServer(limits: limits, handler)
        let answer = try server.exchange(text)
        #expect(answer.contains("\nHead: \(head)\n"), "\(answer)")
    }

    @Test("The refusal of HEAD has no body")
    func refusedWithoutBody() throws {
        let server = try TestServer()
        #expect(try server.exchange("HEAD / HTTP/1.1\r\n\r\n").hasSuffix("\nConnection: close\n\n"))
    }
}
