import Foundation
import Testing

/// The pipelines in `docs/ci` are valid YAML, the tutorial shows or links them, and their commands do what they say.
@Suite struct PipelineTests {
    /// A CI system: the key of the commands in its file, and the variables that it sets for each of its parts.
    struct System: CustomTestStringConvertible, Sendable {
        let file: String
        let key: String
        let index: String
        let first: Int
        let variables: [String]
        /// What the system itself replaces in commands.
        var replaced: (String, String) = ("", "")

        var testDescription: String { file }

        func variables(ofPart part: Int) -> String {
            "export REQCLI_ENV=offline \((["\(index)=\(first + part)"] + variables).joined(separator: " "))"
        }
    }

    static let parts = 3
    static let systems = [
        System(
            file: "github-actions.yml", key: "run", index: "REQCLI_SHARD_INDEX", first: 0,
            variables: ["GITHUB_ACTIONS=true", "REQCLI_SHARD_COUNT=3"]),
        System(
            file: "gitlab-ci.yml", key: "script", index: "CI_NODE_INDEX", first: 1,
            variables: ["GITLAB_CI=true", "CI_NODE_TOTAL=3"]),
        System(
            file: "circleci.yml", key: "command", index: "CIRCLE_NODE_INDEX", first: 0,
            variables: ["CIRCLECI=true", "CIRCLE_NODE_TOTAL=3"]),
        System(
            file: "buildkite.yml", key: "commands", index: "BUILDKITE_PARALLEL_JOB", first: 0,
            variables: ["BUILDKITE=true", "BUILDKITE_PARALLEL_JOB_COUNT=3"], replaced: ("$$", "$")),
        System(
            file: "kubernetes-job.yml", key: "args", index: "JOB_COMPLETION_INDEX", first: 0, variables: [],
            replaced: ("/reports/", "reports/")),
    ]
    /// Pipelines that run a load.
    static let loadSystems = [
        System(
            file: "github-actions-load.yml", key: "run", index: "REQCLI_SHARD_INDEX", first: 0,
            variables: ["GITHUB_ACTIONS=true", "REQCLI_SHARD_COUNT=3"]),
        System(file: "kubernetes-load.yml", key: "args", index: "JOB_COMPLETION_INDEX", first: 0, variables: []),
    ]
    /// The tutorial shows this file and links the others.
    private static let shownFiles = ["github-actions.yml"]

    private static func text(_ system: System) throws -> String {
        try String(contentsOfFile: "\(Page.root)/docs/ci/\(system.file)", encoding: .utf8)
    }

    /// The lines of all commands of the pipeline.
    private static func commands(_ system: System) throws -> [String] {
        let documents = try text(system).components(separatedBy: "\n---\n").map { try YAML($0) }
        let lines = documents.flatMap { $0.values(of: system.key) }.flatMap(\.texts).flatMap {
            $0.split(separator: "\n")
        }
        let (old, new) = system.replaced
        return lines.map { old.isEmpty ? String($0) : String($0).replacing(old, with: new) }
    }

    @Test("The parts of each pipeline write reports that merge to one run", arguments: systems)
    func commands(_ system: System) async throws {
        let commands = try Self.commands(system)
        let offline = commands.filter { $0.hasPrefix("reqcli validate") || $0.hasPrefix("reqcli check --stub") }
        let part = commands.filter { $0.contains("reqcli check --shard") || $0.hasPrefix("rm ") }
        let merging = commands.filter { $0.hasPrefix("reqcli report merge ") }
        #expect(part.contains { $0.hasPrefix("reqcli check --shard auto") } && merging.count == 1)
        let parts = (0..<Self.parts).flatMap { [system.variables(ofPart: $0)] + part }
        let steps = ["mkdir reports"] + offline + parts + merging + ["grep -c '<testcase ' report*/*.xml *.xml; true"]
        let outcomes = try await Session.run(steps.map { .command($0) }, in: .repository)
        #expect(outcomes.count == steps.count)
        for (command, outcome) in zip(steps, outcomes) {
            #expect(outcome.status == 0, "\(command)\n\(outcome.lines.joined(separator: "\n"))")
        }
        #expect(outcomes.dropLast().last?.lines.contains { $0.hasPrefix("10 cases and 1 scenario in ") } == true)
        // A case of a test for each case, and for each step and cleanup of the scenario.
        #expect(outcomes.last?.lines.contains { $0.hasSuffix("14") } == true, "\(outcomes.last?.lines ?? [])")
    }

