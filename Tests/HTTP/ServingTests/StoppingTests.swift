import Dispatch
import Glibc
import HTTPWire
import ReqcliServing
import TestSupport
import Testing

@Suite("Listening and stopping")
struct StoppingTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    /// The problem of a server that can't listen.
    private static func problem(_ address: ListenAddress) throws -> ListenProblem? {
        let loop = try EventLoop()
        do throws(ListenProblem) {
            _ = try Server(on: [address], loop: loop, handler: ServerHandler(reply: TestServer.echo))
        } catch {
            return error
        }
        return nil
    }

    @Test("One port is open on 127.0.0.1 and ::1")
    func loopback() throws {
        let server = try TestServer()
        #expect(server.server.urls == ["http://localhost:\(server.server.port)"])
        for isIPv6 in [false, true] {
            let client = try RawClient(port: server.server.port, ipv6: isIPv6)
            client.send(FramingTests.close)
            #expect(brief(client.receive()) == "200 GET /end , closed")
        }
    }

    @Test("A port that is taken is an error, on either address")
    func takenPort() throws {
        let server = try TestServer(on: .address("::1", port: 0))
        #expect(server.server.urls == ["http://[::1]:\(server.server.port)"])
        let problem = try #require(try Self.problem(.loopback(port: server.server.port)))
        #expect(problem.isTaken)
        #expect(
            problem.reason == "cannot listen on ::1 port \(server.server.port): Address already in use")
    }

    @Test("A port is free again when its server has stopped")
    func freePort() async throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send(Self.request)
        #expect(client.text(until: "GET / ").hasSuffix("GET / "))
        await server.server.stop(grace: .seconds(10))
        let next = try TestServer(on: .loopback(port: server.server.port))
        #expect(try next.exchange(FramingTests.close).hasSuffix("GET /end "))
    }

    @Test("What is no address is said to be none")
    func noAddress() throws {
        #expect(
            try Self.problem(.address("localhost", port: 0))?.reason
                == "localhost is not an IP address; use one such as 127.0.0.1 or ::1")
    }

    @Test("The addresses of a server for the network begin with the one for this machine")
    func network() throws {
        let server = try TestServer(on: .address("0.0.0.0", port: 0))
        #expect(server.server.urls.first == "http://localhost:\(server.server.port)")
        #expect(try server.exchange(FramingTests.close).hasSuffix("GET /end "))
    }

    @Test("A unix socket is its owner's, replaces one left behind, and goes with its server")
    func unixSocket() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("s")
        do {
            // A socket that nobody has removed.
            let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(left) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let result = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(left, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(result == 0)
        }
        let clients = Shared<[String]>([])
        let server = try TestServer(
            on: .unixSocket(path: path),
            ServerHandler { request in
                clients.change { $0.append("\(request.client)") }
                return TestServer.echo(request)
            })
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let client = try RawClient(path: path)
        client.send(FramingTests.close)
        #expect(brief(client.receive()) == "200 GET /end , closed" && clients.value == ["unixSocket"])
        let problem = try #require(try Self.problem(.unixSocket(path: path)))
        #expect(problem.isTaken && problem.reason == "cannot listen on \(path): another program uses this socket")
        await server.server.stop(grace: .seconds(10))
        #expect(lstat(path, &status) != 0)
    }

    @Test("A file is never replaced by a unix socket")
    func file() throws {
        let folder = try TemporaryFolder(["a": "b"])
        let path = folder.path("a")
        #expect(
            try Self.problem(.unixSocket(path: path))?.reason
                == "cannot listen on \(path): the path exists, but is not a socket")
        #expect(try Self.problem(.unixSocket(path: String(repeating: "a", count: 108)))?.isTaken == false)
    }

    @Test("A server that stops completes what is under way, and closes what is idle")
    func graceful() throws {
        let later = Shared<ServerRequest.Ticket?>(nil)
        let server = try TestServer { request in
            guard request.head.target.path == "/slow" else { return TestServer.echo(request) }
            later.change { $0 = request.ticket }
            return nil
        }
        let (idle, slow) = (try server.connect(), try server.connect())
        idle.send(Self.request)
        #expect(idle.text(until: "GET / ").hasSuffix("GET / "))
        slow.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
        let patience = ContinuousClock.now + .seconds(20)
        while later.value == nil, .now < patience { usleep(1000) }
        let end = DispatchSemaphore(value: 0)
        server.server.stop(grace: .seconds(20)) { end.signal() }
        #expect(brief(idle.receive()) == "closed")
        server.loop.reply(ServerReply(status: 404), to: try #require(later.value))
        #expect(slow.text() == "HTTP/1.1 404 Not Found\nContent-Length: 0\nConnection: close\n\n")
        #expect(throws: RawClient.Failure.self) { try server.connect() }
        #expect(end.wait(timeout: .now() + 20) == .success)
    }

    /// Connections on which no complete request waits for its response, with what has come back before the end.
    static let useless: [(name: String, text: String, before: String)] = [
        ("half a head", request + "GET /", "200 GET / "),
        ("half a body", request + "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na", "200 GET / "),
        (
            "half a chunk", request + "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na",
            "200 GET / "
        ),
        ("a refused request whose client stays", "GET / HTTP/1.1\r\n\r\n", "400"),
        ("a refused request whose client had sent more", "GET / HTTP/1.1\r\n\r\n" + request, "400"),
        ("a last response whose client stays", FramingTests.close, "200 GET /end "),
        ("a truncated response whose client stays", "GET /truncated HTTP/1.1\r\nHost: h\r\n\r\n", "200 GET "),
    ]

    @Test("A connection without a complete request ends at once at the stop", arguments: useless)
    func endingAtOnce(_ name: String, _ text: String, _ before: String) throws {
        var limits = ServerLimits()
        limits.lingerTime = .seconds(3600)
        let server = try TestServer(limits: limits) { request in
            var reply = TestServer.echo(request)
            if request.head.target.path == "/truncated" { reply?.fault = .truncated }
            return reply
        }
        let client = try server.connect()
        client.send(text)
        let received = client.receive { brief((bytes: $0, end: nil)).hasPrefix(before) }
        let end = DispatchSemaphore(value: 0)
        server.server.stop(grace: .seconds(3600)) { end.signal() }
        #expect(end.wait(timeout: .now() + 8) == .success)
        let rest = client.receive()
        #expect(rest.bytes.isEmpty && rest.end == .closed, "\(name): \(received) \(rest)")
        // The server would end at once if nothing referred to it.
        withExtendedLifetime(server) {}
    }

    @Test("A client that has its last response, and stays, doesn't hold up the stop")
    func delayed() throws {
        let server = try TestServer { _ in
            var reply = ServerReply(status: 200)
            reply.delay = .milliseconds(200)
            return reply
        }
        let client = try server.connect()
        // The second request is complete, too.
        client.send(Self.request + Self.request)
        #expect(client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
        let end = DispatchSemaphore(value: 0)
        server.server.stop(grace: .seconds(3600)) { end.signal() }
        #expect(client.text() == "HTTP/1.1 200 OK\nContent-Length: 0\nConnection: close\n\n")
        #expect(end.wait(timeout: .now() + 20) == .success)
        withExtendedLifetime(server) {}
    }

    @Test("What takes longer than the grace is cut")
    func cut() async throws {
        let server = try TestServer { request in
            var reply = ServerReply(status: 200)
            if request.head.target.path == "/slow" { reply.delay = .seconds(3600) }
            return request.head.target.path == "/never" ? nil : reply
        }
        let clients = try ["/slow", "/never"].map { path in
            let client = try server.connect()
            client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            return client
        }
        await server.server.stop(grace: .milliseconds(50))
        for client in clients { #expect(client.receive().end != .silence) }
    }

    @Test("A second call ends at once")
    func stopTwice() async throws {
        let server = try TestServer { _ in nil }
        let client = try server.connect()
        client.send(Self.request)
        async let first: Void = server.server.stop(grace: .seconds(3600))
        await server.server.stop(grace: .zero)
        await first
        #expect(client.receive().end != .silence)
    }

    @Test("Connections are refused for a time, and those that exist go on")
    func refusal() async throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send(Self.request)
        #expect(client.text(until: "GET / ").hasSuffix("GET / "))
        server.server.refuse(for: .seconds(1))
        client.send(FramingTests.close)
        #expect(brief(client.receive()) == "200 GET /end , closed")
        var refusals = 0
        let end = ContinuousClock.now + .seconds(20)
        while .now < end {
            guard let client = try? server.connect() else {
                refusals += 1
                usleep(1000)
                continue
            }
            client.send(FramingTests.close)
            #expect(brief(client.receive()) == "200 GET /end , closed")
            break
        }
        #expect(refusals > 0 && .now < end)
    }

    @Test("A unix socket refuses for a time, too")
    func refusalOfUnixSocket() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("s")
        let server = try TestServer(on: .unixSocket(path: path))
        let first = try RawClient(path: path)
        server.server.refuse(for: .seconds(1))
        first.send(FramingTests.close)
        #expect(brief(first.receive()) == "200 GET /end , closed")
        #expect(throws: RawClient.Failure.self) { try RawClient(path: path) }
        let end = ContinuousClock.now + .seconds(20)
        while .now < end, (try? RawClient(path: path)) == nil { usleep(1000) }
        #expect(.now < end)
    }
}
