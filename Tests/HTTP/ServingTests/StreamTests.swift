import Glibc
import HTTPWire
import ReqcliBasics
import ReqcliServing
import Testing

@Suite("Bodies that come piece by piece")
struct StreamTests {
    /// A server whose bodies are streams of these pieces, each sent when the client has taken those before.
    private static func server(_ pieces: [String], length: Int?) throws -> (loop: EventLoop, server: Server) {
        let loop = try EventLoop()
        let sent = Shared<[ServerRequest.Ticket: Int]>([:])
        var handler = ServerHandler { _ in ServerReply(status: 200, body: .stream(length: length)) }
        handler.clientTook = { ticket in
            let next = sent.change { sent in
                sent[ticket, default: -1] += 1
                return sent[ticket, default: 0]
            }
            if next < pieces.count { loop.send(Array(pieces[next].utf8), to: ticket) } else { loop.endBody(of: ticket) }
        }
        return (loop, try Server(on: [.loopback(port: 0)], loop: loop, handler: handler))
    }

    static let rows: [(name: String, pieces: [String], length: Int?, request: String, text: String)] = [
        (
            "a known length", ["ab", "c"], 3, "GET / HTTP/1.1",
            "HTTP/1.1 200 OK\nContent-Length: 3\nConnection: close\n\nabc"
        ),
        (
            "an unknown length", ["ab", "c"], nil, "GET / HTTP/1.1",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nConnection: close\n\n2\nab\n1\nc\n0\n\n"
        ),
        (
            "an unknown length in HTTP/1.0", ["ab", "c"], nil, "GET / HTTP/1.0",
            "HTTP/1.1 200 OK\nConnection: close\n\nabc"
        ),
        (
            "more than the length", ["ab", "cd"], 3, "GET / HTTP/1.1",
            "HTTP/1.1 200 OK\nContent-Length: 3\nConnection: close\n\nabc"
        ),
        (
            "less than the length", ["ab"], 3, "GET / HTTP/1.1",
            "HTTP/1.1 200 OK\nContent-Length: 3\nConnection: close\n\nabRESET"
        ),
        (
            "no piece", [], nil, "GET / HTTP/1.1",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nConnection: close\n\n0\n\n"
        ),
        (
            "HEAD", ["ab"], 2, "HEAD / HTTP/1.1", "HTTP/1.1 200 OK\nContent-Length: 2\nConnection: close\n\n"
        ),
    ]

    @Test("A stream has the framing that its client understands", arguments: rows)
    func stream(_ name: String, _ pieces: [String], _ length: Int?, _ request: String, _ text: String) throws {
        let server = try Self.server(pieces, length: length)
        let client = try RawClient(port: server.server.port)
        client.send("\(request)\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(client.text() == text)
    }

    @Test("A connection is kept behind a stream")
    func kept() throws {
        let server = try Self.server([String(repeating: "a", count: 1 << 20), "b"], length: (1 << 20) + 1)
        let client = try RawClient(port: server.server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        let (bytes, end) = client.receive()
        #expect(end == .closed && bytes.count(where: { $0 == 0x61 }) > 2 << 20 && bytes.last == 0x62)
    }

    @Test("A stream can be cut, and its owner is told of a client that leaves")
    func cut() throws {
        let loop = try EventLoop()
        let left = Shared(false)
        var handler = ServerHandler { _ in ServerReply(status: 200, body: .stream(length: nil)) }
        handler.clientTook = { loop.cut($0) }
        let server = try Server(on: [.loopback(port: 0)], loop: loop, handler: handler)
        let client = try RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.receive().end == .reset)
        handler.clientTook = { _ in }
        handler.clientLeft = { _ in left.change { $0 = true } }
        let second = try Server(on: [.loopback(port: 0)], loop: EventLoop(), handler: handler)
        do {
            let client = try RawClient(port: second.port)
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(client.text(until: "\r\n\r\n").hasSuffix("chunked\n\n"))
        }
        let end = ContinuousClock.now + .seconds(20)
        while !left.value, .now < end { usleep(1000) }
        #expect(left.value)
    }

    @Test("A client that has left is told again to whoever asks")
    func checked() throws {
        let loop = try EventLoop()
        let tickets = Shared<[ServerRequest.Ticket]>([])
        let left = Shared(0)
        var handler = ServerHandler { request in
            tickets.change { $0.append(request.ticket) }
            return nil
        }
        handler.clientLeft = { _ in left.change { $0 += 1 } }
        let server = try Server(on: [.loopback(port: 0)], loop: loop, handler: handler)
        func wait(_ isTrue: () -> Bool) {
            let end = ContinuousClock.now + .seconds(20)
            while !isTrue(), .now < end { usleep(500) }
        }
        do {
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            wait { tickets.value.count == 1 }
            loop.checkClient(of: try #require(tickets.value.first))
            loop.reply(ServerReply(status: 200), to: try #require(tickets.value.first))
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            wait { tickets.value.count == 2 }
            // The loop has answered the question by now.
            #expect(left.value == 0)
        }
        wait { left.value == 1 }
        #expect(left.value == 1)
        loop.checkClient(of: try #require(tickets.value.last))
        wait { left.value == 2 }
        #expect(left.value == 2)
    }
}
