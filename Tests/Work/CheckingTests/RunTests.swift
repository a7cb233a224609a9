import Calling
import Checking
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import Testing

/// Whole runs: verdicts, retries, the order of things.
struct RunTests {
    static let simple = #"{"path": "/", "expect": {"status": 200}}"#

    /// The simple endpoint in each of some files.
    static func same(_ names: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, simple) })
    }

    // MARK: Verdicts

    @Test("Every case has one verdict, and the run the exit status of the worst")
    func verdicts() async throws {
        let files: [String: String] = [
            "endpoints/a.json": Self.simple, "endpoints/b.json": Self.simple, "endpoints/c.json": Self.simple,
            "endpoints/d.json": #"{"path": "/", "needs": {"x": "b"}, "expect": {"status": 200}}"#,
        ]
        let stage = Stage { call, _ in
            switch call.endpoint.id {
            case "b": .answer(500)
            case "c": .failure(.timedOut, "no answer in time")
            default: .answer(200)
            }
        }
        let result = try await stage.run(files)
        #expect(result.lines == ["a: passed", "b: failed", "c: error", "d: blocked"])
        #expect(result.outcome("b")?.reasons == ["status: expected 200, found 500"])
        #expect(result.outcome("c")?.reasons == ["no answer in time"])
        #expect(result.outcome("d")?.reasons == ["b failed: status: expected 200, found 500"])
        #expect(result.exitStatus == .expectationFailed)
        #expect(stage.calls.sorted() == ["a", "b", "c"])
    }

    @Test(
        "What went wrong decides the exit status; a failed expectation before all else",
        arguments: [
            ([.noAnswer], 6), ([.timedOut, .noAnswer], 7), ([.broken, .timedOut], 3), ([.refusedByPolicy], 8),
            ([.noAnswer, .refusedByPolicy, .usage], 2), ([.expectationFailed, .broken], 1), ([.success], 0),
        ] as [([ReqcliText.ExitStatus], Int32)])
    func exitStatus(_ statuses: [ReqcliText.ExitStatus], _ code: Int32) async throws {
        let stage = Stage { call, _ in
            let status = statuses[Int(call.endpoint.id.dropFirst()) ?? 0]
            return status == .success ? .answer(200) : status == .expectationFailed ? .answer(404) : .failure(status)
        }
        let files = Self.same(statuses.indices.map { "endpoints/e\($0).json" })
        #expect(try await stage.run(files).exitStatus.code == code)
    }

    @Test("Cases that are all blocked are not green")
    func allBlocked() async throws {
        let files: [String: String] = [
            "endpoints/a.json": #"{"path": "/", "needs": {"x": "login"}, "expect": {"status": 200}}"#,
            "endpoints/login.json": #"{"path": "/"}"#,
        ]
        let refused = Stage { _, _ in .failure(.noAnswer) }
        let result = try await refused.run(files)
        #expect(result.lines == ["a: blocked"])
        #expect(result.outcome("a")?.reasons == ["login failed: connection refused"])
        #expect(result.exitStatus == .noAnswer)
        let failing = Stage { _, _ in .answer(401) }
        #expect(try await failing.run(files).exitStatus == .expectationFailed)
        #expect(
            try await failing.run(files).outcome("a")?.reasons == [
                "login failed: status: expected 2xx (the default), found 401"
            ])
    }

    @Test("A value that can't be resolved is an error, and nothing is sent")
    func unresolved() async throws {
        let files: [String: String] = [
            "endpoints/a.json": #"{"path": "/", "expect": {"json": {"$.a": "{{nobody}}"}}}"#,
            "endpoints/b.json":
                #"{"path": "/{{p}}", "params": {"p": {"type": "string"}}, "checks": [{"name": "c", "with": {"p": "{{secret.gone}}"}, "expect": {"status": 200}}]}"#,
            "environments/production.json": #"{"variables": {"nobody": "x"}, "secrets": {"gone": {"env": "GONE"}}}"#,
        ]
        let stage = Stage { _, _ in .answer(200) }
        let result = try await stage.run(files)
        #expect(result.lines == ["a: error", "b/c: error"])
        #expect(result.outcome("a")?.reasons == ["nothing is called nobody"])
        #expect(result.outcome("a")?.problem?.diagnostics.first?.place?.start.line == 1)
        #expect(result.exitStatus == .broken)
        #expect(stage.calls == [])
    }

    @Test("A refusal by policy is an error with its own status")
    func refused() async throws {
        let stage = Stage { _, _ in
            .failure(.refusedByPolicy, "DELETE needs --yes here: there is no terminal to ask on")
        }
        let result = try await stage.run(["endpoints/a.json": Self.simple])
        #expect(result.lines == ["a: error"])
        #expect(result.exitStatus.code == 8)
    }

    // MARK: Stubs

    static let inversions: [(String, CallResult, Verdict)] = [
        ("that the checks refuse", .answer(404, stub: .init(name: "missing", mustFail: true)), .passed),
        ("that the checks accept", .answer(200, stub: .init(name: "standard", mustFail: true)), .failed),
        ("that is no answer", .failure(.timedOut, stub: .init(name: "slow", mustFail: true)), .passed),
        ("that can't be had", .failure(.broken, stub: .init(name: "missing", mustFail: true)), .error),
        (
            "that the checks accept, as they should", .answer(200, stub: .init(name: "standard", mustFail: false)),
            .passed
        ),
    ]

    @Test("Checks have to fail on a variant that says so", arguments: inversions)
    func inversion(_ name: String, _ exchanged: CallResult, _ verdict: Verdict) async throws {
        let stage = Stage { _, _ in exchanged }
        let result = try await stage.run(["endpoints/a.json": Self.simple], options: RunOptions(retries: 3))
        #expect(result.cases.map(\.verdict) == [verdict])
        if verdict == .failed {
            #expect(
                result.outcome("a")?.reasons == [
                    "stub variant \"standard\": expected the checks to fail, because the variant has \"expect\": \"fail\", found that all checks pass: they do not detect what is wrong with this response"
                ])
            #expect(result.exitStatus == .expectationFailed)
        } else if exchanged.stub?.mustFail == true, verdict == .passed {
            #expect(stage.calls.count == 1, "an answer that is meant to fail is not polled")
        }
    }

    @Test(
        "An answer on which the checks have to fail makes no case pass that failed before it",
        arguments: [CallResult.answer(503), .answer(401), .failure(.noAnswer)])
    func inversionAfterFailure(_ first: CallResult) async throws {
        let proof = CallResult.Stub(name: "down", mustFail: true)
        let stage = Stage { call, number in
            if call.endpoint.id == "auth" { return .answer(200, #"{"token": 1}"#) }
            return number == 1 ? first : .answer(500, stub: proof)
        }
        let result = try await stage.run(Self.expiring, "user.a", options: RunOptions(retries: 3))
        #expect(result.lines == ["user.a: failed"])
        #expect(result.outcome("user.a")?.reasons == ["status: expected 200, found 500"])
        #expect(stage.count("user.a") == 2, "an answer that is meant to fail is not polled")
    }

    @Test("An answer on which the checks have to fail and don't is the end of the case")
    func inversionWithoutRefresh() async throws {
        let stage = Stage { call, number in
            if call.endpoint.id == "auth" { return .answer(200, #"{"token": 1}"#) }
            return .answer(401, stub: number == 1 ? .init(name: "expired", mustFail: true) : nil)
        }
        let files = Self.expiring.mapValues { $0.replacing("200", with: "401") }
        let result = try await stage.run(files, "user.a")
        #expect(result.lines == ["user.a: failed"])
        #expect(stage.count("user.a") == 1)
    }

    // MARK: Retries

    @Test("A case is polled until it holds")
    func polling() async throws {
        let stage = Stage { _, number in number < 3 ? .answer(503) : .answer(200) }
        let options = RunOptions(retries: 5, retryInterval: .milliseconds(250))
        let result = try await stage.run(["endpoints/a.json": Self.simple], options: options)
        #expect(result.lines == ["a: passed"])
        #expect(result.outcome("a")?.attempts == 3)
        #expect(stage.slept == [.milliseconds(250), .milliseconds(250)])
    }

    @Test(
        "Polling ends after so many tries, and what is wrong by itself is not polled",
        arguments: [
            (CallResult.answer(500), 3), (.failure(.noAnswer), 3), (.failure(.broken), 1),
            (.failure(.refusedByPolicy), 1),
        ])
    func pollingEnds(_ exchanged: CallResult, _ calls: Int) async throws {
        let stage = Stage { _, _ in exchanged }
        _ = try await stage.run(["endpoints/a.json": Self.simple], options: RunOptions(retries: 2))
        #expect(stage.calls.count == calls)
    }

    // MARK: Order and parallelism

    @Test(
        "Cases run side by side, as many as there are jobs, and are told in the order of the files",
        .timeLimit(.minutes(10)), arguments: [1, 2, 5])
    func order(_ jobs: Int) async throws {
        let names = (0..<20).map { "endpoints/e\($0 < 10 ? "0" : "")\($0).json" }
        let begun = Mutex(0)
        // Later ones answer earlier, and the first not before there are as many as may be.
        let stage = Stage { call, _ in
            begun.withLock { $0 += 1 }
            while begun.withLock({ $0 }) < jobs { await Task.yield() }
            for _ in 0..<(20 - (Int(call.endpoint.id.dropFirst()) ?? 0)) * 2 { await Task.yield() }
            return .answer(200)
        }
        var told: [String] = []
        var progress: [RunProgress] = []
        let result = try await stage.run(Self.same(names), options: RunOptions(jobs: .fixed(jobs))) { event in
            switch event {
            case .ended(let result): told.append(result.id)
            case .progress(let step): progress.append(step)
            }
        }
        #expect(told == result.cases.map(\.id))
        #expect(told == told.sorted())
        #expect(stage.mostUnderWay == jobs)
        #expect(progress.map(\.done) == Array(0...20))
        #expect(progress.last?.running == [])
    }

    @Test("After the first case that doesn't pass nothing more is begun")
    func failFast() async throws {
        let names = (0..<30).map { "endpoints/e\($0 < 10 ? "0" : "")\($0).json" }
        let stage = Stage { call, _ in call.endpoint.id == "e02" ? .answer(500) : .answer(200) }
        let result = try await stage.run(Self.same(names), options: RunOptions(jobs: .fixed(1), failsFast: true))
        #expect(result.cases.map(\.verdict) == [.passed, .passed, .failed] + Array(repeating: .notRun, count: 27))
        #expect(stage.calls == ["e00", "e01", "e02"])
        #expect(result.exitStatus == .expectationFailed)
    }

    @Test("An interrupted run tells what did run; the rest is not run")
    func interruption() async throws {
        let names = (0..<10).map { "endpoints/e\($0).json" }
        let reached = AsyncStream<Void>.makeStream()
        let stage = Stage { call, _ in
            if call.endpoint.id != "e3" { return .answer(200) }
            reached.continuation.finish()
            // Until the run is cancelled, as a transport would wait for an answer.
            while !Task.isCancelled { await Task.yield() }
            return .failure(.noAnswer, "cancelled")
        }
        let task = Task { try await stage.run(Self.same(names), options: RunOptions(jobs: .fixed(1))) }
        for await _ in reached.stream {}
        task.cancel()
        let result = try await task.value
        #expect(result.wasInterrupted)
        #expect(result.exitStatus.code == 130)
        #expect(result.cases.count == 10)
        #expect(result.cases.prefix(3).map(\.verdict) == [.passed, .passed, .passed])
        #expect(result.cases.dropFirst(3).allSatisfy { $0.verdict == .notRun })
    }

    @Test("An interruption reaches what others wait for")
    func interruptionOfNeeds() async throws {
        let reached = AsyncStream<Void>.makeStream()
        let stage = Stage { _, _ in
            reached.continuation.finish()
            while !Task.isCancelled { await Task.yield() }
            return .failure(.noAnswer, "cancelled")
        }
        let task = Task { try await stage.run(Self.session, "user.get", "user.feed") }
        for await _ in reached.stream {}
        task.cancel()
        let result = try await task.value
        #expect(result.lines == ["user.get: notRun", "user.feed: notRun"])
        #expect(result.exitStatus == .interrupted)
    }

    @Test("An empty shard is green")
    func emptyShard() async throws {
        let catalogue = Catalogue(of: Workshop.workspace(["endpoints/a.json": Self.simple]))
        let shards = try (1...4).map { try Workshop.required(Shard("\($0)/4"), "a shard") }
        let stage = Stage { _, _ in .answer(200) }
        var empty = 0
        for shard in shards {
            let plan = try CheckPlan.make(CheckPlan.Request(environment: "development", shard: shard), from: catalogue)
            let result = await CheckRun(plan, caller: stage.caller, clock: stage.clock).result()
            #expect(result.exitStatus == .success)
            if result.isEmptyShard { empty += 1 }
        }
        #expect(empty == 3)
        #expect(stage.calls == ["a"])
    }

    // MARK: Values

    @Test("Rows give params, params fill expectations, captures fill params")
    func values() async throws {
        let files: [String: String] = [
            "endpoints/a.json": #"{"path": "/", "capture": {"id": {"json": "$.id"}}}"#,
            "endpoints/b.json": """
            {"path": "/{{id}}", "params": {"id": {"type": "integer"}}, "needs": {"a": "a"},
             "checks": [{"name": "it", "with": {"id": "{{a.id}}"}, "expect": {"json": {"$.id": "{{id}}"}}}]}
            """,
            "endpoints/c.json":
                #"{"path": "/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"json": {"$.id": {"<": "{{id}}"}}}}"#,
        ]
        let stage = Stage { _, _ in .answer(200, #"{"id": 7}"#) }
        let captured = try await stage.run(files, "b")
        #expect(captured.lines == ["b/it: passed"])
        #expect(stage.calls == ["a", "b id=7 a.id=7"])
        let rows = try await stage.run(files, "c", data: "id\n8\n7\n")
        #expect(rows.lines == ["c#1: passed", "c#2: failed"])
        #expect(rows.outcome("c#2")?.reasons == ["$.id: expected a number below 7, found 7"])
    }

    @Test("A literal {{ is handed on without its backslash: by a check, and to what is needed")
    func literalBraces() async throws {
        let files: [String: String] = [
            "endpoints/a.json": #"{"path": "/{{p}}", "params": {"p": {"type": "string"}}}"#,
            "endpoints/b.json": #"""
            {"path": "/{{p}}", "params": {"p": {"type": "string"}},
             "needs": {"a": {"endpoint": "a", "with": {"p": "\\{{x"}}},
             "checks": [{"name": "c", "with": {"p": "\\{{y"}, "expect": {"status": 200}}]}
            """#,
        ]
        let stage = Stage { _, _ in .answer(200) }
        let result = try await stage.run(files)
        #expect(result.lines == ["b/c: passed"])
        #expect(stage.calls == ["a p={{x", "b p={{y"])
    }

    // MARK: Secrets

    @Test("No secret is in the result: not a captured one, not one of a request, not one that came to light later")
    func secrets() async throws {
        let files: [String: String] = [
            // First in order, and it shows what only the last one tells to be a secret.
            "endpoints/a.json": #"{"path": "/", "expect": {"body": "x"}}"#,
            "endpoints/auth.json":
                #"{"path": "/", "expect": {"body": "y"}, "capture": {"token": {"json": "$.token", "secret": true}}}"#,
            "endpoints/z.json": #"{"path": "/", "expect": {"json": {"$.token": "{{secret.pin}}"}}}"#,
            "environments/production.json": #"{"secrets": {"pin": {"env": "PIN"}}}"#,
        ]
        let pin = Redactor.Secret(label: "secret.pin", value: "hunter22pin")
        let stage = Stage(secrets: [pin]) { call, _ in
            let body =
                #"{"token": "tok-en-123456", "pin": "hunter22pin", "pad": "\#(String(repeating: "x", count: 3000))hunter22pin"}"#
            let request = CallResult.Request(
                method: "GET", url: "https://h/?pin=hunter22pin", curl: "curl -H 'A: hunter22pin'")
            return CallResult(
                .success(
                    ReceivedResponse(
                        status: 200, headers: ["Set-Cookie": "sid=abcdef; Path=/", "X": "tok-en-123456"],
                        body: ReceivedBody(Array(body.utf8)))), request: request,
                secrets: call.endpoint.id == "z" ? [pin] : [])
        }
        let result = try await stage.run(files, options: RunOptions(jobs: .fixed(1)))
        #expect(result.lines == ["a: failed", "auth: failed", "z: failed"])
        var everything = ""
        dump(result.cases.map(\.outcome.exchange), to: &everything)
        dump(
            result.cases.map(\.outcome.failures).map { $0.map { [$0.message] + $0.difference.map(\.plain) } },
            to: &everything)
        for secret in ["tok-en-123456", "hunter22pin", "abcdef"] { #expect(!everything.contains(secret), "\(secret)") }
        #expect(everything.contains("<auth.token>"))
    }

    // MARK: Size

    @Test("A large body leaves little behind")
    func bounded() async throws {
        let large = "[" + String(repeating: "1,", count: 500_000) + "1]"
        let stage = Stage { _, _ in .answer(200, large) }
        let result = try await stage.run([
            "endpoints/a.json": #"{"path": "/", "expect": {"json": {"$": []}, "body": {"contains": "2"}}}"#
        ])
        let outcome = try #require(result.outcome("a"))
        #expect(outcome.verdict == .failed)
        #expect(outcome.exchange?.bodySize == large.utf8.count)
        #expect((outcome.exchange?.body?.utf8.count ?? .max) <= 16 << 10)
        #expect(outcome.exchange?.bodyIsWhole == false)
    }
}
