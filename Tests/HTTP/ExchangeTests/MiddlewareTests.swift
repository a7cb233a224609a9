import Exchange
import Foundation
import HostileServing
import ReqcliNetworking
@_spi(Generated) import RequestBuilding
import TestSupport
import Testing

@Suite struct MiddlewareTests {
    private let stubs = StubTransport().stubbingRest(Stub(json: "1"))

    private func send(_ middlewares: [any Middleware], _ builder: RequestBuilder = .get("a")) async throws
        -> PreparedRequest
    {
        let base = RequestBuilder().baseURL("https://api.example.com").removingHeader("User-Agent")
        let client = APIClient(base: base, transport: stubs, middlewares: middlewares)
        _ = try await client.send(builder)
        return try #require(stubs.requests.last)
    }

    @Test("one middleware is tried alone")
    func trial() async throws {
        let sent = try await AuthorizationMiddleware(token: "t").trial(of: .get("todos"))
        #expect(sent.requests.map(\.url.absoluteString) == ["http://stub.invalid/todos"])
        #expect(sent.requests.first?.headers["Authorization"] == "Bearer t")
        let retried = try await RetryMiddleware(sleep: { _ in }).trial(
            of: .get("a"), respondingWith: Stub(status: 503), Stub(json: "1"))
        #expect(retried.requests.count == 2)
        #expect(try await retried.response.body.data() == Data("1".utf8))
    }

    @Test("AuthorizationMiddleware adds a bearer token and keeps URL and method")
    func bearer() async throws {
        let request = try await send([AuthorizationMiddleware(token: "abc")], .post("a"))
        #expect(request.headers["Authorization"] == "Bearer abc")
        #expect(request.url.absoluteString == "https://api.example.com/a")
        #expect(request.method.token == "POST")
    }

    @Test("AuthorizationMiddleware can add Basic credentials, a header or a query item")
    func otherCredentials() async throws {
        let basic = try await send([AuthorizationMiddleware(.basic(user: "Aladdin", password: "open sesame"))])
        #expect(basic.headers["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let header = try await send([AuthorizationMiddleware(.header(name: "X-Key", value: "k"))])
        #expect(header.headers["X-Key"] == "k")
        let query = try await send(
            [AuthorizationMiddleware(.query(name: "key", value: "a b&c"))],
            RequestBuilder.get("a").addingQueryItem("q", "1"))
        #expect(query.url.absoluteString == "https://api.example.com/a?q=1&key=a%20b%26c")
    }

    @Test("a request's own Authorization is kept")
    func ownAuthorization() async throws {
        let builder = RequestBuilder.get("a").authorization(bearer: "own")
        let request = try await send([AuthorizationMiddleware(token: "abc")], builder)
        #expect(request.headers.values("Authorization") == ["Bearer own"])
    }

    @Test("credentials of a closure are asked for with each request, and its error ends the request")
    func closure() async throws {
        let count = Locked(0)
        let authorization = AuthorizationMiddleware {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > 2 { throw CancellationError() }
            return .bearer("token \(number)")
        }
        #expect(try await send([authorization]).headers["Authorization"] == "Bearer token 1")
        #expect(try await send([authorization]).headers["Authorization"] == "Bearer token 2")
        await #expect(throws: CancellationError.self) { try await send([authorization]) }
        #expect("\(authorization)" == "AuthorizationMiddleware(credentials of a closure)")
    }

    /// A logger that collects what it gets, with a clock that goes 12 ms further with each look.
    private func logging() -> (middleware: LoggingMiddleware, lines: @Sendable () -> [String]) {
        let lines = Locked<[String]>([])
        let time = Locked(Duration.zero)
        let middleware = LoggingMiddleware(
            elapsed: {
                time.withLock { time in
                    time += .milliseconds(12)
                    return time
                }
            }, logger: { line in lines.withLock { $0.append(line) } })
        return (middleware, { lines.withLock { $0 } })
    }

