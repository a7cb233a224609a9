import Glibc
import HTTPWire
import ReqcliServing
import Testing

/// An owner that takes large bodies in parts, and notes what comes of them.
private struct Owner {
    let loop: EventLoop
    let server: Server
    let seen: Shared<[String]>
    let tickets: Shared<[ServerRequest.Ticket]>

    /// - Parameters:
    ///   - isReading: Whether it asks for each part at once.
    ///   - onPart: What else it does with each part.
    init(
        limits: ServerLimits = Self.small(), isReading: Bool = true, taking: BodyTaking = .parts,
        clock: LoopClock = .monotonic,
        onPart: @escaping @Sendable (EventLoop, ServerRequest.Ticket, _ isLast: Bool) -> Void = Self.replyAtEnd
    ) throws {
        let loop = try EventLoop(clock: clock)
        let seen = Shared<[String]>([])
        let tickets = Shared<[ServerRequest.Ticket]>([])
        var handler = ServerHandler(reply: TestServer.echo)
        handler.takesBody = { request in
            seen.change { $0.append("\(request.head.target.path) \(String(decoding: request.body, as: UTF8.self))") }
            tickets.change { $0.append(request.ticket) }
            if isReading { loop.readBody(of: request.ticket) }
            return taking
        }
        handler.bodyCame = { ticket, event in
            switch event {
            case .part(let bytes, let isLast):
                seen.change { $0.append(String(decoding: bytes, as: UTF8.self) + (isLast ? " end" : "")) }
                if isReading, !isLast { loop.readBody(of: ticket) }
                onPart(loop, ticket, isLast)
            case .broken(let problem): seen.change { $0.append("\(problem.status)") }
            }
        }
        handler.clientLeft = { _ in seen.change { $0.append("left") } }
        self.loop = loop
        self.seen = seen
        self.tickets = tickets
        server = try Server(on: [.loopback(port: 0)], loop: loop, limits: limits, handler: handler)
    }

    static let replyAtEnd: @Sendable (EventLoop, ServerRequest.Ticket, Bool) -> Void = { loop, ticket, isLast in
        if isLast { loop.reply(ServerReply(status: 200, body: .bytes(Array("done".utf8))), to: ticket) }
    }

    /// Bodies of more than 4 bytes come in parts, and none has more than 20.
    static func small(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
        var limits = ServerLimits()
        limits.request.wholeBody = 4
        limits.request.body = 20
        change(&limits)
        return limits
    }

    /// Everything that was seen, once it is at least this much.
    func seen(_ count: Int) -> [String] {
        let end = ContinuousClock.now + .seconds(20)
        while seen.value.count < count, .now < end { usleep(500) }
        return seen.value
    }

    func connect() throws -> RawClient { try RawClient(port: server.port) }
}

@Suite("Bodies of requests that are taken in parts")
struct UploadTests {
    private static let head = "POST /a HTTP/1.1\r\nHost: h\r\n"
    private static let end = "GET /end HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

    static let bodies: [(name: String, body: String, seen: [String])] = [
        ("a small one is read whole", "Content-Length: 4\r\n\r\nabcd", []),
        ("a larger length", "Content-Length: 6\r\n\r\nabcdef", ["/a abcd", "abcdef end"]),
        (
            "larger chunks", "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n",
            ["/a abcd", "abcdef end"]
        ),
    ]

    @Test("The request behind a body is read, and each body is taken as large as it is", arguments: bodies)
    func sizes(_ name: String, _ body: String, _ seen: [String]) throws {
        let owner = try Owner()
        let client = try owner.connect()
        client.send(Self.head + body + Self.end)
        #expect(brief(client.receive()) == "200 \(seen.isEmpty ? "POST /a abcd" : "done"), 200 GET /end , closed")
        #expect(owner.seen.value == seen)
    }

