import Glibc
import HTTPWire
import ReqcliServing
import Synchronization
import Testing

/// The limits that `ServerLimits` and `RequestLimits` have unless their owner says otherwise.
@Suite("Limits from both sides")
struct LimitTests {
    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func get(_ lines: String) -> String {
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(lines)\r\n"
    }

    private static func chunked(_ rest: String) -> String {
        "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n\(rest)"
    }

    /// `GET /… HTTP/1.1` with a line of this length.
    private static func line(_ count: Int) -> String {
        "GET /\(letters(count - 14)) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
    }

    /// A head of this length without its last CR and LF.
    private static func head(_ count: Int) -> String {
        let rest = get("A: \r\n").utf8.count - 2
        return get("A: \(letters(count - rest))\r\n")
    }

    static let sizes: [(name: String, text: String, outcome: String)] = [
        ("the longest request line", line(16 << 10), "200, closed"),
        ("a longer request line", line((16 << 10) + 1), "414, closed"),
        ("a request line without an end", "GET /" + letters(16 << 10), "414, closed"),
        ("the longest head", head(64 << 10), "200, closed"), ("a longer head", head((64 << 10) + 1), "431, closed"),
        ("a head without an end", "GET / HTTP/1.1\r\nA: " + letters(64 << 10), "431, closed"),
        ("200 fields", get(String(repeating: "A: b\r\n", count: 198)), "200, closed"),
        ("201 fields", get(String(repeating: "A: b\r\n", count: 199)), "431, closed"),
        ("the longest chunk line", chunked("1;\(letters(254))\r\na\r\n0\r\n\r\n"), "200, closed"),
        ("a longer chunk line", chunked("1;\(letters(255))\r\na\r\n0\r\n\r\n"), "400, closed"),
        ("a chunk line without an end", chunked("1;\(letters(300))"), "400, closed"),
        ("the longest trailers", chunked("0\r\nA:\(letters(4094))\r\nB:\(letters(4094))\r\n\r\n"), "200, closed"),
        ("longer trailers", chunked("0\r\nA:\(letters(4094))\r\nB:\(letters(4095))\r\n\r\n"), "400, closed"),
        ("trailers without an end", chunked("0\r\nA:\(letters(9000))"), "400, closed"),
        (
            "a length beyond the largest body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 16777217\r\n\r\n",
            "413, closed"
        ),
        ("a chunk beyond the largest body", chunked("1000001\r\n"), "413, closed"),
        ("a second chunk beyond the largest body", chunked("1\r\na\r\n1000000\r\n"), "413, closed"),
    ]

    @Test("What is as large as a limit is taken, and a byte more is refused", arguments: sizes)
    func size(_ name: String, _ text: String, _ outcome: String) throws {
        let server = try TestServer { _ in ServerReply(status: 200) }
        let bytes = Array(text.utf8)
        #expect(try server.outcome([bytes[...]]) == outcome)
        // In packets as a network has them.
        let parts = stride(from: 0, to: bytes.count, by: 1448).map { bytes[$0..<min(bytes.count, $0 + 1448)] }
        #expect(try server.outcome(parts) == outcome)
    }

    // MARK: Time

    /// A server whose time a test sets.
    private struct TimedServer {
        let server: TestServer
        private let time: SharedTime

        final class SharedTime: Sendable {
            let now = Atomic<Int64>(1_000_000)
        }

        init(
            limits: ServerLimits = ServerLimits(), _ handler: ServerHandler = ServerHandler(reply: TestServer.echo)
        ) throws {
            let time = SharedTime()
            self.time = time
            server = try TestServer(limits: limits, handler, clock: LoopClock { time.now.load(ordering: .relaxed) })
        }

        /// Lets time pass, and waits until the server has done what is due.
        func pass(_ milliseconds: Int64) {
            server.settle()
            time.now.add(milliseconds, ordering: .relaxed)
            server.settle()
        }
    }