    @Test("A check that fails makes the merged run fail, and so does a part that is missing", arguments: systems)
    func failing(_ system: System) async throws {
        let commands = try Self.commands(system)
        let part = try #require(commands.first { $0.contains("reqcli check --shard") })
        let merging = try #require(commands.first { $0.hasPrefix("reqcli report merge ") })
        let breaking = "sed -i 's/\"name\": \"Ada Lovelace\", \"mail_address\"/\"mail_address\"/' endpoints/user.json"
        let parts = (0..<Self.parts).flatMap { [system.variables(ofPart: $0), "\(part); true"] }
        let steps =
            ["mkdir reports", breaking] + parts + ["\(merging)", "rm part-1.json reports/part-1.json; true", merging]
        let outcomes = try await Session.run(steps.map { .command($0) }, in: .repository)
        #expect(outcomes.count == steps.count)
        #expect(outcomes.dropLast(2).last?.status == 1, "\(outcomes.dropLast(2).last?.lines ?? [])")
        #expect(outcomes.last?.status == 2, "\(outcomes.last?.lines ?? [])")
    }

    @Test("Each part of a load in a pipeline is one of three parts of the same load", arguments: loadSystems)
    func loads(_ system: System) async throws {
        let commands = try Self.commands(system)
        let part = try #require(commands.first { $0.contains("reqcli load") })
        #expect(commands.contains { $0.hasPrefix("reqcli report merge ") })
        let file = #"{"mix": [{"endpoint": "user.get"}], "stages": [{"rate": "5/s", "for": 1}]}"#
        let setup = [
            "mkdir loads", "echo '\(file)' > loads/afternoon.json",
            "export START=2026-11-27T12:00:00Z SEED=7 REQCLI_SEED=7",
        ]
        let listing = part.replacing("reqcli load afternoon", with: "reqcli load afternoon --list")
        let steps = setup + (0..<Self.parts).flatMap { [system.variables(ofPart: $0), listing] }
        let outcomes = try await Session.run(steps.map { .command($0) }, in: .repository)
        #expect(outcomes.count == steps.count)
        for (command, outcome) in zip(steps, outcomes) {
            #expect(outcome.status == 0, "\(command)\n\(outcome.lines.joined(separator: "\n"))")
        }
        let lines = outcomes.flatMap(\.lines)
        for index in 1...Self.parts { #expect(lines.contains { $0.hasSuffix("part \(index)/\(Self.parts)") }) }
    }

    @Test("The tutorial shows pipeline files unchanged, and links the others")
    func shown() throws {
        let page = try Page(named: "docs/tutorials/ci.md")
        let blocks = page.blocks.filter { $0.language == "yaml" }
        #expect(blocks.compactMap(\.target).sorted() == Self.shownFiles.map { "../ci/\($0)" })
        for block in blocks {
            let target = try #require(block.target)
            #expect(
                page.text(of: block)
                    == (try String(contentsOfFile: "\(Page.root)/docs/tutorials/\(target)", encoding: .utf8)))
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(Page.root)/docs/ci")
        #expect(files.sorted() == (Self.systems + Self.loadSystems).map(\.file).sorted())
        for file in files { #expect(page.lines.contains { $0.contains("(../ci/\(file))") }, "\(file)") }
        // No other page may contain YAML that is not tested, if only by the commands that read it.
        for name in Page.names where name != page.path {
            let untested = try Page(named: name).blocks.contains { $0.language == "yaml" && $0.file == nil }
            #expect(!untested, Comment(rawValue: name))
        }
    }

    @Test(
        "YAML that the reader does not support is rejected",
        arguments: [
            "a: b: c", "a: {b: c}", "a:\n  b: c\n   d: e", "a: 'b'", "a: b\na: c", "- a\nb: c", "a: >\n  b", "a: &b c",
        ])
    func refused(_ text: String) {
        #expect(throws: YAML.Mistake.self) { try YAML(text) }
    }

    @Test("The reader parses the supported YAML")
    func read() throws {
        let text =
            "# c\na:\n  - b: 1\n    c: |\n      x y\n      z\n  - [d, \"e: f\"]\n  - |\n    k\ng:\nh: i-${{ j }}\n"
        #expect(
            try YAML(text)
                == .mapping([
                    "a": .sequence([
                        .mapping(["b": .scalar("1"), "c": .scalar("x y\nz\n")]),
                        .sequence([.scalar("d"), .scalar("e: f")]), .scalar("k\n"),
                    ]), "g": .scalar(""), "h": .scalar("i-${{ j }}"),
                ]))
    }
}
