import Glibc
import HTTPWire
import ReqcliServing
import Testing

@Suite("Limits on time and number")
struct TimeLimitTests {
    private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }

    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("A connection without a byte is closed in silence, as browsers connect before they ask")
    func noByte() throws {
        let server = try TestServer(limits: Self.limits { $0.headTime = .milliseconds(50) })
        #expect(brief(try server.connect().receive()) == "closed")
    }

    static let slow: [(name: String, text: String, outcome: String)] = [
        ("a part of the first head", "GET /", "408, closed"),
        ("a part of the second head", request + "GET /", "200 GET / , 408, closed"),
        ("an empty line", "\r\n", "408, closed"),
        ("a part of a body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na", "408, closed"),
        ("no byte of a body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n", "408, closed"),
        ("a part of a chunk", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na", "408, closed"),
    ]

    @Test("A request that doesn't go on is answered with 408", arguments: slow)
    func slowRequest(_ name: String, _ text: String, _ outcome: String) throws {
        let limits = Self.limits {
            $0.headTime = .milliseconds(50)
            $0.bodySilence = .milliseconds(50)
        }
        let server = try TestServer(limits: limits)
        let client = try server.connect()
        client.send(text)
        #expect(brief(client.receive()) == outcome)
    }

    @Test("A head that comes byte by byte has no more time than another")
    func slowLoris() throws {
        let server = try TestServer(limits: Self.limits { $0.headTime = .milliseconds(100) })
        let client = try server.connect()
        client.send("GET / HTTP/1.1\r\n")
        let end = ContinuousClock.now + .seconds(20)
        var hasAnswer = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&hasAnswer, 1, 5) == 0, .now < end { client.send("A: b\r\n") }
        #expect(brief(client.receive()) == "408, closed")
    }

    @Test("A body that comes byte by byte is taken, as long as one comes in time")
    func slowBody() throws {
        let server = try TestServer(limits: Self.limits { $0.bodySilence = .seconds(5) })
        let client = try server.connect()
        client.send("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 20\r\n\r\n")
        for _ in 0..<20 { client.send("a") }
        #expect(brief(client.receive()) == "200 POST / \(String(repeating: "a", count: 20)), closed")
    }

    @Test("An idle connection is closed")
    func idle() throws {
        let server = try TestServer(limits: Self.limits { $0.idleTime = .milliseconds(50) })
        let client = try server.connect()
        client.send(Self.request)
        #expect(brief(client.receive()) == "200 GET / , closed")
    }

    @Test("A client that doesn't read is reset")
    func unread() throws {
        let limits = Self.limits { $0.responseSilence = .milliseconds(100) }
        let server = try TestServer(limits: limits) { _ in
            ServerReply(status: 200, body: .bytes([UInt8](repeating: 0, count: 64 << 20)))
        }
        let client = try RawClient(port: server.server.port, receiveBuffer: 4096)
        client.send(Self.request)
        // The reset is an event without anything being read.
        var hasEnded = pollfd(fd: client.descriptor, events: 0, revents: 0)
        #expect(poll(&hasEnded, 1, 20_000) == 1)
        #expect(client.receive().end == .reset)
    }

    @Test("A refused client that doesn't go is closed")
    func lingering() throws {
        let server = try TestServer(limits: Self.limits { $0.lingerTime = .milliseconds(50) })
        let client = try server.connect()
        client.send("GET\r\n")
        #expect(brief(client.receive()) == "400, closed")
        // The server's descriptor is closed, so that what comes now is answered with a reset.
        var hasEnded = pollfd(fd: client.descriptor, events: 0, revents: 0)
        let end = ContinuousClock.now + .seconds(20)
        while poll(&hasEnded, 1, 5) == 0, .now < end { client.send("a") }
        #expect(hasEnded.revents & Int16(POLLHUP) != 0)
    }

    @Test("One connection too many closes that which is idle for the longest time")
    func tooMany() throws {
        let server = try TestServer(limits: Self.limits { $0.connections = 2 })
        let clients = try (0..<2).map { _ in
            let client = try server.connect()
            client.send(Self.request)
            #expect(client.text(until: "GET / ").hasSuffix("GET / "))
            return client
        }
        // The first one is used once more.
        clients[0].send(Self.request)
        #expect(clients[0].text(until: "GET / ").hasSuffix("GET / "))
        let third = try server.connect()
        third.send(FramingTests.close)
        #expect(brief(third.receive()) == "200 GET /end , closed")
        #expect(brief(clients[1].receive()) == "closed")
        clients[0].send(FramingTests.close)
        #expect(brief(clients[0].receive()) == "200 GET /end , closed")
    }

    @Test("Each one too many closes the one that is idle for the longest time by then")
    func manyTooMany() throws {
        let server = try TestServer(limits: Self.limits { $0.connections = 3 })
        func connection() throws -> RawClient {
            let client = try server.connect()
            client.send(Self.request)
            #expect(client.text(until: "GET / ").hasSuffix("GET / "))
            return client
        }
        var clients = try (0..<3).map { _ in try connection() }
        for number in 0..<6 {
            // The next one to go is used in between, so that the one behind it goes.
            clients[number].send(Self.request)
            #expect(clients[number].text(until: "GET / ").hasSuffix("GET / "))
            clients.append(try connection())
            #expect(brief(clients[number + 1].receive()) == "closed")
            clients.swapAt(number, number + 1)
        }
    }

    @Test("Where no connection is idle, one too many waits")
    func waitingConnection() throws {
        let server = try TestServer(limits: Self.limits { $0.connections = 1 })
        let first = try server.connect()
        first.send("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 2\r\n\r\na")
        let second = try server.connect()
        second.send(FramingTests.close)
        var hasAnswer = pollfd(fd: second.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&hasAnswer, 1, 50) == 0)
        first.send("b")
        #expect(brief(first.receive()) == "200 POST / ab, closed")
        #expect(brief(second.receive()) == "200 GET /end , closed")
    }
}
