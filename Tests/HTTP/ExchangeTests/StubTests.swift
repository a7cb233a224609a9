import Exchange
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@Suite struct StubTests {
    private let client: APIClient

    init() throws {
        client = APIClient(baseURL: try #require(URL(string: "https://api.example.com/v1")), transport: StubTransport())
    }

    private func text(_ client: APIClient, _ path: String) async throws -> String {
        String(decoding: try await client.data(of: .get(path)), as: UTF8.self)
    }

    @Test("a stub comes from JSON, data, a file or an error")
    func sources() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("answer.json", Array("[3]".utf8))
        let client =
            client
            .stubbing(Stub(json: "[1]"), for: "a").stubbing(Stub(data: Data("two".utf8)), for: "b")
            .stubbing(Stub(file: file), for: "c").stubbing(Stub(error: .refused), for: "d")
        #expect(try await text(client, "a") == "[1]")
        #expect(try await text(client, "b") == "two")
        #expect(try await text(client, "c") == "[3]")
        #expect(try await client.send(.get("c")).headers["Content-Type"] == "application/json")
        let error = await #expect(throws: TransportError.self) { try await client.data(of: .get("d")) }
        #expect(error?.kind == .refused)
        #expect(error?.description.hasPrefix("api.example.com refused the connection (stubbed): ") == true)
    }

    @Test("stubbing returns a new client and leaves the old one unchanged")
    func newClient() async throws {
        let first = client.stubbing(Stub(json: "1"), for: "a")
        let second = first.stubbing(Stub(json: "2"), for: "b")
        #expect(try await text(second, "a") == "1")
        #expect(try await text(second, "b") == "2")
        await #expect(throws: StubMissing.self) { try await first.data(of: .get("b")) }
        await #expect(throws: StubMissing.self) { try await client.data(of: .get("a")) }
    }

    @Test("two clients at the same time never see each other's stubs")
    func isolation() async throws {
        let client = client
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let own = client.stubbing([Stub(json: "\(number)"), Stub(json: "\(number + 1)")], for: "a")
                    let first = try await own.data(of: .get("a"))
                    let second = try await own.data(of: .get("a"))
                    return first == Data("\(number)".utf8) && second == Data("\(number + 1)".utf8) ? 0 : 1
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("a later stub for the same endpoint replaces the earlier one in the new client")
    func override() async throws {
        let fixture = client.stubbing([Stub(json: "1"), Stub(json: "2")], for: "a").stubbing(Stub(json: "b"), for: "b")
        let changed = fixture.stubbing(Stub(error: .reset), for: "a").stubbing(Stub(json: "3"), for: "a")
        #expect(try await [text(changed, "a"), text(changed, "a"), text(changed, "b")] == ["3", "3", "b"])
        #expect(try await [text(fixture, "a"), text(fixture, "a")] == ["1", "2"])
    }

    @Test(
        "after the last stub of a sequence comes the last again, the first, or an error",
        arguments: [
            (StubTransport.Afterwards.last, "1 2 2 2"), (.loop, "1 2 1 2"),
            (.fail, "1 2 no stub answers GET https://api.example.com/v1/a: a (2 responses) has no response left"),
        ])
    func afterwards(what: StubTransport.Afterwards, expected: String) async throws {
        let client = client.stubbing([Stub(json: "1"), Stub(json: "2")], for: "a", afterwards: what)
        var texts: [String] = []
        for _ in 0..<4 {
            do {
                texts.append(try await text(client, "a"))
            } catch {
                texts.append("\(error)")
                break
            }
        }
        #expect(texts.joined(separator: " ") == expected)
    }

    @Test("a named request gets the stub of that name, whatever its path")
    func named() async throws {
        let client = client.stubbing(Stub(json: "path"), for: "graphql").stubbing(
            Stub(json: "name"), for: .named("todos.list"))
        #expect(try await client.data(of: .post("graphql").named("todos.list")) == Data("name".utf8))
        #expect(try await client.data(of: .post("graphql").named("todos.one")) == Data("path".utf8))
        #expect(try await client.data(of: .post("graphql")) == Data("path".utf8))
    }

    @Test("any error can be stubbed and is thrown unchanged; a network failure names the stub")
    func anyError() async throws {
        struct Own: Error, Equatable { let code: Int }
        let client = client.stubbing(Stub(error: Own(code: -1009)), for: "a")
            .stubbing(Stub(error: .reset).named("flaky"), for: "b")
            .stubbing(Stub(error: TransportError(.dns, target: "other.example", detail: "as said")), for: "c")
        let own = await #expect(throws: Own.self) { try await client.data(of: .get("a")) }
        #expect(own == Own(code: -1009))
        let reset = await #expect(throws: TransportError.self) { try await client.data(of: .get("b")) }
        #expect(reset == TransportError(.reset, target: "api.example.com", detail: "stub flaky"))
        let dns = await #expect(throws: TransportError.self) { try await client.data(of: .get("c")) }
        #expect(dns == TransportError(.dns, target: "other.example", detail: "as said"))
    }

    @Test("an error with a status comes after the head of a response")
    func errorWithStatus() async throws {
        struct Own: Error {}
        var stub = Stub(error: Own(), status: 503)
        stub.body = .data(Data("par".utf8))
        for stub in [stub, stub.takingTime(.seconds(1))] {
            let response = try await client.stubbing(stub, for: "a").send(.get("a"))
            #expect(response.status == 503)
            var received = Data()
            await #expect(throws: Own.self) {
                for try await chunk in response.body { received += chunk }
            }
            #expect(received == Data("par".utf8))
        }
    }

    @Test("a catch-all stub is used for all other requests")
    func catchAll() async throws {
        let client = client.stubbing(Stub(json: "one"), for: "a").stubbingRest(Stub(json: "rest", status: 200))
        #expect(try await text(client, "a") == "one")
        #expect(try await text(client, "whatever/else") == "rest")
    }

    @Test("a request without a stub is an error that names the request and the existing stubs")
    func missing() async throws {
        let client = client.stubbing(Stub(json: "3"), for: "users").stubbing(
            [Stub(json: "1"), Stub(json: "2")], for: "todos"
        )
        .stubbing(Stub(), for: StubPattern("/a/{id}", method: .put, host: "h"))
        let error = await #expect(throws: StubMissing.self) { try await client.data(of: .get("posts")) }
        #expect(
            error?.description == "no stub answers GET https://api.example.com/v1/posts: "
                + "there are stubs for PUT h/a/{id}, todos (2 responses), users; "
                + "add a stub for this request, or a stub for all other requests")
    }

    @Test("reset removes the stubs")
    func reset() async throws {
        let client = client.stubbing(Stub(json: "1"), for: "a").stubbingRest(Stub(json: "2")).removingStubs()
        let error = await #expect(throws: StubMissing.self) { try await client.data(of: .get("a")) }
        #expect(error?.description.contains("there are no stubs") == true)
    }

    @Test(
        "a stubbed response to HEAD, or with status 204 or 304, has no body",
        arguments: [
            (HTTPMethod.head, 200, ""), (.get, 204, ""), (.get, 304, ""), (.get, 200, "1"), (.post, 404, "1"),
        ])
    func noBody(method: HTTPMethod, status: Int, expected: String) async throws {
        let transport = StubTransport().stubbingRest(Stub(json: "1", status: status))
        var request = PreparedRequest(url: try #require(URL(string: "http://h/a")))
        request.method = method
        #expect(try await transport.send(request).body.data() == Data(expected.utf8))
    }

    @Test("a stub's missing file is named in the error")
    func missingFile() async throws {
        let client = client.stubbing(Stub(file: "/nowhere/answer.json"), for: "a")
        let error = await #expect(throws: StubUnreadable.self) { try await client.data(of: .get("a")) }
        #expect(error?.path == "/nowhere/answer.json")
    }

    @Test("a delay is picked from its range and waited for with the injected sleep")
    func delay() async throws {
        let waits = Locked<[Duration]>([])
        let stubs = StubTransport(sleep: { wait in waits.withLock { $0.append(wait) } }, draw: { $0.upperBound })
            .stubbing(Stub(json: "1").delayed(by: .milliseconds(80)), for: "a")
            .stubbing(Stub(json: "2").delayed(by: .milliseconds(80)...(.milliseconds(200))), for: "b")
        let client = client.with(transport: stubs)
        _ = try await text(client, "a")
        _ = try await text(client, "b")
        #expect(waits.withLock { $0 } == [.milliseconds(80), .milliseconds(200)])
    }

    @Test("a range gives different delays, all inside it")
    func delayRange() async throws {
        let waits = Locked<[Duration]>([])
        let range = Duration.milliseconds(80) ... .milliseconds(200)
        let stubs = StubTransport(sleep: { wait in waits.withLock { $0.append(wait) } })
            .stubbingRest(Stub().delayed(by: range))
        for _ in 0..<40 { _ = try await client.with(transport: stubs).send(.get("a")) }
        let drawn = waits.withLock { $0 }
        #expect(drawn.count == 40 && drawn.allSatisfy(range.contains))
        #expect(Set(drawn).count > 1)
    }

    @Test(
        "a delay longer than a limit of the request times out when the shortest limit expires",
        arguments: [
            (Timeouts(idle: .seconds(60)), Duration.seconds(120), TransportError.Timeout.idle, Duration.seconds(60)),
            (Timeouts(firstByte: .milliseconds(60)), .milliseconds(100), .firstByte, .milliseconds(60)),
            (Timeouts(total: .milliseconds(40)), .milliseconds(100), .total, .milliseconds(40)),
            (
                Timeouts(firstByte: .seconds(3), idle: .seconds(1), total: .seconds(2)), .seconds(4), .idle,
                .seconds(1)
            ),
            (Timeouts(connect: .seconds(1)), .seconds(4), nil, .seconds(4)),
            (Timeouts(total: .seconds(4)), .seconds(4), nil, .seconds(4)), (Timeouts(), .zero, nil, nil),
        ] as [(Timeouts, Duration, TransportError.Timeout?, Duration?)])
    func delayAndLimits(
        timeouts: Timeouts, delay: Duration, expected: TransportError.Timeout?, waited: Duration?
    ) async throws {
        let waits = Locked<[Duration]>([])
        let stubs = StubTransport(sleep: { wait in waits.withLock { $0.append(wait) } })
            .stubbingRest(Stub(status: 204).delayed(by: delay))
        var transfer = TransferSettings()
        transfer.timeouts = timeouts
        let request = PreparedRequest(url: try #require(URL(string: "https://h:8443/a")), transfer: transfer)
        if let expected {
            let error = await #expect(throws: TransportError.self) { try await stubs.send(request) }
            #expect(error == TransportError(.timeout(expected), target: "h:8443", detail: "stubbed"))
        } else {
            #expect(try await stubs.send(request).status == 204)
        }
        #expect(waits.withLock { $0 } == (waited.map { [$0] } ?? []))
    }

    @Test("a request that allows only cached responses does not get a stub")
    func cacheAlone() async throws {
        var transfer = TransferSettings()
        transfer.cachePolicy = .returnCacheDataDontLoad
        let request = PreparedRequest(url: try #require(URL(string: "https://h/a")), transfer: transfer)
        let error = await #expect(throws: TransportError.self) {
            try await StubTransport().stubbingRest(Stub()).send(request)
        }
        #expect(error?.kind == .notCached)
    }

    @Test("a truncated stub has its head and the beginning of its body")
    func truncated() async throws {
        var stub = Stub(json: #"{"items":"#)
        stub.error = TransportError(.truncated, target: "")
        let response = try await client.stubbing(stub, for: "a").send(.get("a"))
        #expect(response.status == 200)
        var received = Data()
        let error = await #expect(throws: TransportError.self) {
            for try await chunk in response.body { received += chunk }
        }
        #expect(error?.kind == .truncated)
        #expect(received == Data(#"{"items":"#.utf8))
    }

    @Test(
        "a stubbed failure has the kind, exit code and message of the real one",
        arguments: [
            TransportError.Kind.refused, .dns, .reset, .timeout(.total), .tls(.expired), .truncated,
        ])
    func failures(kind: TransportError.Kind) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await client.stubbing(Stub(error: kind), for: "a").data(
                of: RequestBuilder.get("a").timeout(.seconds(3)))
        }
        #expect(error?.kind == kind)
        #expect(error?.target == "api.example.com")
    }

    // MARK: - Variants of one endpoint

    private struct Breeds: Decodable {
        var items: [String]
        var hasMore: Bool?
    }

    @Test(
        "the same endpoint has variants: standard, empty, malformed, with more",
        arguments: [
            ("standard", 14), ("empty", 0), ("malformed", nil), ("with_more", 19),
        ])
    func variants(name: String, count: Int?) async throws {
        let items = { (count: Int) in (0..<count).map { "\"breed \($0)\"" }.joined(separator: ",") }
        let bodies = [
            "standard": "{\"items\":[\(items(14))]}", "empty": "{\"items\":[]}", "malformed": "{\"items\":",
            "with_more": "{\"items\":[\(items(19))],\"hasMore\":true}",
        ]
        let folder = try TemporaryFolder()
        let file = try folder.write("breeds.\(name).json", Array(try #require(bodies[name]).utf8))
        let client = client.stubbing(Stub(file: file), for: "breeds")
        if let count {
            let breeds: Breeds = try await client.value(of: .get("breeds"))
            #expect(breeds.items.count == count)
        } else {
            await #expect(throws: ResponseNotDecoded.self) {
                let _: Breeds = try await client.value(of: .get("breeds"))
            }
        }
    }
}
