import Glibc
import HTTPWire
import ReqcliServing
import Testing

/// State on the thread of a loop.
private actor Counter {
    private let loop: EventLoop
    private(set) var count = 0

    init(loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func increment() -> Int {
        count += 1
        return count
    }
}

@Suite("Work on a server's thread")
struct LoopTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("An actor on the loop is reached by the handler without waiting, and by others with it")
    func actorOnLoop() async throws {
        let loop = try EventLoop()
        let counter = Counter(loop: loop)
        let handler = ServerHandler { _ in
            let count = counter.assumeIsolated { $0.increment() }
            return ServerReply(status: 200, body: .bytes(Array("\(count)".utf8)))
        }
        let server = try Server(on: [.loopback(port: 0)], loop: loop, handler: handler)
        let client = try RawClient(port: server.port)
        client.send(Self.request + Self.request + FramingTests.close)
        #expect(brief(client.receive()) == "200 1, 200 2, 200 3, closed")
        #expect(await counter.count == 3)
        await server.stop(grace: .zero)
        #expect(await counter.increment() == 4)
    }

    @Test("Requests are numbered, and a reply can come later from another thread")
    func laterReply() throws {
        let loop = try EventLoop()
        let handler = ServerHandler { request in
            loop.reply(
                ServerReply(status: 200, body: .bytes(Array("\(request.ticket.number)".utf8))), to: request.ticket)
            return nil
        }
        let server = try Server(on: [.loopback(port: 0)], loop: loop, handler: handler)
        let client = try RawClient(port: server.port)
        client.send(Self.request + Self.request + FramingTests.close)
        #expect(brief(client.receive()) == "200 1, 200 2, 200 3, closed")
    }

    @Test("A reply to a request that has its reply, or whose client has gone, is dropped")
    func lostReply() throws {
        let tickets = Shared<[ServerRequest.Ticket]>([])
        let left = Shared<[UInt64]>([])
        var handler = ServerHandler { request in
            tickets.change { $0.append(request.ticket) }
            return request.head.target.path == "/later" ? nil : ServerReply(status: 204)
        }
        handler.clientLeft = { ticket in left.change { $0.append(ticket.number) } }
        let server = try TestServer(handler)
        do {
            let client = try server.connect()
            client.send(Self.request + "GET /later HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(client.text(until: "\r\n\r\n") == "HTTP/1.1 204 No Content\n\n")
            let end = ContinuousClock.now + .seconds(20)
            while tickets.value.count < 2, .now < end { usleep(1000) }
        }
        let end = ContinuousClock.now + .seconds(20)
        while left.value.isEmpty, .now < end { usleep(1000) }
        #expect(left.value == [2])
        for ticket in tickets.value { server.loop.reply(ServerReply(status: 500), to: ticket) }
        #expect(try server.exchange(FramingTests.close).hasPrefix("HTTP/1.1 204"))
    }

    @Test("A client that has ended its side gets the reply that comes later")
    func halfClosed() throws {
        let tickets = Shared<[ServerRequest.Ticket]>([])
        let server = try TestServer { request in
            tickets.change { $0.append(request.ticket) }
            return nil
        }
        let client = try server.connect()
        client.send(Self.request)
        client.finishSending()
        let end = ContinuousClock.now + .seconds(20)
        while tickets.value.isEmpty, .now < end { usleep(1000) }
        server.loop.reply(ServerReply(status: 404), to: try #require(tickets.value.first))
        #expect(brief(client.receive()) == "404, closed")
    }

    @Test("Work runs in its order, and later work after its time")
    func order() async throws {
        let loop = try EventLoop()
        let words = Shared<[String]>([])
        await withCheckedContinuation { continuation in
            loop.run(after: .milliseconds(60)) {
                words.change { $0.append("third") }
                continuation.resume()
            }
            loop.run(after: .milliseconds(30)) { words.change { $0.append("second") } }
            loop.run { words.change { $0.append("first") } }
        }
        #expect(words.value == ["first", "second", "third"])
    }
}