    private static func hasAnswer(_ client: RawClient) -> Bool {
        var state = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) != 0
    }

    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
    private static let body = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n"

    static let times: [(name: String, text: String, limit: Int64, outcome: String)] = [
        ("a connection without a byte", "", 10_000, "closed"), ("an empty line", "\r\n", 10_000, "408, closed"),
        ("a part of a first head", "GET /", 10_000, "408, closed"),
        ("a part of a second head", request + "GET /", 10_000, "408, closed"),
        ("a head without its last byte", String(request.utf8.dropLast()) ?? "", 10_000, "408, closed"),
        ("a body without a byte", body, 30_000, "408, closed"),
        ("a part of a body", body + "ab", 30_000, "408, closed"),
        ("a part of a chunk", chunked("3\r\na"), 30_000, "408, closed"),
        ("a part of a size", chunked("3"), 30_000, "408, closed"),
        ("a part of trailers", chunked("0\r\nA: b"), 30_000, "408, closed"),
        ("an idle connection", request, 75_000, "closed"),
    ]

    @Test("What stops is waited for until its limit, and not longer", arguments: times)
    func time(_ name: String, _ text: String, _ limit: Int64, _ outcome: String) throws {
        let timed = try TimedServer()
        let client = try timed.server.connect()
        client.send(text)
        if text.hasPrefix(Self.request) { #expect(client.text(until: "GET / ").hasSuffix("GET / ")) }
        timed.pass(limit - 1)
        #expect(!Self.hasAnswer(client))
        timed.pass(1)
        #expect(brief(client.receive()) == outcome)
    }

    @Test("Bytes of a head don't prolong its time")
    func slowHead() throws {
        let timed = try TimedServer()
        let client = try timed.server.connect()
        client.send("GET / HTTP/1.1\r\n")
        for _ in 0..<9 {
            timed.pass(1000)
            client.send("A: b\r\n")
        }
        timed.pass(999)
        #expect(!Self.hasAnswer(client))
        timed.pass(1)
        #expect(brief(client.receive()) == "408, closed")
    }

    @Test("A head that begins late has its time from its first byte")
    func lateHead() throws {
        let timed = try TimedServer()
        let client = try timed.server.connect()
        client.send(Self.request)
        #expect(client.text(until: "GET / ").hasSuffix("GET / "))
        timed.pass(74_999)
        client.send("GET")
        timed.pass(9_999)
        #expect(!Self.hasAnswer(client))
        timed.pass(1)
        #expect(brief(client.receive()) == "408, closed")
    }

    @Test("A new client gets the place of a head that doesn't come to its end")
    func unfinishedHeads() throws {
        var limits = ServerLimits()
        limits.connections = 4
        let timed = try TimedServer(limits: limits)
        let slow = try (0..<4).map { _ in
            let client = try timed.server.connect()
            client.send("GET / HTTP/1.1\r\nA: ")
            timed.pass(1)
            return client
        }
        timed.pass(500)
        let next = try timed.server.connect()
        next.send(Self.request)
        timed.pass(400)
        #expect(!Self.hasAnswer(next), "In the first second a head may still come.")
        timed.pass(700)
        #expect(next.text(until: "GET / ").hasSuffix("GET / "))
        #expect(slow.map(Self.hasAnswer) == [true, false, false, false])
        slow[1].send("b\r\nHost: h\r\n\r\n")
        #expect(slow[1].text(until: "GET / ").hasSuffix("GET / "))
    }

    @Test("Large bodies share their room, and get it back when their requests are answered")
    func room() throws {
        var limits = ServerLimits()
        limits.bodies = 500_000
        let tickets = Shared<[ServerRequest]>([])
        let server = try TestServer(limits: limits) { request in
            guard request.head.target.path == "/kept" else { return ServerReply(status: 200) }
            tickets.change { $0.append(request) }
            return nil
        }
        func post(_ path: String, _ sent: Int, of count: Int) throws -> RawClient {
            let client = try server.connect()
            client.send("POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n" + Self.letters(sent))
            return client
        }
        let waiting = try post("/", 299_000, of: 300_000)
        server.settle()
        let refused = try post("/", 299_000, of: 300_000)
        #expect(brief(refused.receive()).hasPrefix("503"))
        // Small ones need none of it.
        let small = try post("/", 60_000, of: 60_000)
        #expect(small.text(until: "\n\n").hasPrefix("HTTP/1.1 200"))
        waiting.send(Self.letters(1000))
        #expect(waiting.text(until: "\n\n").hasPrefix("HTTP/1.1 200"))
        let kept = try post("/kept", 300_000, of: 300_000)
        while tickets.value.isEmpty { server.settle() }
        let other = try post("/", 299_000, of: 300_000)
        #expect(brief(other.receive()).hasPrefix("503"), "The first body is still in somebody's hands.")
        for request in tickets.change({ requests in
            defer { requests = [] }
            return requests
        }) { server.loop.reply(ServerReply(status: 200), to: request.ticket) }
        #expect(kept.text(until: "\n\n").hasPrefix("HTTP/1.1 200"))
        let last = try post("/", 300_000, of: 300_000)
        #expect(last.text(until: "\n\n").hasPrefix("HTTP/1.1 200"))
    }

    @Test("Each byte of a body gives it the whole time again")
    func slowBody() throws {
        let timed = try TimedServer()
        let client = try timed.server.connect()
        client.send("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 3\r\n\r\n")
        for byte in ["a", "b", "c"] {
            timed.pass(29_999)
            #expect(!Self.hasAnswer(client))
            client.send(byte)
        }
        #expect(brief(client.receive()) == "200 POST / abc, closed")
    }

    @Test("A body that was announced has its time from the 100")
    func announcedBody() throws {
        let timed = try TimedServer()
        let client = try timed.server.connect()
        client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(client.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\n\n")
        timed.pass(29_999)
        #expect(!Self.hasAnswer(client))
        timed.pass(1)
        #expect(brief(client.receive()) == "408, closed")
    }

    @Test("A client that reads nothing is reset after its time")
    func unread() throws {
        let timed = try TimedServer(
            ServerHandler { _ in ServerReply(status: 200, body: .bytes([UInt8](repeating: 0, count: 64 << 20))) })
        let client = try RawClient(port: timed.server.server.port, receiveBuffer: 4096)
        client.send(Self.request)
        func isReset() -> Bool {
            var state = pollfd(fd: client.descriptor, events: 0, revents: 0)
            return poll(&state, 1, 0) != 0
        }
        timed.pass(59_999)
        #expect(!isReset())
        timed.pass(1)
        #expect(isReset())
        #expect(client.receive().end == .reset)
    }

    @Test("A response that is waited for has no limit, and a held one ends after ten minutes")
    func longWaits() throws {
        let loop = Shared<[ServerRequest.Ticket]>([])
        let timed = try TimedServer(
            ServerHandler { request in
                if request.head.target.path == "/held" {
                    return ServerReply(ReplyHead(status: 200, fields: []), fault: .timeout)
                }
                loop.change { $0.append(request.ticket) }
                return nil
            })
        let held = try timed.server.connect()
        held.send("GET /held HTTP/1.1\r\nHost: h\r\n\r\n")
        let awaited = try timed.server.connect()
        awaited.send(Self.request)
        timed.pass(599_999)
        #expect(!Self.hasAnswer(held) && !Self.hasAnswer(awaited))
        timed.pass(1)
        #expect(brief(held.receive()) == "closed")
        timed.pass(600_000)
        #expect(!Self.hasAnswer(awaited))
        timed.server.loop.reply(ServerReply(status: 204), to: try #require(loop.value.first))
        #expect(awaited.text(until: "\r\n\r\n") == "HTTP/1.1 204 No Content\n\n")
    }

    @Test("A delayed response comes at its time, while others are answered")
    func delay() throws {
        let timed = try TimedServer(
            ServerHandler { request in
                let delay = request.head.target.path == "/slow" ? Duration.milliseconds(2000) : .zero
                return ServerReply(ReplyHead(status: 200, fields: []), delay: delay)
            })
        let slow = try timed.server.connect()
        slow.send("GET /slow HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        timed.pass(1999)
        #expect(
            brief(
                try {
                    let client = try timed.server.connect(); client.send(FramingTests.close); return client
                }().receive()) == "200, closed")
        #expect(!Self.hasAnswer(slow))
        timed.pass(1)
        #expect(brief(slow.receive()) == "200, closed")
    }

    @Test("A body comes evenly over its time")
    func pacedBody() throws {
        let timed = try TimedServer(
            ServerHandler { _ in
                ServerReply(
                    ReplyHead(status: 200, fields: []), body: .bytes(Array("0123456789".utf8)), bodyTime: .seconds(10))
            })
        let client = try timed.server.connect()
        client.send(FramingTests.close)
        timed.pass(0)
        #expect(client.text(until: "\r\n\r\n") == "HTTP/1.1 200 OK\nContent-Length: 10\nConnection: close\n\n")
        var received = 0
        for second in 1...10 {
            timed.pass(1000)
            if Self.hasAnswer(client) {
                received += client.receive { !$0.isEmpty }.bytes.count
            }
            // The server looks again within a millisecond of the next byte's time.
            #expect((second - 1...second).contains(received))
        }
        #expect(client.receive().end == .closed)
    }

    @Test("A refused client that doesn't go is closed after its time")
    func lingering() throws {
        let timed = try TimedServer()
        let client = try timed.server.connect()
        client.send("GET\r\n")
        func isReset() -> Bool {
            // What is sent to a descriptor that is closed is answered with a reset.
            client.send("a")
            timed.server.settle()
            var state = pollfd(fd: client.descriptor, events: 0, revents: 0)
            return poll(&state, 1, 0) != 0 && state.revents & Int16(POLLHUP) != 0
        }
        timed.pass(4_999)
        #expect(!isReset())
        timed.pass(1)
        #expect(isReset())
    }
}
