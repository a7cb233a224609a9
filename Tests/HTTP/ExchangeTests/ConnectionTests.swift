import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@testable import Exchange

@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    private static func answering(on address: HostileServer.Address = .ipv4) throws -> HostileServer {
        try HostileServer(on: address) { connection in
            while let request = connection.readRequest() { connection.respond(body: request.line) }
        }
    }

    @Test("an IPv6 literal is reached")
    func ipv6() async throws {
        let server = try Self.answering(on: .ipv6)
        let url = try #require(URL(string: "http://[::1]:\(server.port)/a"))
        let response = try await URLSessionTransport().send(PreparedRequest(url: url))
        #expect(response.head.connection?.address == "::1")
        #expect(try await response.body.data() == Data("GET /a HTTP/1.1".utf8))
        #expect(server.requests.first?.values("Host") == ["[::1]:\(server.port)"])
    }

    @Test("a unix socket stands in for whatever host the URL names")
    func unixSocket() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/socket"
        let server = try Self.answering(on: .unix(path: path))
        let transport = SettledTransport(TransferSettings(unixSocket: path))
        let url = try #require(URL(string: "http://docker.invalid/info"))
        let response = try await transport.send(PreparedRequest(url: url))
        #expect(try await response.body.data() == Data("GET /info HTTP/1.1".utf8))
        #expect(server.requests.first?.values("Host") == ["docker.invalid"])

        let missing = SettledTransport(TransferSettings(unixSocket: "\(folder.path)/missing"))
        let error = await #expect(throws: TransportError.self) { try await missing.send(PreparedRequest(url: url)) }
        #expect(error?.kind == .socketMissing)
    }

    @Test("an address can stand in for a DNS answer")
    func resolve() async throws {
        let server = try Self.answering()
        let entry = ResolvedHost(host: "api.invalid", port: server.port, address: "127.0.0.1")
        let transport = SettledTransport(TransferSettings(resolvedHosts: [entry]))
        let url = try #require(URL(string: "http://api.invalid:\(server.port)/"))
        #expect(try await transport.send(PreparedRequest(url: url)).status == 200)
        #expect(server.requests.first?.values("Host") == ["api.invalid:\(server.port)"])
    }

    @Test("a connection is kept and said to be used again")
    func reuse() async throws {
        let server = try Self.answering()
        let transport = URLSessionTransport(engine: Engine(name: "reuse"))
        var reused: [Bool?] = []
        for _ in 0..<3 {
            let response = try await transport.send(PreparedRequest(url: server.url()))
            reused.append(response.head.connection?.isReused)
            _ = try await response.body.data()
        }
        #expect(reused == [false, true, true])
        #expect(server.connections == 1)
    }

    @Test("bytes that come between two requests are no response to the second one")
    func lateBytes() async throws {
        let isLate = Locked(false)
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.respond(body: request.line)
                guard request.line.contains(" /1 ") else { continue }
                connection.pause(0.1)
                connection.respond(body: "late")
                connection.waitUntilReceived()
                isLate.withLock { $0 = true }
            }
        }
        let transport = URLSessionTransport(engine: Engine(name: "late"))
        for path in ["1", "2", "3"] {
            let response = try await transport.send(PreparedRequest(url: server.url("/" + path)))
            #expect(try await response.body.data() == Data("GET /\(path) HTTP/1.1".utf8))
            while path == "1", !isLate.withLock({ $0 }) { await Task.yield() }
        }
        #expect(server.connections == 2)
    }

    @Test("plain requests go through the proxy with their whole URL, exceptions directly")
    func plainProxy() async throws {
        let proxy = try Self.answering()
        let server = try Self.answering()
        let settings = ProxySettings(http: "http://me:secret@127.0.0.1:\(proxy.port)", exceptions: "127.0.0.1")
        let transport = SettledTransport(TransferSettings(proxies: settings))
        let url = try #require(URL(string: "http://far.invalid/a"))
        #expect(try await transport.send(PreparedRequest(url: url)).status == 200)
        #expect(proxy.requests.first?.line == "GET http://far.invalid/a HTTP/1.1")
        #expect(proxy.requests.first?.values("Proxy-Authorization") == ["Basic bWU6c2VjcmV0"])
        #expect(try await transport.send(PreparedRequest(url: server.url())).status == 200)
        #expect(server.requests.count == 1)
        #expect(proxy.requests.count == 1)
    }

    @Test("a proxy that refuses, and one that isn't there, are told apart from the server")
    func brokenProxy() async throws {
        let proxy = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(403)
        }
        let url = try #require(URL(string: "https://far.invalid/"))
        let refusing = ProxySettings(https: "http://me:secret@127.0.0.1:\(proxy.port)")
        let error = await #expect(throws: TransportError.self) {
            try await SettledTransport(TransferSettings(proxies: refusing)).send(PreparedRequest(url: url))
        }
        #expect(error?.kind == .proxy)
        let message = "the proxy 127.0.0.1:\(proxy.port) didn't connect (it responded with 403): "
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
        #expect(proxy.requests.first?.line == "CONNECT far.invalid:443 HTTP/1.1")

        proxy.stop()
        let missing = await #expect(throws: TransportError.self) {
            try await SettledTransport(TransferSettings(proxies: refusing)).send(PreparedRequest(url: url))
        }
        #expect(missing?.kind == .proxy)
        #expect(missing?.description.contains("secret") == false)

        // libcurl's own sentence about this one repeats the whole URL.
        let strange = ProxySettings(https: "gopher://me:secret@127.0.0.1:1")
        let unsupported = await #expect(throws: TransportError.self) {
            try await SettledTransport(TransferSettings(proxies: strange)).send(PreparedRequest(url: url))
        }
        #expect(unsupported?.kind == .proxy)
        #expect(unsupported?.description.contains("127.0.0.1:1") == true)
        #expect(unsupported?.description.contains("secret") == false, "\(unsupported?.description ?? "")")
    }

    @Test(
        "which hosts the exceptions name is decided as libcurl does",
        arguments: [
            ("127.0.0.1/32", "127.0.0.1", true), ("127.0.0.1/0", "127.0.0.1", true), ("1.2.3.4/0", "127.0.0.1", false),
            ("127.0.0.1/33", "127.0.0.1", false), ("127.0.0.1/x", "127.0.0.1", true),
            ("127.0.0.2/31", "127.0.0.1", false), ("127.0.0.0/31", "127.0.0.1", true),
            ("127.0.0.0/1", "127.0.0.1", true), ("0.1", "127.0.0.1", false), ("127.1", "127.0.0.1", false),
            ("::1", "[::1]", true), ("fe80::/10", "[::1]", false), ("*", "h", true), ("*,a", "h", false),
            (" * ", "h", false), ("a h", "h", true), (",h", "h", true), ("..h", "h", false), (".", "h", false),
            ("h.", "h", true), ("h", "h.", true), (".H", "a.h", true), ("h", "ah", false), ("a.h", "h", false),
        ])
    func exceptions(list: String, host: String, isException: Bool) throws {
        let settings = TransferSettings(proxies: ProxySettings(http: "http://p", exceptions: list))
        let url = try #require(URL(string: "http://\(host):1/"))
        #expect((settings.proxy(for: url) == nil) == isException)
    }

    @Test("the proxy variables are read as other tools read them")
    func variables() {
        let all = ProxySettings(environment: ["all_proxy": "http://a", "NO_PROXY": "x,y"])
        #expect(all == ProxySettings(http: "http://a", https: "http://a", exceptions: "x,y"))
        let each = ProxySettings(environment: [
            "http_proxy": "http://b", "HTTPS_PROXY": "http://c", "all_proxy": "http://a",
        ])
        #expect(each == ProxySettings(http: "http://b", https: "http://c"))
        #expect(ProxySettings(environment: ["HTTP_PROXY": "http://evil", "https_proxy": ""]) == ProxySettings())
    }
}
