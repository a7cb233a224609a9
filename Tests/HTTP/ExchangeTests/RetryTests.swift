import Exchange
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@Suite struct RetryTests {
    /// Sends with retries and returns the status or the error's kind, and the waits.
    private func send(
        _ stubs: StubTransport, _ policy: RetryPolicy, method: HTTPMethod = .get,
        now: Date = Date(timeIntervalSince1970: 0)
    ) async throws -> (status: Int?, requests: Int, waits: [Duration], refused: [Duration]) {
        let waits = Waits()
        let refused = Waits()
        let retry = RetryMiddleware(
            RetryPolicy(),
            now: { now }, sleep: { waits.add($0) },
            onTooLong: { asked, longest in if longest == .seconds(60) { refused.add(asked) } })
        let base = try #require(URL(string: "https://api.example.com"))
        var transfer = TransferSettings()
        transfer.retry = policy
        let client = APIClient(
            base: RequestBuilder().baseURL(base.absoluteString), transport: stubs, middlewares: [retry],
            transfer: transfer)
        let status = try? await client.send(RequestBuilder.get("a").method(method)).status
        return (status, stubs.requests.count, waits.all, refused.all)
    }

    private final class Waits: Sendable {
        private let list = Locked<[Duration]>([])
        var all: [Duration] { list.withLock { $0 } }
        func add(_ wait: Duration) { list.withLock { $0.append(wait) } }
    }

    private func answers(_ stubs: Stub...) -> StubTransport {
        StubTransport().stubbing(stubs, for: "a")
    }

    @Test("a status in the retry policy is retried, and each wait is twice as long as the one before")
    func statuses() async throws {
        let stubs = answers(Stub(status: 503), Stub(status: 502), Stub(status: 200))
        let result = try await send(stubs, RetryPolicy(times: 3))
        #expect(result.status == 200)
        #expect(result.waits == [.seconds(1), .seconds(2)])
    }

    @Test("any error is retried if the policy says so, and nothing else", arguments: [400, 404, 429, 500, 599])
    func anyError(status: Int) async throws {
        let policy = RetryPolicy(times: 3, statuses: RetryPolicy.errorStatuses)
        let result = try await send(answers(Stub(status: status), Stub(status: 302), Stub(status: 200)), policy)
        #expect(result.status == 302)
        #expect(result.waits == [.seconds(1)])
    }

    @Test("after the last retry the response is returned")
    func givesUp() async throws {
        let result = try await send(answers(Stub(status: 503)), RetryPolicy(times: 2))
        #expect(result.status == 503)
        #expect(result.requests == 3)
    }

    @Test("a request that is not safe to repeat is not retried", arguments: [HTTPMethod.post, .patch, .put, .delete])
    func methods(method: HTTPMethod) async throws {
        #expect(try await send(answers(Stub(status: 503)), RetryPolicy(times: 2), method: method).requests == 1)
        let allowed = RetryPolicy(times: 2, methods: [method])
        #expect(try await send(answers(Stub(status: 503)), allowed, method: method).requests == 3)
    }

    @Test("temporary failures are retried, and others are not")
    func failures() async throws {
        let passing = try await send(answers(Stub(error: .reset), Stub(status: 200)), RetryPolicy(times: 1))
        #expect(passing.status == 200)
        let lasting = try await send(answers(Stub(error: .tls(.expired)), Stub(status: 200)), RetryPolicy(times: 1))
        #expect(lasting.status == nil)
        #expect(lasting.requests == 1)
    }

    @Test(
        "Retry-After is waited for, as seconds or as a date",
        arguments: [
            ("7", 7), ("0", 0), ("Thu, 01 Jan 1970 00:00:30 GMT", 30), ("Thursday, 01-Jan-70 00:00:30 GMT", 30),
            ("Thu Jan  1 00:00:30 1970", 30), ("Wed, 31 Dec 1969 23:00:00 GMT", 0), ("soon", 1), ("-3", 1),
        ])
    func retryAfter(text: String, seconds: Int) async throws {
        let busy = Stub(status: 503, headers: ["Retry-After": text])
        let result = try await send(answers(busy, Stub(status: 200)), RetryPolicy(times: 1))
        #expect(result.waits == [.seconds(seconds)])
        #expect(result.status == 200)
    }

    @Test("a Retry-After longer than the maximum wait is not waited for, and is reported")
    func tooLong() async throws {
        let busy = Stub(status: 503, headers: ["Retry-After": "3600"])
        let result = try await send(answers(busy, Stub(status: 200)), RetryPolicy(times: 1))
        #expect(result.status == 503)
        #expect(result.waits == [])
        #expect(result.refused == [.seconds(3600)])
        #expect(try await send(answers(busy), RetryPolicy(times: 0)).refused == [], "nobody wanted to try again")
        let endless = Stub(status: 503, headers: ["Retry-After": "99999999999999999999"])
        #expect(try await send(answers(endless, Stub(status: 200)), RetryPolicy(times: 1)).waits == [])
    }

    @Test("a Retry-After date in a later year is computed correctly")
    func dates() async throws {
        let busy = Stub(status: 503, headers: ["Retry-After": "Tue, 29 Feb 2028 12:00:10 GMT"])
        // 2028-02-29T12:00:00Z
        let now = Date(timeIntervalSince1970: 1_835_438_400)
        #expect(
            try await send(answers(busy, Stub(status: 200)), RetryPolicy(times: 1), now: now).waits == [.seconds(10)])
    }
}
