import Exchange
import HostileServing
import ReqcliBasics
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// An app's own sessions: with the loader but without the transport, and the other way round.
@Suite(.timeLimit(.minutes(10))) struct PlainSessionTests {
    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                switch request.line.split(separator: " ")[1] {
                case "/long":
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n")
                    connection.send([UInt8](repeating: 0x61, count: 3_000_000))
                case "/locked":
                    connection.respond(401, ["WWW-Authenticate: Basic realm=\"x\""], body: "locked")
                case "/cut":
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
                    return
                default: connection.respond(200, ["X-A: 1", "x-a: 2"], body: "hello")
                }
            }
        }
    }

    private func answer(
        _ path: String, _ server: HostileServer
    ) async -> (data: Data?, response: URLResponse?, error: (any Error)?) {
        let session = URLSession(configuration: .exchange)
        return await withCheckedContinuation { continuation in
            session.dataTask(with: server.url(path)) { continuation.resume(returning: ($0, $1, $2)) }.resume()
        }
    }

    @Test("a completion handler gets the whole body and the response as sent")
    func completionHandler() async throws {
        let server = try Self.server()
        let (data, response, error) = await answer("/", server)
        #expect(error == nil)
        #expect(data == Data("hello".utf8))
        let answer = try #require(response as? LibcurlResponse)
        #expect(answer.statusCode == 200)
        #expect(answer.value(forHTTPHeaderField: "X-A") == "1, 2")
        #expect(answer.head.headers.values("X-A") == ["1", "2"])
        #expect(answer.ending.timings != nil)
        #expect(await self.answer("/long", server).data?.count == 3_000_000)
    }

    @Test("an authentication challenge is returned and does not hang")
    func challenge() async throws {
        let (data, response, _) = await answer("/locked", try Self.server())
        let answer = try #require(response as? LibcurlResponse)
        #expect(answer.statusCode == 401)
        #expect(answer.head.headers["WWW-Authenticate"] == "Basic realm=\"x\"")
        #expect(data == Data("locked".utf8))
    }

    @Test("a failure is passed on unchanged")
    func failure() async throws {
        let (_, _, error) = await answer("/cut", try Self.server())
        #expect((error as? TransportError)?.kind == .truncated)
    }

    @Test("one session runs many tasks at the same time")
    func parallel() async throws {
        let server = try Self.server()
        let session = URLSession(configuration: .exchange)
        let right = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        session.dataTask(with: server.url()) { data, _, _ in
                            continuation.resume(returning: data == Data("hello".utf8))
                        }.resume()
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 300)
    }

    @Test("finished requests leave no running task in Foundation's session")
    func tasksEnd() async throws {
        let server = try Self.server()
        let session = URLSession(configuration: .exchange)
        let transport = URLSessionTransport(session: session)
        await withTaskGroup { group in
            for path in ["/", "/long", "/cut", "/locked"] + Array(repeating: "/", count: 40) {
                group.addTask { _ = try? await transport.send(PreparedRequest(url: server.url(path))).body.data() }
            }
        }
        // Foundation notices a little later. If it never did, this would wait until the suite's time limit.
        while await tasks(of: session) > 0 { await Task.yield() }
    }

    private func tasks(of session: URLSession) async -> Int {
        await withCheckedContinuation { continuation in
            session.getAllTasks { continuation.resume(returning: $0.count) }
        }
    }

    @Test(
        "a length that is in doubt is an error with Foundation's loader, too",
        arguments: ["+7", "7, 8", "7\r\nContent-Length: 8"])
    func doubtfulLength(_ length: String) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n1234567")
        }
        defer { server.stop() }
        await #expect(throws: (any Error).self) {
            let response = try await URLSessionTransport.foundation().send(PreparedRequest(url: server.url()))
            _ = try await response.body.data()
        }
    }

    @Test("the transport works with Foundation's own loader, in its own session or the app's")
    func foundation() async throws {
        let server = try Self.server()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        for transport in [
            URLSessionTransport(session: URLSession(configuration: configuration)), URLSessionTransport.foundation(),
        ] {
            let response = try await transport.send(PreparedRequest(url: server.url()))
            #expect(response.status == 200)
            #expect(try await response.body.data() == Data("hello".utf8))
        }
        server.stop()
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport.foundation().send(PreparedRequest(url: server.url()))
        }
        #expect(error?.kind == .refused)
    }

    @Test("with Foundation's own loader, redirects follow our rules and the total timeout applies")
    func foundationRedirects() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                switch request.line.split(separator: " ")[1] {
                case "/a": connection.respond(307, ["Location: b"])
                case "/b": connection.respond(body: String(decoding: request.body, as: UTF8.self))
                default: connection.waitForClose()
                }
            }
        }
        let transport = URLSessionTransport.foundation().with(RedirectMiddleware())
        var request = PreparedRequest(url: server.url("/a"))
        request.method = .post
        request.body = .data(Data("body".utf8))
        let response = try await transport.send(request)
        #expect(response.head.redirects.map(\.status) == [307])
        #expect(try await response.body.data() == Data("body".utf8))

        var silent = PreparedRequest(url: server.url("/silent"))
        silent.transfer.timeouts.total = .milliseconds(300)
        let sent = silent
        let error = await #expect(throws: TransportError.self) { try await transport.send(sent) }
        #expect(error?.kind == .timeout(.total))
    }

    @Test("limits that are none, and exceptions of no proxy, are no settings to ignore")
    func harmless() async throws {
        let server = try HostileServer { connection in
            if connection.readRequest() != nil { connection.respond(body: "ok") }
        }
        var request = PreparedRequest(url: server.url())
        request.transfer.timeouts = Timeouts(total: .seconds(60))
        request.transfer.proxies.exceptions = "localhost"
        let body = try await URLSessionTransport.foundation().send(request).body.data()
        #expect(body == Data("ok".utf8))
    }

    static let ignoredSettings: [(name: String, set: @Sendable (inout TransferSettings) -> Void)] = [
        ("tls.ca", { $0.tls.authorities = "ca.pem" }), ("tls.authoritiesFolder", { $0.tls.authoritiesFolder = "/etc" }),
        ("tls.insecure", { $0.tls.isInsecure = true }), ("tls.cert", { $0.tls.certificate = "c.pem" }),
        ("tls.key", { $0.tls.key = "k.pem" }), ("tls.minVersion", { $0.tls.minimumVersion = .tls13 }),
        ("tls.maxVersion", { $0.tls.maximumVersion = .tls12 }), ("httpVersion", { $0.version = .http2 }),
        ("proxies.http", { $0.proxies = ProxySettings("http://localhost:1") }),
        ("compressed", { $0.decodesContent = false }),
        ("resolve", { $0.resolvedHosts = [ResolvedHost(host: "h", port: 80, address: "::1")] }),
        ("detours", { $0.detours = [ConnectionDetour(otherPort: 1)] }), ("unix-socket", { $0.unixSocket = "/s" }),
        ("timeout.connect", { $0.timeouts.connect = .seconds(1) }),
        ("timeout.firstByte", { $0.timeouts.firstByte = .seconds(1) }),
    ]

    @Test(
        "a setting that Foundation's own loader would ignore is an error, and nothing is sent",
        arguments: ignoredSettings)
    func ignored(_ name: String, _ set: @Sendable (inout TransferSettings) -> Void) async throws {
        let requests = Mutex(0)
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            requests.withLock { $0 += 1 }
            connection.respond()
        }
        var request = PreparedRequest(url: server.url())
        set(&request.transfer)
        let sent = request
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport.foundation().send(sent)
        }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.detail == "Foundation's loader cannot obey the setting \(name)")
        #expect(requests.withLock { $0 } == 0)
    }

    @Test("with Foundation's own loader, the total timeout applies while the loader is busy")
    func busyLoader() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [BusyLoader.self]
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        var request = PreparedRequest(url: try #require(URL(string: "http://localhost/")))
        request.transfer.timeouts.total = .milliseconds(300)
        let sent = request
        let error = await #expect(throws: TransportError.self) { try await transport.send(sent) }
        #expect(error?.kind == .timeout(.total))
        #expect(BusyLoader.hasGivenUp.withLock { $0 } == false)
        BusyLoader.mayEnd.signal()
    }
}

/// Blocks the queue of its session until the test releases it.
private final class BusyLoader: URLProtocol {
    static let mayEnd = DispatchSemaphore(value: 0)
    static let hasGivenUp = Mutex(false)

    override static func canInit(with request: URLRequest) -> Bool { true }
    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        if Self.mayEnd.wait(timeout: .now() + 20) == .timedOut { Self.hasGivenUp.withLock { $0 = true } }
        client?.urlProtocol(self, didFailWithError: URLError(.cancelled))
    }

    override func stopLoading() {}
}
