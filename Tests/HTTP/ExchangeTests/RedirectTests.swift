import HostileServing
import ReqcliNetworking
@_spi(Generated) import RequestBuilding
import TestSupport
import Testing

@testable import Exchange

@Suite struct RedirectTests {
    private static func redirect(_ status: Int, to location: String) -> Stub {
        Stub(status: status, headers: ["Location": location])
    }

    private func follow(
        _ builder: RequestBuilder, _ stubs: StubTransport, maximum: Int = 10,
        from base: String = "https://api.example.com"
    ) async throws -> Response {
        let client = APIClient(base: RequestBuilder().baseURL(base), transport: stubs)
        return try await client.send(builder.setting(.maximumRedirects, maximum))
    }

    struct MethodCase: Sendable {
        let status: Int
        let method: HTTPMethod
        let becomes: String
    }

    @Test(
        "the method after a redirect follows RFC 9110",
        arguments: [
            MethodCase(status: 301, method: .post, becomes: "GET"),
            MethodCase(status: 302, method: .post, becomes: "GET"),
            MethodCase(status: 303, method: .post, becomes: "GET"),
            MethodCase(status: 303, method: .put, becomes: "GET"),
            MethodCase(status: 301, method: .put, becomes: "PUT"),
            MethodCase(status: 302, method: .delete, becomes: "DELETE"),
            MethodCase(status: 303, method: .head, becomes: "HEAD"),
            MethodCase(status: 307, method: .post, becomes: "POST"),
            MethodCase(status: 308, method: .patch, becomes: "PATCH"),
            MethodCase(status: 301, method: .get, becomes: "GET"),
        ])
    func method(example: MethodCase) async throws {
        let stubs = StubTransport().stubbing(Self.redirect(example.status, to: "/b"), for: "a").stubbing(
            Stub(), for: "b")
        let builder = RequestBuilder.get("a").method(example.method).body(Data("body".utf8))
            .header("Content-Type", "text/plain").header("X-A", "1")
        _ = try await follow(builder, stubs)
        let last = try #require(stubs.requests.last)
        #expect(last.method.token == example.becomes)
        let hasBody = example.becomes == example.method.token && example.status != 303 || example.becomes == "HEAD"
        #expect(last.body == (hasBody ? .data(Data("body".utf8)) : nil))
        #expect(last.headers["Content-Type"] == (hasBody ? "text/plain" : nil))
        #expect(last.headers["X-A"] == "1")
    }

    @Test(
        "a Location is resolved against the request's URL",
        arguments: [
            ("next", "https://api.example.com/v1/next"), ("/next", "https://api.example.com/next"),
            ("../next", "https://api.example.com/next"), ("?page=2", "https://api.example.com/v1/list?page=2"),
            ("//other.example.com/x", "https://other.example.com/x"),
            ("http://api.example.com/x", "http://api.example.com/x"),
            ("https://me:secret@api.example.com/x", "https://api.example.com/x"),
            // Escapes stay, and what can't stand in a URL is encoded.
            ("/b?x=a%20b&n=J S", "https://api.example.com/b?x=a%20b&n=J%20S"),
            ("/%2fa|b^{c}\"<>\\`?%e9|[d]", "https://api.example.com/%2fa%7Cb%5E%7Bc%7D%22%3C%3E%5C%60?%e9%7C%5Bd%5D"),
            ("/é?%C3%A9=é", "https://api.example.com/%C3%A9?%C3%A9=%C3%A9"),
            ("/100%?a%zz%4", "https://api.example.com/100%25?a%25zz%254"),
            ("next#a b%20#c", "https://api.example.com/v1/next#a%20b%20%23c"),
            // RFC 3986 §5.2
            ("https://api.example.com/a/../b/./c", "https://api.example.com/b/c"),
            ("//api.example.com/a/..", "https://api.example.com/"), ("/a/b/..", "https://api.example.com/a/"),
            ("../../../x", "https://api.example.com/x"), ("/..", "https://api.example.com/"),
            ("./a//b/../c/.", "https://api.example.com/v1/a//c/"),
            ("/a/%2e%2E/b", "https://api.example.com/a/%2e%2E/b"),
            ("/a?x=/../y", "https://api.example.com/a?x=/../y"), ("#part", "https://api.example.com/v1/list#part"),
            ("?", "https://api.example.com/v1/list?"), ("x;y:z", "https://api.example.com/v1/x;y:z"),
            ("/a:b", "https://api.example.com/a:b"), ("https://api.example.com?a", "https://api.example.com/?a"),
            // Hosts
            ("HTTPS://API.example.com:443/x", "https://API.example.com:443/x"),
            ("https://api.example.com:/x", "https://api.example.com/x"),
            ("https://[::1]:8443/x", "https://[::1]:8443/x"),
            ("http://bücher.example/", "http://xn--bcher-kva.example/"),
            ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
            ("http:/h.example/x", "http://h.example/x"),
            ("http:///h.example/x", "http://h.example/x"), ("///h.example/x", "https://h.example/x"),
        ])
    func location(location: String, expected: String) async throws {
        let stubs = StubTransport().stubbingRest(Stub()).stubbing(
            [Self.redirect(302, to: location), Stub()], for: "v1/list")
        let response = try await follow(.get("v1/list"), stubs)
        #expect(response.head.redirects.last?.to.absoluteString == expected)
        #expect(response.head.redirects.last?.status == 302)
    }

