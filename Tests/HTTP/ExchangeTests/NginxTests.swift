import Exchange
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// Tests against nginx: HTTP/2 over TLS, client certificates, a unix socket, and large bodies in both directions.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: ShellCommand.has("nginx") && TLSFixture.isAvailable, "nginx and openssl are needed"))
struct NginxTests {
    private static let server = Result { try Nginx() }

    private func transport(_ change: (inout TransferSettings) -> Void = { _ in }) throws -> SettledTransport {
        let server = try Self.server.get()
        var options = TransferSettings(tls: TLSSettings(authorities: server.fixture.authority))
        change(&options)
        return SettledTransport(options)
    }

    private func request(_ path: String, secure: Bool = true) throws -> PreparedRequest {
        PreparedRequest(url: try Self.server.get().url(path, secure: secure))
    }

    @Test("HTTP/2 is used if TLS offers it, unless it is turned off")
    func version() async throws {
        let automatic = try await transport().send(request("/small"))
        #expect(automatic.head.version == "HTTP/2")
        #expect(automatic.head.reason == "")
        #expect(try await automatic.body.data() == Data("small\n".utf8))
        let old = try await transport { $0.version = .http11 }.send(request("/small"))
        #expect(old.head.version == "HTTP/1.1")
        let plain = try await transport().send(request("/small", secure: false))
        #expect(plain.head.version == "HTTP/1.1")
        let forced = try transport { $0.version = .http2 }
        for _ in 0..<3 { #expect(try await forced.send(request("/small")).head.version == "HTTP/2") }
    }

    @Test("many requests share one HTTP/2 connection, and each gets its own response")
    func multiplexing() async throws {
        let transport = try transport()
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                let request = try request("/echo?n=\(number)")
                group.addTask {
                    let body = try await transport.send(request).body.data()
                    return String(decoding: body, as: UTF8.self) == "n=\(number)" ? 0 : 1
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("no request is lost if the server closes HTTP/2 connections after a few requests", arguments: [1, 3])
    func goAway(keepaliveRequests: Int) async throws {
        let server = try Nginx(keepaliveRequests: keepaliveRequests)
        let transport = SettledTransport(TransferSettings(tls: TLSSettings(authorities: server.fixture.authority)))
        let sent = 200
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<sent {
                if number >= 32 { try await group.next() }
                group.addTask {
                    let request = PreparedRequest(url: server.url("/echo?n=\(number)", secure: true))
                    let body = try await transport.send(request).body.data()
                    #expect(body == Data("n=\(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
        #expect(try server.requestLines().count == sent)
    }

    @Test("a stream that is not read does not block the others on its connection")
    func slowStream() async throws {
        let transport = try transport()
        let slow = try await transport.send(request("/big"))
        for _ in 0..<20 { #expect(try await transport.send(request("/small")).body.data() == Data("small\n".utf8)) }
        var count = 0
        for try await chunk in slow.body { count += chunk.count }
        #expect(count == Nginx.bigSize)
    }

    @Test(
        "large downloads and uploads arrive complete", arguments: [ProtocolVersion.http11, nil])
    func large(version: ProtocolVersion?) async throws {
        let transport = try transport { $0.version = version }
        var count = 0
        for try await chunk in try await transport.send(request("/big")).body { count += chunk.count }
        #expect(count == Nginx.bigSize)

        var upload = try request("/upload")
        upload.method = .put
        upload.body = .file(path: try Self.server.get().bigFile)
        let response = try await transport.send(upload)
        #expect(try await response.body.data() == Data("\(Nginx.bigSize)".utf8))
    }

    @Test("a client certificate is sent if the server asks for one")
    func clientCertificate() async throws {
        #expect(try await transport().send(request("/private")).status == 403)
        let fixture = try Self.server.get().fixture
        let shown = try transport {
            $0.tls.certificate = fixture.certificate(.client)
            $0.tls.key = fixture.key(.client)
        }
        #expect(try await shown.send(request("/private")).status == 200)
    }

    @Test(
        "a proxy tunnel reaches the server with TLS from end to end",
        .enabled(if: ShellCommand.has("tinyproxy"), "tinyproxy is needed"))
    func tunnel() async throws {
        let proxy = try Tinyproxy()
        let tunnelled = try transport { $0.proxies = ProxySettings(https: "http://127.0.0.1:\(proxy.port)") }
        let response = try await tunnelled.send(request("/small"))
        #expect(response.status == 200)
        #expect(response.head.headers["Via"] == nil)
        #expect(response.head.connection?.port == proxy.port)
        #expect(try await response.body.data() == Data("small\n".utf8))
    }

    @Test("a unix socket reaches the server")
    func unixSocket() async throws {
        let server = try Self.server.get()
        let response = try await transport { $0.unixSocket = server.socket }.send(request("/small", secure: false))
        #expect(try await response.body.data() == Data("small\n".utf8))
    }
}
