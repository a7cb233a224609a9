import Calling
import Checking
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import TestSupport
import Testing

/// What one call needs, outside of a check.
struct PrerequisiteTests {
    static let files: [String: String] = [
        "endpoints/auth.json": """
        {"endpoints": {"login": {"path": "/", "params": {"user": {"type": "string"}},
          "capture": {"token": {"json": "$.token", "secret": true}}}}}
        """,
        "endpoints/broken.json": "{",
        "endpoints/user.json": """
        {"endpoints": {
          "feed": {"path": "/", "params": {"id": {"type": "integer"}}, "needs":
            {"login": {"endpoint": "auth.login", "with": {"user": "{{id}}"}, "refreshOn": [401]}}},
          "lost": {"path": "/", "needs": {"x": "auth.logn"}},
          "stuck": {"path": "/", "needs": {"x": "broken"}}}}
        """,
    ]

    static func prerequisites(_ id: String, _ stage: Stage) throws -> Prerequisites {
        let workspace = Workshop.workspace(files)
        guard case .found(let endpoint) = workspace.endpoint(id).value else { throw Workshop.Missing(what: id) }
        return try Prerequisites(
            of: endpoint, from: Catalogue(following: endpoint, in: workspace), environment: "development",
            caller: stage.caller, clock: stage.clock)
    }

    static let parameters = [ParameterArgument(name: "id", value: 7)]

    @Test("What an endpoint needs runs with values of the call, and gives what it captured")
    func captures() async throws {
        let stage = Stage { _, number in .answer(200, #"{"token": "tok-\#(number)"}"#) }
        let needs = try Self.prerequisites("user.feed", stage)
        let captured = try await needs.captured(for: Self.parameters)
        #expect(captured.values == ["login": ["token": "tok-1"]])
        let same = try await needs.refreshed(captured, for: Self.parameters, on: 403)
        #expect(same?.values == nil)
        let fresh = try await needs.refreshed(captured, for: Self.parameters, on: 401)
        #expect(fresh?.values == ["login": ["token": "tok-2"]])
        #expect(stage.calls == ["auth.login user=7", "auth.login user=7"])
    }

    @Test("A need that fails is told with what failed and the status that it means")
    func failing() async throws {
        let stage = Stage { _, _ in .failure(.noAnswer) }
        let needs = try Self.prerequisites("user.feed", stage)
        let problem = await #expect(throws: Failure.self) { try await needs.captured(for: Self.parameters) }
        #expect(problem?.message == "user.feed needs auth.login, which failed: connection refused")
        #expect(problem?.status == .noAnswer)
        #expect(problem?.diagnostics.first?.place?.description == "endpoints/user.json:3:28")
    }

    @Test("What to do about a need that fails is told, too")
    func hint() async throws {
        let stage = Stage { _, _ in
            CallResult(
                .failure(Failure(.broken, code: .needFailed, "no token", hint: "pass --trust")), stub: nil)
        }
        let needs = try Self.prerequisites("user.feed", stage)
        let problem = await #expect(throws: Failure.self) { try await needs.captured(for: Self.parameters) }
        #expect(problem?.message == "user.feed needs auth.login, which failed: no token")
        #expect(problem?.diagnostics.first?.hint == "pass --trust")
    }

    @Test(
        "A need that is not there, or in a broken file, is told before anything is sent",
        arguments: [("user.lost", "there is no endpoint \"auth.logn\""), ("user.stuck", nil)] as [(String, String?)])
    func unusable(_ id: String, _ message: String?) async throws {
        let stage = Stage { _, _ in .answer(200) }
        let failure = #expect(throws: Failure.self) { try Self.prerequisites(id, stage) }
        #expect(failure?.status == .broken)
        if let message {
            #expect(failure?.diagnostics.map(\.message) == [message])
            #expect(failure?.diagnostics.first?.hint == "did you mean \"auth.login\"?")
        } else {
            #expect(failure?.diagnostics.first?.fileName == "endpoints/broken.json")
        }
    }

    @Test("Only the files that the needs are in are read")
    func lazy() throws {
        let memory = MemoryFiles(Self.files)
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: memory.fileSystem)
        guard case .found(let endpoint) = workspace.endpoint("user.feed").value else {
            throw Workshop.Missing(what: "it")
        }
        _ = Catalogue(following: endpoint, in: workspace)
        #expect(memory.readFiles.map { $0.split(separator: "/").last } == ["user.json", "auth.json"])
    }

    @Test("The file of many needs is read once")
    func chain() throws {
        let endpoints = (0..<50).map { number in
            #""e\#(number)": {"path": "/"\#(number < 49 ? #", "needs": {"n": "a.e\#(number + 1)"}"# : "")}"#
        }
        let memory = MemoryFiles(["endpoints/a.json": #"{"endpoints": {\#(endpoints.joined(separator: ", "))}}"#])
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: memory.fileSystem)
        guard case .found(let endpoint) = workspace.endpoint("a.e0").value else { throw Workshop.Missing(what: "it") }
        let read = memory.readFiles.count
        let catalogue = Catalogue(following: endpoint, in: workspace)
        #expect(catalogue.endpoints.count == 50)
        #expect(memory.readFiles.count == read + 1)
    }

    @Test("Cancelling the call cancels what it needs")
    func cancellation() async throws {
        let reached = AsyncStream<Void>.makeStream()
        let stage = Stage { _, _ in
            reached.continuation.finish()
            while !Task.isCancelled { await Task.yield() }
            return .failure(.noAnswer)
        }
        let needs = try Self.prerequisites("user.feed", stage)
        let task = Task { try await needs.captured(for: Self.parameters) }
        for await _ in reached.stream {}
        task.cancel()
        let problem = await #expect(throws: Failure.self) { try await task.value }
        #expect(problem?.status == .interrupted)
    }
}