    @Test("LoggingMiddleware logs method, URL and headers once per request, then status and time")
    func logged() async throws {
        let (logging, lines) = logging()
        _ = try await send([logging], RequestBuilder.get("a").header("X-A", "1").header("Cookie", "id=1"))
        #expect(
            lines() == [
                "GET https://api.example.com/a\nX-A: 1\nCookie: ***", "200 after 12 ms: GET https://api.example.com/a",
            ])
    }

    @Test("LoggingMiddleware logs an error with its time")
    func loggedError() async throws {
        let (logging, lines) = logging()
        let base = try #require(URL(string: "https://api.example.com"))
        let client = APIClient(
            baseURL: base,
            transport: StubTransport().stubbingRest(
                Stub(status: 302, headers: ["Location": "ftp://api.example.com/?token=s3cr3t"])),
            middlewares: [logging])
        await #expect(throws: TransportError.self) {
            try await client.send(RequestBuilder.get("a").setting(.followsRedirects, true))
        }
        let words = "failed after 12 ms: GET https://api.example.com/a: cannot follow the redirect of api.example.com"
        #expect(lines().last == words)
    }

    @Test("RetryMiddleware and DecodingMiddleware work without a setting")
    func alone() async throws {
        let base = try #require(URL(string: "https://api.example.com"))
        let stubs = StubTransport().stubbing([Stub(status: 503), Stub(status: 503), Stub(json: "1")], for: "a")
            .stubbingRest(Stub(json: "1"))
        let client = APIClient(
            baseURL: base, transport: stubs, middlewares: [RetryMiddleware(sleep: { _ in }), DecodingMiddleware()])
        let value: Int = try await client.value(of: .get("a"))
        #expect(value == 1)
        #expect(stubs.requests.count == 3)
        #expect(stubs.requests.allSatisfy { $0.headers["Accept-Encoding"] != nil })
        _ = try await APIClient(baseURL: base, transport: stubs).send(RequestBuilder.get("b"))
        #expect(stubs.requests.last?.headers["Accept-Encoding"] == nil)
        // A request can do without both.
        let once = StubTransport().stubbing([Stub(status: 503), Stub(json: "1")], for: "a")
        let builder = RequestBuilder.get("a").setting(.retryTimes, 0).setting(.decodesContent, false)
        #expect(try await client.with(transport: once).send(builder).status == 503)
        #expect(once.requests.map { $0.headers["Accept-Encoding"] } == [nil])
    }

    @Test("a request says which app sends it, unless the base or the request says otherwise")
    func userAgent() async throws {
        func sent(_ base: RequestBuilder, _ builder: RequestBuilder = .get("a")) async throws -> HeaderFields {
            let base = RequestBuilder().baseURL("https://api.example.com").appending(base)
            _ = try await APIClient(base: base, transport: stubs).send(builder)
            return try #require(stubs.requests.last).headers
        }
        let name = ProcessInfo.processInfo.processName
        #expect(try await sent(RequestBuilder()) == ["User-Agent": name])
        #expect(try await sent(RequestBuilder().header("User-Agent", "Todos/1.0")) == ["User-Agent": "Todos/1.0"])
        #expect(try await sent(RequestBuilder(), .get("a").header("User-Agent", "b")) == ["User-Agent": "b"])
        #expect(try await sent(RequestBuilder().removingHeader("User-Agent")) == [:])
    }

    @Test("the setting decodesContent works without a middleware")
    func setting() async throws {
        let base = try #require(URL(string: "https://api.example.com"))
        var transfer = TransferSettings()
        transfer.decodesContent = true
        _ = try await APIClient(baseURL: base, transport: stubs, transfer: transfer).send(RequestBuilder.get("a"))
        #expect(stubs.requests.last?.headers["Accept-Encoding"] != nil)
    }

    @Test("a secret query item is logged as ***, and printed credentials are hidden")
    func secretQuery() async throws {
        let (logging, lines) = logging()
        let key = AuthorizationMiddleware(.query(name: "key ✓", value: "s3cr3t"))
        let request = try await send([key, logging], RequestBuilder.get("a").addingQueryItem("q", "ä"))
        #expect(request.url.query == "q=%C3%A4&key%20%E2%9C%93=s3cr3t")
        let shown = "GET https://api.example.com/a?q=%C3%A4&key%20%E2%9C%93=***"
        #expect(lines() == [shown, "200 after 12 ms: \(shown)"])
        let all: [Any] = [
            key, AuthorizationMiddleware(token: "s3cr3t"), Netrc(text: "machine h login ada password s3cr3t"),
            AuthorizationMiddleware(.basic(user: "ada", password: "s3cr3t")),
            AuthorizationMiddleware(.header(name: "X-Key", value: "s3cr3t")),
            Cookie(name: "id", value: "s3cr3t", domain: "h"),
        ]
        for one in all { #expect(!"\(one)".contains("s3cr3t"), "\(one)") }
    }

    @Test("middlewares run in order: logging shows the Authorization header only after authorization")
    func order() async throws {
        let (logging, lines) = logging()
        let authorization = AuthorizationMiddleware(token: "abc")
        _ = try await send([logging, authorization])
        _ = try await send([authorization, logging])
        #expect(
            lines().filter { $0.hasPrefix("GET") } == [
                "GET https://api.example.com/a", "GET https://api.example.com/a\nAuthorization: Bearer ***",
            ])
    }

    @Test("a middleware can count requests and pass them on")
    func spy() async throws {
        final class Spy: Middleware {
            let count = Locked(0)
            func send(_ request: PreparedRequest, next: Next) async throws -> Response {
                count.withLock { $0 += 1 }
                return try await next(request)
            }
        }
        let spy = Spy()
        _ = try await send([spy])
        _ = try await send([spy])
        #expect(spy.count.withLock { $0 } == 2)
    }
}
