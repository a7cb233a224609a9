import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@testable import Exchange

@Suite struct SigningTests {
    private static let signer = RequestSigner { request, time in
        var request = request
        request.headers.set("X-Signature", "\(Int(time.timeIntervalSince1970)) \(request.url.path)")
        return request
    }

    private func sent(
        _ stubs: StubTransport, _ signer: RequestSigner, _ change: (RequestBuilder) -> RequestBuilder = { $0 }
    ) async throws -> [String] {
        let times = Locked(0.0)
        let signing = SigningMiddleware(now: {
            times.withLock {
                $0 += 1; return $0
            }
        })
        let client = APIClient(
            base: RequestBuilder().baseURL("https://api.example.com").signing(signer).setting(
                \.redirects.isFollowing, true),
            transport: MiddlewareTransport([signing], before: stubs),
            middlewares: [RetryMiddleware(RetryPolicy(times: 2), sleep: { _ in })])
        _ = try await client.send(change(.get("a")))
        return stubs.requests.map { $0.headers["X-Signature"] ?? $0.headers["X-Amz-Date"] ?? "none" }
    }

    @Test("Each attempt and each redirect of one origin is signed anew, and another origin gets no signature")
    func anew() async throws {
        let stubs = StubTransport()
            .stubbing([Stub(status: 503), Stub(status: 307, headers: ["Location": "/b"])], for: "a")
            .stubbing([Stub(status: 307, headers: ["Location": "https://other.example.com/c"])], for: "b")
            .stubbingRest(Stub(json: "1"))
        #expect(try await sent(stubs, Self.signer) == ["1 /a", "2 /a", "3 /b", "none"])
    }

    @Test("A client of an app signs without a middleware of its own")
    func client() async throws {
        let stubs = StubTransport().stubbingRest(Stub(json: "1"))
        let client = APIClient(
            base: RequestBuilder().baseURL("https://api.example.com").signing(Self.signer), transport: stubs)
        _ = try await client.send(.get("a"))
        #expect(stubs.requests.first?.headers["X-Signature"]?.hasSuffix(" /a") == true)
    }

    @Test("A client signs after the middlewares of its transport, such as one for cookies")
    func cookies() async throws {
        let stubs = StubTransport().stubbingRest(Stub(status: 200, headers: ["Set-Cookie": "a=1"]))
        let signer = RequestSigner { request, _ in
            var request = request
            request.headers.set("X-Signature", request.headers["Cookie"] ?? "none")
            return request
        }
        let client = APIClient(
            base: RequestBuilder().baseURL("https://api.example.com").signing(signer),
            transport: stubs.with(LoggingMiddleware { _ in }).with(CookieMiddleware()))
        for _ in 0..<2 { _ = try await client.send(.get("a")) }
        #expect(stubs.requests.map { $0.headers["X-Signature"] } == ["none", "a=1"])
    }

    private static let aws = RequestSigner.aws(
        AWSSignature(service: "s3", region: "r", accessKeyID: "id", secretAccessKey: "key"))

    @Test(
        "A request that AWS rejects for its time is signed once more with the server's time, and no other is sent again",
        arguments: [
            (403, "Thu, 01 Jan 1970 00:10:00 GMT", "<Code>RequestTimeTooSkewed</Code>", 2),
            (400, "Thu, 01 Jan 1970 00:10:00 GMT", "Signature expired: 19700101T000000Z", 2),
            (403, "Thu, 01 Jan 1970 00:03:00 GMT", "<Code>RequestTimeTooSkewed</Code>", 1),
            (403, "Thu, 01 Jan 1970 00:10:00 GMT", "<Code>AccessDenied</Code>", 1),
            (200, "Thu, 01 Jan 1970 00:10:00 GMT", "<Code>RequestTimeTooSkewed</Code>", 1),
            (403, "Thu, 01 Jan 99999999999999 00:10:00 GMT", "<Code>RequestTimeTooSkewed</Code>", 1),
        ])
    func skew(status: Int, date: String, body: String, count: Int) async throws {
        let stubs = StubTransport().stubbingRest(
            Stub(status: status, headers: ["Date": date], body: .data(Data(body.utf8))))
        #expect(try await sent(stubs, Self.aws) == Array(["19700101T000001Z", "19700101T001000Z"].prefix(count)))
    }

    @Test("A response whose first bytes were read is whole for its reader")
    func beginning() async throws {
        let body = ResponseBody(Data("abc".utf8))
        let read = try await body.beginning(upTo: 2)
        #expect(read.bytes == Data("ab".utf8))
        #expect(try await read.body.data() == Data("abc".utf8))
    }

    @Test("A body that can't be read beforehand is an error, and nothing is sent")
    func unreadable() async throws {
        let stubs = StubTransport().stubbingRest(Stub(json: "1"))
        let error = await #expect(throws: TransportError.self) {
            try await sent(stubs, Self.aws) { builder in
                builder.method(.put).modifyRequest { $0.body = .file(path: "/missing") }
            }
        }
        #expect(error?.kind == .invalidRequest && error?.detail.contains("/missing") == true)
        #expect(stubs.requests.isEmpty)
    }
}
