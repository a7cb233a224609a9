import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import Checking

/// The reports of the parts of a run, read back and merged.
struct RunMergeTests {
    // MARK: The same as one run

    /// Runs the sample whole, or one part of it.
    private static func sample(
        _ shard: Shard? = nil, _ balance: Balance? = nil, environment: String = "development",
        files: [String: String] = SampleRun.files
    ) async throws -> RunResult {
        var request = CheckPlan.Request(environment: environment, shard: shard)
        request.balance = balance
        let plan = try CheckPlan.make(request, from: Catalogue(of: Workshop.workspace(files)))
        let stage = SampleRun.stage
        var run = await CheckRun(
            plan, options: RunOptions(jobs: .fixed(1), retries: 1), caller: stage.caller, clock: stage.clock
        ).result()
        run.warnings = ["something to know"]
        run.plan = plan.fingerprint(in: EnvironmentChain(name: environment, layers: []))
        return run
    }

    private static func read(_ run: RunResult) throws -> RunResult {
        try RunResult(reading: SourceFile(name: "part.json", text: ReportKind.json.report.text(of: run)))
    }

    /// The parts, each written and read again.
    private static func parts(_ count: Int, _ balance: Balance? = nil) async throws -> [RunPart] {
        var parts: [RunPart] = []
        for index in 1...count {
            let run = try await sample(Shard(index: index, of: count), balance)
            parts.append(RunPart(name: "part-\(index).json", run: try read(run)))
        }
        return parts
    }

