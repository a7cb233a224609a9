import Checking
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// Requests that may change something on a server: which of them are cases, and when they run.
struct ChangingCaseTests {
    /// Each method, with an expectation of the group and with one of its own.
    static let files: [String: String] = [
        "endpoints/pet.json": #"""
        {"defaults": {"expect": {"status": "2xx"}, "tags": ["all"]},
         "endpoints": {
           "list": {"path": "/pets"},
           "probe": {"method": "HEAD", "path": "/pets"},
           "add": {"method": "POST", "path": "/pets"},
           "delete": {"method": "DELETE", "path": "/pets/1"},
           "purge": {"method": "PURGE", "path": "/pets/1"},
           "rename": {"method": "PATCH", "path": "/pets/1", "expect": {"status": 200}},
           "replace": {"method": "PUT", "path": "/pets/1",
             "checks": [{"name": "is gone", "expect": {"status": 404}}]},
           "move": {"method": "POST", "path": "/moves",
             "environments": {"development": {"expect": {"status": 201}}}}}}
        """#,
        "environments/development.json": "{}",
    ]

    private static func plan(
        _ selectors: String..., files: [String: String] = files, isLive: Bool = true, excluding: [String] = [],
        shard: Shard? = nil
    ) throws(PlanFailure) -> CheckPlan {
        try CheckPlan.make(
            CheckPlan.Request(
                selectors: selectors.map { Selector($0) }, exclusions: excluding.map { Selector($0) },
                environment: "development", shard: shard, isLive: isLive),
            from: Catalogue(of: Workshop.workspace(files)))
    }

    private static let asked = [
        "pet.list", "pet.probe", "pet.rename", "pet.replace", "pet.replace/is gone", "pet.move",
    ]

    @Test(
        "A request that may change something is a case only if its endpoint expects something or its id is named",
        arguments: [
            ([], asked),
            (["pet"], asked),
            (["pet.*"], asked),
            (["tag:all"], asked),
            (["pet.delete"], ["pet.delete"]),
            (["tag:all", "pet.delete"], asked.prefix(2) + ["pet.delete"] + asked.dropFirst(2)),
        ] as [([String], [String])])
    func selection(_ selectors: [String], _ cases: [String]) throws {
        let request = CheckPlan.Request(selectors: selectors.map { Selector($0) }, environment: "development")
        let plan = try CheckPlan.make(request, from: Catalogue(of: Workshop.workspace(Self.files)))
        #expect(plan.cases.map(\.id) == cases)
    }

    @Test("The plan says how many cases are left out, and how to include one")
    func leftOut() throws {
        let sentence =
            "3 cases may change something on the server: pet.add, pet.delete, pet.purge; such cases run only if you name them"
        let plan = try Self.plan()
        #expect(plan.leftOut == [sentence])
        #expect(PlanListing.text(plan).hasSuffix("\n\(sentence)\n"))
        #expect(try Self.plan("pet", "pet.add", "pet.purge").leftOut.first?.contains(": pet.delete; ") == true)
        #expect(try Self.plan(excluding: ["pet.add", "pet.d*", "pet.purge"]).leftOut.isEmpty)
    }

    @Test("Stubs may be sent everything")
    func stubs() throws {
        let plan = try Self.plan(isLive: false)
        #expect(plan.leftOut.isEmpty)
        #expect(plan.cases.map(\.id).contains("pet.delete"))
    }

    @Test("A run of which everything is left out is not green")
    func onlyLeftOut() {
        let files = [
            "endpoints/pet.json":
                #"{"defaults": {"expect": {"status": 200}}, "endpoints": {"delete": {"method": "DELETE", "path": "/"}}}"#
        ]
        let request = CheckPlan.Request(environment: "development")
        let failure = PlanTests.failure(of: request, from: Catalogue(of: Workshop.workspace(files)))
        #expect(failure?.status == .usage)
        #expect(
            failure?.diagnostics.map(\.message) == [
                "there is nothing to check: 1 case may change something on the server: pet.delete"
            ])
        #expect(
            failure?.diagnostics.first?.hint
                == "name a case, as in \"pet.delete\", or add \"expect\" to the endpoint itself")
    }

    @Test(
        "A GraphQL query only reads, and a mutation does not",
        arguments: [
            (#""query": "{ pets { id } }""#, false),
            (#""query": "query Pets($n: Int) { pets(first: $n) { id } }", "variables": {"n": 1}"#, false),
            (##""query": "# mutation\nquery A { a(text: \"mutation\") }""##, false),
            (#""query": "subscription S { pets { id } }""#, false),
            (#""query": "mutation { add }""#, true),
            (#""query": "query A { a } mutation B { b }", "operationName": "A""#, false),
            (#""query": "query A { a } mutation B { b }", "operationName": "B""#, true),
            (#""query": "query A { a } mutation B { b }", "operationName": "C""#, true),
            (#""query": "query A { a } mutation B { b }""#, true),
            (#""query": "fragment F on Pet { id }""#, true),
            (#""query": "{{$env.QUERY}}""#, true),
            (#""query": "{{$env.KIND}} A { a }""#, true),
            (#""query": "query A { {{$env.FIELDS}} }""#, false),
            (#""file": "pets.graphql""#, false),
            (#""file": "missing.graphql""#, true),
        ])
    func graphQL(_ body: String, _ changes: Bool) throws {
        let files = ["pets.graphql": "query Pets { pets { id } }"]
        let json = #"{"method": "POST", "path": "/", "body": {"graphql": {\#(body)}}}"#
        let workspace = Workshop.workspace(["endpoints/a.json": json])
        let endpoint = try #require(Catalogue(of: workspace).endpoint("a"))
        #expect(endpoint.mayChange(in: "development") { files[$0] } == changes)
    }

    @Test("An earlier report does not ask for what is left out")
    func earlier() async throws {
        let plan = try Self.plan("pet.delete", isLive: false)
        let stage = Stage { _, _ in .answer(500) }
        let result = await CheckRun(plan, caller: stage.caller, clock: stage.clock).result()
        let report = ReportKind.json.report.text(of: result)
        let run = try EarlierRun(SourceFile(name: "report.json", text: report))
        let request = CheckPlan.Request(environment: "development", earlier: run)
        let failure = PlanTests.failure(of: request, from: Catalogue(of: Workshop.workspace(Self.files)))
        #expect(
            failure?.diagnostics.first?.message
                == "\"report.json\" names cases that are left out: 1 case may change something on the server: pet.delete"
        )
    }

    // MARK: Turns

    /// Endpoints of which two in three may change something.
    private static func cases(_ count: Int) -> String {
        let endpoints = (0..<count).map {
            #""e\#($0)": {"method": "\#($0 % 3 == 2 ? "GET" : "POST")", "path": "/\#($0)", "expect": {"status": 200}}"#
        }
        return "{\"endpoints\": {\(endpoints.joined(separator: ","))}}"
    }

    @Test("Cases of one file that may change something run in turn, in the order of the file")
    func turns() async throws {
        let underWay = Mutex((now: 0, most: 0))
        let stage = Stage { call, _ in
            let changes = call.endpoint.method == "POST"
            if changes {
                underWay.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
            }
            for _ in 0..<20 { await Task.yield() }
            if changes { underWay.withLock { $0.now -= 1 } }
            return .answer(200)
        }
        let files = ["endpoints/a.json": Self.cases(60)]
        let result = try await stage.run(files, options: RunOptions(jobs: .fixed(16)))
        #expect(result.count(.passed) == 60)
        #expect(underWay.withLock(\.most) == 1)
        #expect(stage.mostUnderWay > 2)
        let writes = (0..<60).filter { $0 % 3 != 2 }.map { "a.e\($0)" }
        #expect(stage.calls.filter(writes.contains) == writes)
    }

    @Test("Cases of different files that may change something run in parallel")
    func files() async throws {
        let stage = Stage { _, _ in
            for _ in 0..<20 { await Task.yield() }
            return .answer(200)
        }
        let one = #"{"method": "POST", "path": "/", "expect": {"status": 200}}"#
        let files = Dictionary(uniqueKeysWithValues: (0..<8).map { ("endpoints/e\($0).json", one) })
        _ = try await stage.run(files, options: RunOptions(jobs: .fixed(8)))
        #expect(stage.mostUnderWay > 1)
    }

    @Test("Cases of one file that may change something stay in one shard, and others are dealt out", arguments: 2...5)
    func shards(_ count: Int) throws {
        let files = ["endpoints/a.json": Self.cases(60), "endpoints/b.json": Self.cases(60)]
        var ids: [String] = []
        var shardOfWrites: [String: Set<Int>] = [:]
        var readers: Set<Int> = []
        for index in 1...count {
            let plan = try Self.plan(files: files, shard: Shard(index: index, of: count))
            ids += plan.cases.map(\.id)
            for each in plan.cases where each.endpoint.method == "POST" {
                shardOfWrites[each.endpoint.file.name, default: []].insert(index)
            }
            if plan.cases.contains(where: { $0.endpoint.method == "GET" }) { readers.insert(index) }
        }
        #expect(Set(ids).count == 120 && ids.count == 120)
        #expect(shardOfWrites.values.allSatisfy { $0.count == 1 })
        #expect(readers.count == count)
    }
}
