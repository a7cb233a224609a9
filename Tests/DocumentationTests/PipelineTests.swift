import Foundation
import Testing

/// The pipelines in `docs/ci` are valid YAML, the tutorial shows them unchanged, and their commands work.
@Suite struct PipelineTests {
    /// The key of the commands in each file.
    static let pipelines = ["docs/ci/github-actions.yml": "run", "docs/ci/gitlab-ci.yml": "script"]

    @Test("The pipelines' commands work with stubs", arguments: pipelines)
    func commands(_ name: String, key: String) async throws {
        let yaml = try YAML(String(contentsOfFile: "\(Page.root)/\(name)", encoding: .utf8))
        let lines = yaml.values(of: key).flatMap(\.texts).flatMap { $0.split(separator: "\n") }.map(String.init)
        let commands = lines.filter { $0.hasPrefix("reqcli ") }
        #expect(commands.count == 3)
        // The variables that the CI service sets, and an environment that needs no server.
        let settings = "export REQCLI_ENV=offline CI_NODE_INDEX=1 CI_NODE_TOTAL=2"
        let filled = commands.map { $0.replacing("${{ matrix.shard }}", with: "1") }
        let outcomes = try await Session.run(([settings] + filled).map { .command($0) }, in: .repository)
        #expect(outcomes.count == filled.count + 1)
        for (command, outcome) in zip(filled, outcomes.dropFirst()) {
            #expect(outcome.status == 0, "\(command)\n\(outcome.lines.joined(separator: "\n"))")
        }
    }

    @Test("The tutorial shows the pipeline files unchanged")
    func shown() throws {
        let page = try Page(named: "docs/tutorial-ci.md")
        let blocks = page.blocks.filter { $0.language == "yaml" }
        #expect(blocks.compactMap(\.target).sorted() == Self.pipelines.keys.map { String($0.dropFirst(5)) }.sorted())
        for block in blocks {
            let target = try #require(block.target)
            #expect(
                page.text(of: block) == (try String(contentsOfFile: "\(Page.root)/docs/\(target)", encoding: .utf8)))
        }
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
        let text = "# c\na:\n  - b: 1\n    c: |\n      x y\n      z\n  - [d, \"e: f\"]\ng:\nh: i-${{ j }}\n"
        #expect(
            try YAML(text)
                == .mapping([
                    "a": .sequence([
                        .mapping(["b": .scalar("1"), "c": .scalar("x y\nz\n")]),
                        .sequence([.scalar("d"), .scalar("e: f")]),
                    ]), "g": .scalar(""), "h": .scalar("i-${{ j }}"),
                ]))
    }
}