    /// A report without its times, and without the order of what began when.
    private static func timeless(_ kind: ReportKind, _ run: RunResult) -> [String] {
        let text = kind.report.text(of: run)
            .replacing(/"(startMs|durationMs)": [0-9]+/, with: "TIME").replacing(/duration_ms: [0-9]+/, with: "TIME")
            .replacing(/time="[0-9.]+"/, with: "TIME").replacing(/began after [0-9.msh ]+/, with: "TIME ")
            .replacing(/, after [0-9.ms]+/, with: "TIME").replacing(/within [0-9.ms]+/, with: "TIME")
            .replacing(/"(time|track)">[0-9.ms]*/, with: "TIME").replacing(/left:[0-9.]+%;width:[0-9.]+%/, with: "TIME")
            .replacing(/<span>Took<\/span> [0-9.ms]+/, with: "TIME").replacing(/need-[0-9]+/, with: "need")
            .replacing(/(?s)<section id="durations".*?<\/section>/, with: "")
        let lines = text.split(separator: "\n").map(String.init)
        return kind == .json || kind == .html
            ? lines.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }.sorted() : lines
    }

    @Test("merged parts are one run in all five reports, but for times", arguments: [1, 2, 5, 12])
    func equal(_ count: Int) async throws {
        let whole = try await Self.sample()
        let timings = Balance(whole, name: "timings.json")
        for balance in [nil, timings] {
            let parts = try await Self.parts(count, balance)
            let merged = try RunMerge.run(of: parts.shuffled())
            #expect(merged.gaps.isEmpty, "\(merged.gaps.map(\.message))")
            #expect(merged.exitStatus == whole.exitStatus)
            #expect(merged.cases.map(\.id) == whole.cases.map(\.id))
            for kind in ReportKind.allCases {
                #expect(Self.timeless(kind, merged) == Self.timeless(kind, whole), "\(kind), \(count) parts")
            }
        }
    }

    @Test("random plans with needs, checks and failures are the same merged as whole")
    func random() async throws {
        var generator = SeededGenerator(seed: 501)
        for round in 0..<12 {
            var files: [String: String] = ["endpoints/login.json": #"{"path": "/", "expect": {"status": 200}}"#]
            for index in 0..<Int.random(in: 1...12, using: &generator) {
                let needs = Bool.random(using: &generator) ? #""needs": {"login": "login"},"# : ""
                let status = Bool.random(using: &generator) ? 200 : 500
                files["endpoints/e\(index).json"] = """
                    {"path": "/\(index)", \(needs) "expect": {"status": \(status)},
                     "checks": [{"name": "c", "expect": {"status": 200}}]}
                    """
            }
            let failing = "e\(Int.random(in: 0...12, using: &generator))"
            func run(_ shard: Shard?) async throws -> RunResult {
                let plan = try CheckPlan.make(
                    CheckPlan.Request(environment: "development", shard: shard),
                    from: Catalogue(of: Workshop.workspace(files)))
                let stage = Stage { call, _ in call.endpoint.id == failing ? .failure(.noAnswer) : .answer(200) }
                var run = await CheckRun(
                    plan, options: RunOptions(jobs: .fixed(3)), caller: stage.caller, clock: stage.clock
                ).result()
                run.plan = plan.fingerprint(in: EnvironmentChain(name: "development", layers: []))
                return run
            }
            let whole = try await run(nil)
            let count = Int.random(in: 1...50, using: &generator)
            var parts: [RunPart] = []
            for index in 1...count {
                parts.append(RunPart(name: "\(index)", run: try Self.read(await run(Shard(index: index, of: count)))))
            }
            let merged = try RunMerge.run(of: parts)
            #expect(merged.gaps.isEmpty)
            for kind in ReportKind.allCases {
                #expect(Self.timeless(kind, merged) == Self.timeless(kind, whole), "round \(round), \(kind)")
            }
        }
    }

    @Test("a report that is read and written again is the same")
    func roundTrip() async throws {
        let runs = [
            try await Self.sample(), try await SampleRun.interrupted().run, try await SampleRun.emptyShard(),
            try await Self.sample(Shard("2/3")),
        ]
        for run in runs {
            let text = ReportKind.json.report.text(of: run)
            let again = try RunResult(reading: SourceFile(name: "report.json", text: text))
            for kind in ReportKind.allCases {
                #expect(kind.report.text(of: again) == kind.report.text(of: run), "\(kind)")
            }
        }
    }

    // MARK: Not whole

    struct Broken: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let message: String
        let change: @Sendable ([RunPart]) async throws -> [RunPart]

        init(
            _ name: String, _ message: String, _ change: @escaping @Sendable ([RunPart]) async throws -> [RunPart]
        ) {
            testDescription = name
            self.message = message
            self.change = change
        }
    }

    static let broken = [
        Broken("a part is missing", "part 2/4 is missing: ") { $0.filter { $0.run.shard?.index != 2 } },
        Broken("several parts are missing", "parts 1/4, 2/4, 4/4 are missing: ") {
            $0.filter { $0.run.shard?.index == 3 }
        },
        Broken("a part is doubled", "part 3/4 is given twice: \"part-3.json\" and \"again.json\"") {
            $0 + [RunPart(name: "again.json", run: $0[2].run)]
        },
        Broken("a part is from other files", "\"part-1.json\" has a different plan from \"part-2.json\"") { parts in
            var files = SampleRun.files
            files["endpoints/slow.json"] = #"{"path": "/slow", "expect": {"status": 201}}"#
            let other = try await sample(Shard("1/4"), files: files)
            return [RunPart(name: "part-1.json", run: try read(other))] + parts.dropFirst()
        },
        Broken("a part is from another environment", "\"part-4.json\" is a report of the environment production") {
            parts in
            let other = try await sample(Shard("4/4"), environment: "production")
            return parts.dropLast() + [RunPart(name: "part-4.json", run: try read(other))]
        },
        Broken("a part is of another number of parts", "\"part-4.json\" is part 4/5, and \"part-1.json\" is part 1/4") {
            $0.dropLast() + [RunPart(name: "part-4.json", run: try await read(sample(Shard("4/5"))))]
        },
        Broken(
            "a whole run is among the parts", "\"whole.json\" is the report of a whole run, but there are other reports"
        ) {
            $0 + [RunPart(name: "whole.json", run: try await sample())]
        },
        Broken("a part has no plan", "\"part-1.json\" has no \"plan\"") { parts in
            var first = parts[0].run
            first.plan = nil
            return [RunPart(name: "part-1.json", run: first)] + parts.dropFirst()
        },
        Broken("a part is of fewer selected cases", "\"part-1.json\" is the report of a run with 1 case, and ") {
            parts in
            let text = ReportKind.json.report.text(of: parts[0].run)
                .replacing(/"selected": [0-9]+/, with: #""selected": 1"#)
            let run = try RunResult(reading: SourceFile(name: "part-1.json", text: text))
            return [RunPart(name: "part-1.json", run: run)] + parts.dropFirst()
        },
        Broken("a part was dealt out by other timings", "in more than one part, such as \"") { parts in
            let timings = Balance(try await sample(), name: "timings.json")
            return try await RunMergeTests.parts(4, timings).prefix(2) + parts.suffix(2)
        },
    ]

    @Test("what is not whole is red, and all reports say so", arguments: broken)
    func notWhole(_ broken: Broken) async throws {
        let parts = try await broken.change(try await Self.parts(4))
        let merged = try RunMerge.run(of: parts)
        #expect(merged.gaps.contains { $0.message.contains(broken.message) }, "\(merged.gaps.map(\.message))")
        #expect(merged.exitStatus == .usage)
        expectRed(merged)
    }

    @Test("an interrupted part is red, and all reports say so")
    func interrupted() async throws {
        var (_, run) = try await SampleRun.interrupted()
        run.plan = "1"
        let merged = try RunMerge.run(of: [RunPart(name: "part.json", run: try Self.read(run))])
        #expect(merged.gaps.map(\.message) == ["\"part.json\" was interrupted: 2 of its 3 cases did not run"])
        #expect(merged.exitStatus == .usage)
        expectRed(merged)
    }

    @Test("a part that began hours before the others has a warning: its report may be of an earlier run")
    func stale() async throws {
        var parts = try await Self.parts(3)
        #expect(try RunMerge.run(of: parts).warnings == ["something to know"])
        let text = ReportKind.json.report.text(of: parts[1].run).replacing(
            "2023-11-14T22:13:20Z", with: "2023-11-14T19:00:00Z")
        let old = try RunResult(reading: SourceFile(name: "part-2.json", text: text))
        parts[1] = RunPart(name: "part-2.json", run: old)
        let merged = try RunMerge.run(of: parts)
        #expect(merged.gaps.isEmpty)
        #expect(
            merged.warnings.last
                == "part 2/3 began 3 h before the last one: is \"part-2.json\" a report of an earlier run?")
    }

    @Test("a file that is no report is as good as a part that is missing")
    func unreadable() async throws {
        let parts = try await Self.parts(2)
        let problem = Diagnostic(code: .earlierReportInvalid, "\"x\" is not a JSON report of check", at: nil)
        let merged = try RunMerge.run(of: [parts[0]], unreadable: [problem])
        #expect(merged.gaps.count == 2)
        expectRed(merged)
        let failure = #expect(throws: Failure.self) { try RunMerge.run(of: [], unreadable: [problem]) }
        #expect(failure?.status == .usage)
    }

    @Test("a merged report that is incomplete stays so, and does not say what is left to run")
    func staysIncomplete() async throws {
        let merged = try RunMerge.run(of: try await Self.parts(3).dropLast())
        let text = ReportKind.json.report.text(of: merged)
        let again = try RunResult(reading: SourceFile(name: "merged.json", text: text))
        #expect(again.exitStatus == .usage)
        #expect(try RunMerge.run(of: [RunPart(name: "merged.json", run: again)]).exitStatus == .usage)
        let failure = #expect(throws: Failure.self) {
            try EarlierRun(SourceFile(name: "merged.json", text: text))
        }
        #expect(
            failure?.message.hasPrefix(
                "\"merged.json\" is the report of an incomplete run: part 3/3 is missing") == true)
    }

    private func expectRed(_ run: RunResult) {
        for kind in ReportKind.allCases {
            let text = kind.report.text(of: run)
            for gap in run.gaps {
                let shown =
                    switch kind {
                    case .json: JSONStringText.quoted(gap.message)
                    case .junit, .html: Markup.escaped(gap.message)
                    case .tap, .github: gap.message
                    }
                #expect(text.contains(shown), "\(kind): \(gap.message)")
            }
            let red: [ReportKind: String] = [
                .junit: "<error type=\"incomplete\"", .tap: "not ok \(run.cases.count + 1) - report merge: ",
                .json: "\"exitCode\": 2", .html: "<span class=\"error\">incomplete</span>",
                .github: "::error title=reqcli report merge::",
            ]
            #expect(text.contains(red[kind] ?? "?"), "\(kind)")
        }
    }

    // MARK: Fingerprints and files

    @Test("a plan has the same fingerprint in all parts, and another one if its cases or files differ")
    func fingerprints() throws {
        let files = [
            "endpoints/a.json": #"{"path": "/", "expect": {"status": 200}}"#,
            "endpoints/b.json": #"{"path": "/", "needs": {"c": "c"}, "expect": {"status": 200}}"#,
            "endpoints/c.json": #"{"path": "/"}"#,
        ]
        func fingerprint(
            _ selectors: String..., changing change: [String: String] = [:], shard: Shard? = nil,
            environment: String = "development", data: String? = nil, flags: [String] = []
        ) throws -> String {
            let files = files.merging(change) { $1 }
            let table = try data.map {
                try Workshop.required(DataTable.read(SourceFile(name: "r.csv", text: $0)).value, "")
            }
            let request = CheckPlan.Request(
                selectors: selectors.map { Selector($0) }, environment: environment, data: table, shard: shard)
            let plan = try CheckPlan.make(request, from: Catalogue(of: Workshop.workspace(files)))
            return plan.fingerprint(
                in: EnvironmentChain(name: environment, layers: []), flags: flags.map { Array($0.utf8) })
        }
        let usual = try fingerprint()
        #expect(try fingerprint(shard: Shard("1/2")) == usual && fingerprint(shard: Shard("2/2")) == usual)
        #expect(usual.count == 16)
        let others = [
            try fingerprint("a"), try fingerprint(environment: "other"),
            try fingerprint(flags: ["stub "]), try fingerprint(flags: ["stub a=b"]),
            try fingerprint(flags: ["openapi", "{}"]),
            try fingerprint(changing: ["endpoints/a.json": #"{"path": "/", "expect": {"status": 201}}"#]),
            try fingerprint(changing: ["endpoints/c.json": #"{"path": "/c"}"#]),
            try fingerprint(changing: ["endpoints/d.json": #"{"path": "/", "expect": {"status": 200}}"#]),
        ]
        #expect(Set(others + [usual]).count == others.count + 1)
    }

    @Test(
        "a value of another type makes the report unreadable",
        arguments: [
            #""environment": 1"#, #""cases": {}"#, #""cases": [1]"#, #""shard": {"index": 3, "count": 2}"#,
            #""shard": {"index": 1, "count": 1000000000000}"#, #""version": 2"#, #""startedAt": "yesterday""#,
            #""cases": [{"id": "a", "verdict": "fine"}]"#,
            #""cases": [{"id": "a", "verdict": "passed", "durationMs": -1}]"#,
            #""cases": [{"id": "a", "verdict": "error", "problem": {"exitCode": 77}}]"#,
            #""cases": [{"id": "a", "verdict": "error", "problem": {"exitCode": 0}}]"#,
            #""cases": [{"id": "a", "verdict": "failed", "verdict": "passed"}]"#,
            #""cases": [{"id": "a", "verdict": "passed", "failures": [{"subject": "status"}]}]"#,
            #""cases": [{"id": "a", "verdict": "passed", "problem": {"exitCode": 6}}]"#,
            #""cases": [{"id": "a", "verdict": "passed"}], "exitCode": 1"#,
            #""cases": [{"id": "a", "verdict": "failed"}], "exitCode": 0"#,
            #""warnings": ["a", 1]"#, #""incomplete": [{}]"#, #""dependencies": [{"id": "a"}]"#,
        ])
    func unreadableValues(_ member: String) throws {
        let name = try #require(member.split(separator: "\"").first)
        var members = [#""environment": "e""#, #""cases": []"#].filter { !$0.hasPrefix("\"\(name)\"") }
        members = [#""format": "reqcli.check""#, member] + members
        let text = "{\(members.joined(separator: ", "))}"
        #expect(throws: UnreadableReport.self) { try RunResult(reading: SourceFile(name: "r", text: text)) }
    }

    @Test("damaged reports neither trap nor hang")
    func damaged() async throws {
        let text = Array(ReportKind.json.report.text(of: try await Self.sample()).utf8)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<150 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                    in: 0x20..<0x7F, using: &generator)
            }
            guard let run = try? RunResult(reading: SourceFile(name: "r", bytes: bytes)) else { continue }
            _ = try? RunMerge.run(of: [RunPart(name: "r", run: run)])
        }
    }

    @Test("a merged run has the server and the commit that its parts share, and no job of one part")
    func origin() {
        let one = RunOrigin(server: "http://h", commit: "a", job: "https://ci/1")
        let two = RunOrigin(server: "http://h", commit: "b", job: "https://ci/2")
        #expect(RunOrigin.shared(by: [one, two]) == RunOrigin(server: "http://h"))
        #expect(RunOrigin.shared(by: [one, one]) == one && RunOrigin.shared(by: []) == RunOrigin())
    }
}