    @Test("A body that its owner leaves whole is read whole")
    func left() throws {
        let owner = try Owner(isReading: false, taking: .whole)
        let client = try owner.connect()
        client.send(Self.head + "Content-Length: 6\r\n\r\nabcdef" + Self.end)
        #expect(brief(client.receive()) == "200 POST /a abcdef, 200 GET /end , closed")
        #expect(owner.seen.value == ["/a abcd"])
    }

    @Test("Parts come before the body has ended, each one when it is asked for")
    func parts() throws {
        let owner = try Owner(isReading: false)
        let client = try owner.connect()
        client.send(Self.head + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n")
        #expect(owner.seen(1) == ["/a abcd"])
        let ticket = try #require(owner.tickets.value.first)
        owner.loop.readBody(of: ticket)
        #expect(owner.seen(2) == ["/a abcd", "abcde"])
        client.send("1\r\nf\r\n0\r\n\r\n")
        // Asked by another client, the loop has had its turn.
        #expect(brief(try askAnother(owner)) == "200 GET /end , closed")
        #expect(owner.seen.value.count == 2)
        owner.loop.readBody(of: ticket)
        #expect(owner.seen(3) == ["/a abcd", "abcde", "f end"])
        client.send(Self.end)
        #expect(brief(client.receive()) == "200 done, 200 GET /end , closed")
    }

    private func askAnother(_ owner: Owner) throws -> (bytes: [UInt8], end: RawClient.End?) {
        let other = try owner.connect()
        other.send(Self.end)
        return other.receive()
    }

    @Test("A client that doesn't read on is held back while its owner doesn't ask")
    func backpressure() throws {
        var limits = ServerLimits()
        limits.request.body = 1 << 30
        let owner = try Owner(limits: limits, isReading: false)
        let client = try owner.connect()
        var time = timeval(tv_sec: 0, tv_usec: 200_000)
        setsockopt(client.descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        client.send(Self.head + "Content-Length: 1000000000\r\n\r\n")
        let piece = [UInt8](repeating: 0x61, count: 1 << 20)
        var sent = 0
        while sent < 1 << 28 {
            let count = Glibc.send(client.descriptor, piece, piece.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { break }
            sent += count
        }
        // The kernel's buffers have some megabytes.
        #expect(sent < 1 << 26)
    }

    @Test("A response may come before the body has ended; then the connection is closed, and nothing behind it is read")
    func early() throws {
        let owner = try Owner { loop, ticket, _ in
            loop.reply(ServerReply(status: 413, body: .bytes(Array("no".utf8))), to: ticket)
        }
        let client = try owner.connect()
        client.send(Self.head + "Content-Length: 10\r\n\r\nabcde")
        let text = client.text(until: "no")
        #expect(text == "HTTP/1.1 413 Content Too Large\nContent-Length: 2\nConnection: close\n\nno")
        client.send("fghij" + Self.end)
        #expect(brief(client.receive()) == "closed")
    }

    @Test("A response may be under way while the body comes")
    func duplex() throws {
        let owner = try Owner { loop, ticket, isLast in
            loop.reply(ServerReply(status: 200, body: .stream(length: nil)), to: ticket)
            loop.send(Array("x".utf8), to: ticket)
            if isLast { loop.endBody(of: ticket) }
        }
        let client = try owner.connect()
        client.send(Self.head + "Content-Length: 10\r\n\r\nabcde")
        #expect(client.text(until: "x\r\n").hasSuffix("Connection: close\n\n1\nx\n"))
        client.send("fghij")
        #expect(client.text() == "1\nx\n0\n\n")
        #expect(owner.seen.value == ["/a abcd", "abcde", "fghij end"])
    }

    @Test("A reply in place of the body closes the connection behind it")
    func refusal() throws {
        let owner = try Owner(isReading: false, taking: .refused(ServerReply(status: 403)))
        let client = try owner.connect()
        client.send(Self.head + "Content-Length: 10\r\n\r\nabcdefghij" + Self.end)
        #expect(brief(client.receive()) == "403, closed")
    }

    static let brokenBodies: [(name: String, body: String, status: String)] = [
        ("more than the largest body", "10\r\n", "413"),
        ("a chunk that is longer than its size", "1\r\nfgh\r\n", "400"),
        ("a size in other digits", "x\r\n", "400"),
    ]

    @Test("A broken body is told, and its client gets the reason", arguments: brokenBodies)
    func broken(_ name: String, _ body: String, _ status: String) throws {
        let owner = try Owner()
        let client = try owner.connect()
        client.send(Self.head + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n")
        #expect(owner.seen(2) == ["/a abcd", "abcde"])
        client.send(body)
        #expect(brief(client.receive()) == "\(status), closed")
        #expect(owner.seen.value == ["/a abcd", "abcde", status])
    }

    @Test("A length above the largest body is refused at the head")
    func tooLong() throws {
        let owner = try Owner()
        let client = try owner.connect()
        client.send(Self.head + "Content-Length: 21\r\n\r\n")
        #expect(brief(client.receive()) == "413, closed")
        #expect(owner.seen.value.isEmpty)
    }

    static let ends: [(name: String, isReset: Bool)] = [("an end", false), ("a reset", true)]

    @Test("A client that leaves in the middle is told once, and no end of its body", arguments: ends)
    func leaving(_ name: String, _ isReset: Bool) throws {
        let owner = try Owner()
        do {
            let client = try owner.connect()
            client.send(Self.head + "Content-Length: 10\r\n\r\nabcde")
            #expect(owner.seen(2).count == 2)
            var option = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout<linger>.size)
            if isReset { setsockopt(client.descriptor, SOL_SOCKET, SO_LINGER, &option, size) }
        }
        #expect(owner.seen(3) == ["/a abcd", "abcde", "left"])
    }

    @Test("A client that has sent its body and closes its side gets its response")
    func halfClosed() throws {
        let owner = try Owner(isReading: false)
        let client = try owner.connect()
        client.send(Self.head + "Content-Length: 6\r\n\r\nabcde")
        #expect(owner.seen(1) == ["/a abcd"])
        client.send("f")
        client.finishSending()
        _ = try askAnother(owner)
        let ticket = try #require(owner.tickets.value.first)
        owner.loop.readBody(of: ticket)
        if owner.seen(2).last != "abcdef end" { owner.loop.readBody(of: ticket) }
        #expect(brief(client.receive()) == "200 done, closed")
        #expect(!owner.seen.value.contains("left"))
    }

    @Test("A silent client gets 408, but only while its owner asks")
    func silence() throws {
        let time = Shared<Int64>(0)
        let owner = try Owner(isReading: false, clock: LoopClock { time.value })
        let client = try owner.connect()
        client.send(Self.head + "Content-Length: 10\r\n\r\nabcde")
        #expect(owner.seen(1).count == 1)
        let ticket = try #require(owner.tickets.value.first)
        owner.loop.readBody(of: ticket)
        #expect(owner.seen(2).count == 2)
        time.change { $0 += 100_000 }
        #expect(brief(try askAnother(owner)) == "200 GET /end , closed")
        #expect(owner.seen.value.count == 2)
        owner.loop.readBody(of: ticket)
        // Behind this the owner's question has been taken.
        _ = try askAnother(owner)
        time.change { $0 += 31_000 }
        owner.loop.run {}
        #expect(brief(client.receive()) == "408, closed")
        #expect(owner.seen.value.last == "408")
    }

    @Test("A client that waits for 100 gets it, and its body comes in parts")
    func expectation() throws {
        let owner = try Owner()
        let client = try owner.connect()
        client.send(Self.head + "Expect: 100-continue\r\nContent-Length: 6\r\nConnection: close\r\n\r\n")
        #expect(client.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\n\n")
        client.send("abcdef")
        #expect(brief(client.receive()) == "200 done, closed")
        #expect(owner.seen.value == ["/a abcd", "abcdef end"])
    }
}