    @Test(
        "credentials and cookies are not sent to another origin",
        arguments: [
            ("https://api.example.com/b", true), ("https://api.example.com:443/b", true), ("/b", true),
            ("http://api.example.com/b", false), ("https://api.example.com:8443/b", false),
            ("https://evil.example.com/b", false),
            ("https://api.example.com.evil.com/b", false),
        ])
    func credentials(location: String, stay: Bool) async throws {
        let stubs = StubTransport().stubbing(Self.redirect(307, to: location), for: "a").stubbing(Stub(), for: "b")
        let client = APIClient(
            base: RequestBuilder().baseURL("https://api.example.com"), transport: stubs,
            middlewares: [
                AuthorizationMiddleware(.header(name: "X-Key", value: "k")), AuthorizationMiddleware(token: "t"),
            ])
        _ = try await client.send(RequestBuilder.get("a").header("Cookie", "id=1").header("X-A", "1"))
        let last = try #require(stubs.requests.last)
        #expect((last.headers["Authorization"] != nil) == stay)
        #expect((last.headers["Cookie"] != nil) == stay)
        #expect((last.headers["X-Key"] != nil) == stay)
        #expect(last.headers["X-A"] == "1")
    }

    @Test(
        "a body with a secret is not sent to another origin",
        arguments: [
            (307, "/b", true), (307, "https://api.example.com:443/b", true),
            (307, "https://other.example.com/b", false),
            (308, "http://api.example.com/b", false), (308, "https://api.example.com:8443/b", false),
            // These become a GET without a body.
            (302, "https://other.example.com/b", true), (303, "https://other.example.com/b", true),
        ])
    func secretBody(status: Int, location: String, isFollowed: Bool) async throws {
        let keptBack = Locked<[ResponseHead.Redirect]>([])
        let redirects = RedirectMiddleware(
            holdsSecret: { $0 == .data(Data("secret".utf8)) },
            onKeptBack: { redirect in keptBack.withLock { $0 += [redirect] } })
        for body in ["secret", "public"] {
            let stubs = StubTransport().stubbing(Self.redirect(status, to: location), for: "a").stubbing(
                Stub(), for: "b")
            let client = APIClient(
                base: RequestBuilder().baseURL("https://api.example.com"), transport: stubs, redirects: redirects)
            let response = try await client.send(RequestBuilder.get("a").method(.post).body(Data(body.utf8)))
            let isSent = isFollowed || body == "public"
            #expect(stubs.requests.count == (isSent ? 2 : 1))
            #expect(response.status == (isSent ? 200 : status))
        }
        #expect(keptBack.withLock { $0.map(\.to.absoluteString) } == (isFollowed ? [] : [location]))
    }

    @Test("a PUT with a secret is never redirected to another origin", arguments: [301, 302, 307, 308])
    func secretPut(status: Int) async throws {
        let stubs = StubTransport().stubbing(Self.redirect(status, to: "https://other.example.com/b"), for: "a")
        let client = APIClient(
            base: RequestBuilder().baseURL("https://api.example.com"), transport: stubs,
            redirects: RedirectMiddleware(holdsSecret: { _ in true }))
        let response = try await client.send(RequestBuilder.get("a").method(.put).body(Data("secret".utf8)))
        #expect(response.status == status && stubs.requests.count == 1)
    }

    @Test("with redirectCredentials set to anyHost, everything except a Host header is sent to any origin")
    func anyHost() async throws {
        let stubs = StubTransport().stubbing(Self.redirect(307, to: "https://other.example.com/b"), for: "a")
            .stubbing(Stub(), for: "b")
        let client = APIClient(
            base: RequestBuilder().baseURL("https://api.example.com"), transport: stubs,
            redirects: RedirectMiddleware(holdsSecret: { _ in true }))
        _ = try await client.send(
            RequestBuilder.get("a").method(.post).body(Data("secret".utf8)).authorization(bearer: "t")
                .header("Cookie", "id=1").header("Host", "own.example").setting(.redirectCredentials, .anyHost))
        let last = try #require(stubs.requests.last)
        #expect(last.url.host == "other.example.com" && last.body == .data(Data("secret".utf8)))
        #expect(last.headers["Authorization"] == "Bearer t" && last.headers["Cookie"] == "id=1")
        #expect(last.headers["Host"] == nil)
    }

