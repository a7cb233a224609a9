import Glibc
import HTTPWire
import ReqcliServing
import TestSupport
import Testing

@Suite("Faults and delays")
struct FaultTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    /// Replies with `0123456789`, and with the fault that the path names.
    private static let faulty: @Sendable (ServerRequest) -> ServerReply? = { request in
        var reply = ServerReply(status: 200, body: .bytes(Array("0123456789".utf8)))
        switch request.head.target.path {
        case "/reset": reply.fault = .reset
        case "/truncated": reply.fault = .truncated
        case "/chunks":
            reply.head = ReplyHead(status: 200, fields: [("Transfer-Encoding", "chunked")])
            reply.fault = .truncated
        case "/timeout": reply.fault = .timeout
        case "/late-reset":
            reply.fault = .reset
            reply.delay = .milliseconds(30)
        default: break
        }
        return reply
    }

    static let rows: [(name: String, text: String, outcome: String)] = [
        ("a reset", "GET /reset HTTP/1.1\r\nHost: h\r\n\r\n", "reset"),
        ("a reset later", "GET /late-reset HTTP/1.1\r\nHost: h\r\n\r\n", "reset"),
        (
            "a reset behind a body", "POST /reset HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", "reset"
        ),
        ("a reset before another request", "GET /reset HTTP/1.1\r\nHost: h\r\n\r\n" + request, "reset"),
        ("a reset behind a response", request + "GET /reset HTTP/1.1\r\nHost: h\r\n\r\n", "200 0123456789, reset"),
        ("a truncated body", "GET /truncated HTTP/1.1\r\nHost: h\r\n\r\n" + request, "200 01234, closed"),
        (
            "a truncated body behind a response", request + "GET /truncated HTTP/1.1\r\nHost: h\r\n\r\n",
            "200 0123456789, 200 01234, closed"
        ),
    ]

    @Test("A client sees the end that a fault makes", arguments: rows)
    func fault(_ name: String, _ text: String, _ outcome: String) throws {
        let server = try TestServer(reply: Self.faulty)
        let client = try server.connect()
        client.send(text)
        #expect(brief(client.receive()) == outcome)
    }

    @Test("A truncated response states the length of the whole, and in chunks it has no last one")
    func truncatedHead() throws {
        let server = try TestServer(reply: Self.faulty)
        #expect(
            try server.exchange("GET /truncated HTTP/1.1\r\nHost: h\r\n\r\n")
                == "HTTP/1.1 200 OK\nContent-Length: 10\n\n01234")
        #expect(
            try server.exchange("GET /chunks HTTP/1.1\r\nHost: h\r\n\r\n")
                == "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\na\n01234")
    }

    @Test("A truncated response without a body breaks off in its head")
    func truncatedWithoutBody() throws {
        let server = try TestServer(reply: Self.faulty)
        let client = try server.connect()
        client.send("HEAD /truncated HTTP/1.1\r\nHost: h\r\n\r\n")
        let text = String(decoding: client.receive().bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 ") && !text.contains("\r\n\r\n"), "\(text)")
    }

    @Test("A file can be truncated")
    func truncatedFile() throws {
        let folder = try TemporaryFolder(["a": "0123456789"])
        let file = try OpenFile(path: folder.path("a"))
        let server = try TestServer { _ in
            ServerReply(ReplyHead(status: 200, fields: []), body: .file(file, 2..<8), fault: .truncated)
        }
        #expect(try server.exchange(Self.request) == "HTTP/1.1 200 OK\nContent-Length: 6\n\n234")
    }

    @Test("A timeout sends nothing until its time is over")
    func timeout() throws {
        var limits = ServerLimits()
        limits.heldTime = .milliseconds(50)
        let server = try TestServer(limits: limits, reply: Self.faulty)
        let client = try server.connect()
        client.send("GET /timeout HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(brief(client.receive()) == "closed")
    }

    @Test("A timeout ends with its client")
    func abandonedTimeout() throws {
        let server = try TestServer(reply: Self.faulty)
        let client = try server.connect()
        client.send("GET /timeout HTTP/1.1\r\nHost: h\r\n\r\n")
        client.finishSending()
        #expect(brief(client.receive()) == "closed")
    }

    @Test("A delay holds up nobody else, and pipelined responses wait for their turn")
    func delay() throws {
        let server = try TestServer { request in
            var reply = ServerReply(status: 200, body: .bytes(Array(request.head.target.path.utf8)))
            if request.head.target.path == "/slow" { reply.delay = .milliseconds(300) }
            return reply
        }
        let slow = try server.connect()
        slow.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n" + FramingTests.close)
        let start = ContinuousClock.now
        let other = try server.connect()
        for _ in 0..<20 {
            other.send(Self.request)
            #expect(other.text(until: "\r\n\r\n/").hasSuffix("\n\n/"))
        }
        var hasAnswer = pollfd(fd: slow.descriptor, events: Int16(POLLIN), revents: 0)
        // On a machine so slow that the delay is over by now this shows nothing.
        if .now - start < .milliseconds(200) { #expect(poll(&hasAnswer, 1, 0) == 0) }
        #expect(brief(slow.receive()) == "200 /slow, 200 /end, closed")
        #expect(.now - start >= .milliseconds(250))
    }

    static let paced: [(name: String, count: Int, isChunked: Bool)] = [
        ("a few bytes", 3, false), ("a large body", 3 << 20, false), ("chunks", 1000, true),
    ]

    @Test("A body comes over its time, and complete", arguments: paced)
    func pace(_ name: String, _ count: Int, _ isChunked: Bool) throws {
        let server = try TestServer { _ in
            let head = ReplyHead(status: 200, fields: isChunked ? [("Transfer-Encoding", "chunked")] : [])
            let body = [UInt8](repeating: 0x61, count: count)
            return ServerReply(head, body: .bytes(body), bodyTime: .milliseconds(200))
        }
        let client = try server.connect()
        let start = ContinuousClock.now
        client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        let (bytes, end) = client.receive()
        #expect(end == .closed && .now - start >= .milliseconds(190))
        #expect(bytes.count(where: { $0 == 0x61 }) >= count)
        #expect(!isChunked || bytes.suffix(7).elementsEqual("\r\n0\r\n\r\n".utf8))
    }

    @Test("The first part of a body with a time is there before the last one")
    func pieces() throws {
        let server = try TestServer { _ in
            ServerReply(ReplyHead(status: 200, fields: []), body: .bytes(Array("ab".utf8)), bodyTime: .seconds(3600))
        }
        let client = try server.connect()
        client.send(Self.request)
        #expect(client.text(until: "\r\n\r\n") == "HTTP/1.1 200 OK\nContent-Length: 2\n\n")
    }
}
