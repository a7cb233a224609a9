import Exchange
import Foundation
import HostileServing
import RequestBuilding
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        let file = URL(fileURLWithPath: try folder.write("answer.json", Array("[3]".utf8)))
        let client =
            client
            .stub(json: "[1]", endpoint: "a").stub(data: Data("two".utf8), endpoint: "b")
            .stub(file: file, endpoint: "c").stub(error: .refused, endpoint: "d")
        #expect(try await text(client, "a") == "[1]")
        #expect(try await text(client, "b") == "two")
        #expect(try await text(client, "c") == "[3]")
        #expect(try await client.send(.get("c")).headers["Content-Type"] == "application/json")
        let error = await #expect(throws: TransportError.self) { try await client.data(of: .get("d")) }
        #expect(error?.kind == .refused)
        #expect(error?.description.hasPrefix("api.example.com refused the connection (stubbed): ") == true)
    }

    @Test("stubbing returns a new client and leaves the old one untouched")
    func newClient() async throws {
        let first = client.stub(json: "1", endpoint: "a")
        let second = first.stub(json: "2", endpoint: "b")
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
                    let own = client.stub(json: "\(number)", endpoint: "a").stub(json: "\(number + 1)", endpoint: "a")
                    let first = try await own.data(of: .get("a"))
                    let second = try await own.data(of: .get("a"))
                    return first == Data("\(number)".utf8) && second == Data("\(number + 1)".utf8) ? 0 : 1
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("several answers for one endpoint are consumed in order, and the last one stays")
    func queue() async throws {
        let client = client.stub(json: "1", endpoint: "a").stub(json: "2", endpoint: "a").stub(json: "3", endpoint: "a")
        var answers: [String] = []
        for _ in 0..<4 { answers.append(try await text(client, "a")) }
        #expect(answers == ["1", "2", "3", "3"])
    }

    @Test(
        "a used-up queue repeats its last answer, begins again, or fails",
        arguments: [
            (StubTransport.Afterwards.last, "1 2 2 2"), (.loop, "1 2 1 2"), (.fail, "1 2 - -"),
        ])
    func afterwards(what: StubTransport.Afterwards, expected: String) async throws {
        let stubs = StubTransport().stub([Stub(json: "1"), Stub(json: "2")], for: "a", afterwards: what)
        let client = client.with(transport: stubs)
        var answers: [String] = []
        for _ in 0..<4 { answers.append((try? await text(client, "a")) ?? "-") }
        #expect(answers.joined(separator: " ") == expected)
    }

    @Test("a stub is matched by the URL's end, in whole segments, the longest first")
    func suffix() async throws {
        let client = client.stub(json: "list", endpoint: "todos").stub(json: "one", endpoint: "todos/1")
            .stub(json: "query", endpoint: "todos?done=true")
        #expect(try await text(client, "todos/1") == "one")
        #expect(try await text(client, "lists/7/todos") == "list")
        let filtered = RequestBuilder.get("todos").addingQueryItem("done", "true")
        #expect(try await client.data(of: filtered) == Data("query".utf8))
        await #expect(throws: StubMissing.self) { try await client.data(of: .get("mytodos")) }
        await #expect(throws: StubMissing.self) { try await client.data(of: .get("todos/11")) }
    }

    @Test("a stub may be for one method alone")
    func method() async throws {
        let stubs = StubTransport().stub(Stub(json: "any"), for: "a").stub(Stub(json: "post"), for: "a", method: .post)
        let client = client.with(transport: stubs)
        #expect(try await text(client, "a") == "any")
        #expect(try await client.data(of: .post("a")) == Data("post".utf8))
    }

    @Test("a catch-all answers the rest")
    func catchAll() async throws {
        let client = client.stub(json: "one", endpoint: "a").stubRest(Stub(json: "rest", status: 200))
        #expect(try await text(client, "a") == "one")
        #expect(try await text(client, "whatever/else") == "rest")
    }

    @Test("no stub for a request is an error that names the request and the stubs there are")
    func missing() async throws {
        let client = client.stub(json: "1", endpoint: "todos").stub(json: "2", endpoint: "todos")
            .stub(json: "3", endpoint: "users")
        let error = await #expect(throws: StubMissing.self) { try await client.data(of: .get("posts")) }
        #expect(
            error?.description == "no stub answers GET https://api.example.com/v1/posts: "
                + "there are stubs for todos (2 answers), users; add one for it, or one for the rest")
    }

    @Test("reset forgets the stubs")
    func reset() async throws {
        let client = client.stub(json: "1", endpoint: "a").stubRest(Stub(json: "2")).reset()
        let error = await #expect(throws: StubMissing.self) { try await client.data(of: .get("a")) }
        #expect(error?.description.contains("there are no stubs") == true)
    }

    @Test(
        "an answer that can have no body has none",
        arguments: [
            (HTTPMethod.head, 200, ""), (.get, 204, ""), (.get, 304, ""), (.get, 200, "1"), (.post, 404, "1"),
        ])
    func noBody(method: HTTPMethod, status: Int, expected: String) async throws {
        let transport = StubTransport().stubRest(Stub(json: "1", status: status))
        var request = PreparedRequest(url: try #require(URL(string: "http://h/a")))
        request.method = method
        #expect(try await transport.send(request).body.data() == Data(expected.utf8))
    }

    @Test("a missing file of a stub is named")
    func missingFile() async throws {
        let client = client.stub(file: URL(fileURLWithPath: "/nowhere/answer.json"), endpoint: "a")
        let error = await #expect(throws: StubUnreadable.self) { try await client.data(of: .get("a")) }
        #expect(error?.path == "/nowhere/answer.json")
    }

    @Test("answers are delayed by the injected clock, within their range")
    func delay() async throws {
        let waits = Locked<[Duration]>([])
        let stubs = StubTransport(sleep: { wait in waits.withLock { $0.append(wait) } }, draw: { $0.upperBound })
            .stub(Stub(json: "1").delayed(by: .milliseconds(80)), for: "a")
            .stub(Stub(json: "2").delayed(by: .milliseconds(80)...(.milliseconds(200))), for: "b")
        let client = client.with(transport: stubs)
        _ = try await text(client, "a")
        _ = try await text(client, "b")
        #expect(waits.withLock { $0 } == [.milliseconds(80), .milliseconds(200)])
    }

    @Test("a truncated answer has its head and the beginning of its body")
    func truncated() async throws {
        var stub = Stub(json: #"{"items":"#)
        stub.error = .truncated
        let response = try await client.stub(stub, endpoint: "a").send(.get("a"))
        #expect(response.status == 200)
        var received = Data()
        let error = await #expect(throws: TransportError.self) {
            for try await chunk in response.body { received += chunk }
        }
        #expect(error?.kind == .truncated)
        #expect(received == Data(#"{"items":"#.utf8))
    }

    @Test(
        "a failure has the kind, exit code and message shape of the real one",
        arguments: [
            TransportError.Kind.refused, .dns, .reset, .timeout(.total), .tls(.expired), .truncated,
        ])
    func failures(kind: TransportError.Kind) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await client.stub(error: kind, endpoint: "a").data(of: RequestBuilder.get("a").timeout(.seconds(3)))
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
        let client = client.stub(file: URL(fileURLWithPath: file), endpoint: "breeds")
        if let count {
            let breeds: Breeds = try await client.value(of: .get("breeds"))
            #expect(breeds.items.count == count)
        } else {
            await #expect(throws: ResponseNotDecoded.self) {
                let _: Breeds = try await client.value(of: .get("breeds"))
            }
        }
    }

    @Test("an unknown URL fails with an error and doesn't hang")
    func unknownURL() async throws {
        await #expect(throws: StubMissing.self) { try await client.data(of: .get("nowhere")) }
    }
}