    @Test("credentials dropped at another origin are not sent again after a redirect back")
    func roundTrip() async throws {
        let stubs = StubTransport()
            .stubbing(Self.redirect(302, to: "https://other.example.com/b"), for: "a")
            .stubbing(Self.redirect(302, to: "https://api.example.com/c"), for: "b").stubbing(Stub(), for: "c")
        _ = try await follow(RequestBuilder.get("a").authorization(bearer: "t"), stubs)
        #expect(stubs.requests.map { $0.headers["Authorization"] } == ["Bearer t", nil, nil])
    }

    @Test("the response lists the chain of redirects")
    func chain() async throws {
        let stubs = StubTransport().stubbing(Self.redirect(301, to: "/b"), for: "a")
            .stubbing(Self.redirect(302, to: "/c"), for: "b").stubbing(Stub(json: "1"), for: "c")
        let response = try await follow(.get("a"), stubs)
        #expect(response.head.redirects.map(\.status) == [301, 302])
        #expect(response.head.redirects.map(\.to.path) == ["/b", "/c"])
        #expect(response.head.url?.path == "/c")
    }

    @Test("a redirect loop ends at the limit")
    func loop() async throws {
        let stubs = StubTransport().stubbing(Self.redirect(302, to: "/a"), for: "a")
        let error = await #expect(throws: TransportError.self) { try await follow(.get("a"), stubs, maximum: 5) }
        #expect(error?.kind == .tooManyRedirects)
        #expect(error?.description.contains("limit 5") == true)
        #expect(stubs.requests.count == 6)
    }

    @Test("several Location headers are read as raw bytes, empty ones included")
    func rawLocation() throws {
        var head = ResponseHead(status: 302, headers: ["Location": "/text"])
        #expect(head.rawValues("location") == [Array("/text".utf8)])
        let text =
            "HTTP/1.1 302 Found\r\nX-Location: /x\r\nlocation :\r\nLOCATION: \t/\u{E9} \r\n more \r\nX: y\r\n z\r\n\r\n"
        head.rawBytes = text.unicodeScalars.map { UInt8($0.value) }
        #expect(head.rawValues("Location") == [[], [0x2F, 0xE9] + Array(" more".utf8)])
    }

    @Test("a redirect to a URL that cannot be requested is an error of the server")
    func unsendable() async throws {
        let stubs = StubTransport().stubbing(Self.redirect(302, to: "/b"), for: "a")
            .stubbing(Stub(error: .invalidRequest), for: "b")
        let error = await #expect(throws: TransportError.self) { try await follow(.get("a"), stubs) }
        #expect(error?.kind == .refusedRedirect)
        #expect(error?.description.contains("https://api.example.com/b") == true)
        let first = StubTransport().stubbing(Stub(error: .invalidRequest), for: "a")
        let own = await #expect(throws: TransportError.self) { try await follow(.get("a"), first) }
        #expect(own?.kind == .invalidRequest)
    }

    @Test("only http and https are followed", arguments: ["file:///etc/passwd", "ftp://example.com/", "javascript:1"])
    func schemes(location: String) async throws {
        let stubs = StubTransport().stubbing(Self.redirect(302, to: location), for: "a")
        let error = await #expect(throws: TransportError.self) { try await follow(.get("a"), stubs) }
        #expect(error?.kind == .refusedRedirect)
        #expect(stubs.requests.count == 1)
    }

    @Test("a 3xx response that is not a redirect is returned", arguments: [300, 304])
    func otherStatuses(status: Int) async throws {
        let stubs = StubTransport().stubbing(Self.redirect(status, to: "/b"), for: "a")
        #expect(try await follow(.get("a"), stubs).status == status)
        let without = StubTransport().stubbing(Stub(status: 302), for: "a")
        #expect(try await follow(.get("a"), without).status == 302)
    }

    @Test("the total timeout covers the whole chain of redirects")
    func total() async throws {
        let clock = Locked(Duration.zero)
        let stubs = StubTransport().stubbing(Self.redirect(302, to: "/a"), for: "a")
        let client = APIClient(
            base: RequestBuilder().baseURL("https://api.example.com"), transport: stubs,
            redirects: RedirectMiddleware(elapsed: {
                clock.withLock { time in
                    defer { time += .seconds(2) }
                    return time
                }
            }))
        let builder = RequestBuilder.get("a").setting(.connectTimeout, .seconds(1)).timeout(.seconds(5))
        let error = await #expect(throws: TransportError.self) { try await client.send(builder) }
        #expect(error?.kind == .timeout(.total))
        #expect(error?.detail == "limit 5 s")
        #expect(stubs.requests.map(\.transfer.timeouts.left) == [.seconds(5), .seconds(3), .seconds(1)])
        #expect(stubs.requests.allSatisfy { $0.transfer.timeouts.total == .seconds(5) })
    }
}
