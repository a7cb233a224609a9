import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// The limits of what the files may ask for: reached without an error, and reported where they are passed.
@Suite struct LimitTests {
    private static func workspace(_ files: [String: String]) -> Workspace {
        Workspace(root: "/work", currentFolder: "/work", files: MemoryFiles(files).fileSystem)
    }

    private static func variables(_ count: Int) -> Workspace {
        let variables = (1..<count).map { #""v\#($0)": "{{v\#($0 - 1)}}""# }
        let all = ([#""v0": "x""#] + variables).joined(separator: ",\n")
        return workspace(["environments/e.json": "{\"variables\": {\n\(all)}}", "endpoints/a.json": "{}"])
    }

    @Test("as many variables as allowed stand for each other in a row")
    func longestChainOfVariables() {
        let workspace = Self.variables(512)
        #expect(lines(workspace.validate().diagnostics) == [])
        guard case .found = workspace.environment("e").value else {
            Issue.record("the environment is not there")
            return
        }
    }

    @Test(
        "one variable more is an error at its place, in validate and wherever the environment is used",
        arguments: [513, 8_000])
    func tooLongChainOfVariables(count: Int) {
        let workspace = Self.variables(count)
        let expected = "a chain of references has more than 512 variables: v512 → v511 → … → v0"
        for diagnostics in [workspace.validate().diagnostics, workspace.environment("e").diagnostics] {
            #expect(diagnostics.map(\.message) == [expected])
            #expect(diagnostics.first?.place?.description == "environments/e.json:514:1")
        }
        guard case .broken = workspace.environment("e").value else {
            Issue.record("the environment was expected to be broken")
            return
        }
    }

    private static func needs(_ count: Int) -> Workspace {
        var files = ["endpoints/e0.json": "{}"]
        for number in 1..<count { files["endpoints/e\(number).json"] = #"{"needs": {"n": "e\#(number - 1)"}}"# }
        return workspace(files)
    }

    @Test(
        "a chain of needs longer than allowed is one error, at the need that passes the limit",
        arguments: [513, 5_000])
    func tooLongChainOfNeeds(count: Int) {
        #expect(
            Self.needs(count).validate().diagnostics.map { "\($0.place?.description ?? ""): \($0.message)" } == [
                "endpoints/e512.json:1:17: a chain of needs has more than 512 endpoints: e512 → e511 → … → e0"
            ])
        #expect(lines(Self.needs(512).validate().diagnostics) == [])
    }

    private static func environments(_ count: Int) -> [String: String] {
        var files = ["environments/e0.json": "{}", "endpoints/a.json": "{}"]
        for number in 1..<count { files["environments/e\(number).json"] = #"{"extends": "e\#(number - 1)"}"# }
        return files
    }

    @Test(
        "an environment that builds on too many others is one error, however many extend it", arguments: [102, 3_000])
    func tooManyBases(count: Int) {
        let workspace = Self.workspace(Self.environments(count))
        #expect(
            workspace.validate().diagnostics.map { "\($0.place?.description ?? ""): \($0.message)" } == [
                #"environments/e101.json:1:13: "e101" extends more than 100 environments"#
            ])
        let last = workspace.environment("e\(count - 1)")
        #expect(last.diagnostics.map(\.message) == [#""e\#(count - 1)" extends more than 100 environments"#])
        guard case .broken = last.value else {
            Issue.record("it was expected to be broken")
            return
        }
        #expect(lines(Self.workspace(Self.environments(101)).validate().diagnostics) == [])
    }

    @Test("an environment reads no more files than it may build on")
    func readsNoMore() {
        let files = MemoryFiles(Self.environments(3_000))
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
        _ = workspace.environment("e2999")
        #expect(files.readFiles.count <= 101)
    }

    @Test("sequences that double are counted, not gone through")
    func doublingSequences() {
        let doubling = (1...60).map { #""s\#($0)": {"sequence": ["s\#($0 - 1)", "s\#($0 - 1)"]}"# }
        let text = #"{"stubs": {"variants": {"s0": {}, \#(doubling.joined(separator: ",\n"))}}}"#
        #expect(
            Self.workspace(["endpoints/a.json": text]).validate().diagnostics.map {
                "\($0.place?.description ?? ""): \($0.message)"
            } == [
                #"endpoints/a.json:13:8: the sequence "s13" has more than 10000 steps, counting the steps of the sequences in it"#
            ])
    }

    @Test("folders nest as deep as allowed and no deeper")
    func folders() {
        func workspace(_ depth: Int) -> Workspace {
            Self.workspace(["endpoints/\(String(repeating: "f/", count: depth))a.json": "{}"])
        }
        #expect(workspace(64).endpointEntries().value.count == 1)
        let listed = workspace(800).endpointEntries()
        #expect(listed.value.isEmpty)
        #expect(listed.diagnostics.map(\.message) == ["folders nest more than 64 deep"])
        #expect(
            listed.diagnostics.first?.fileName == "endpoints/" + Array(repeating: "f", count: 65).joined(separator: "/")
        )
    }
}
