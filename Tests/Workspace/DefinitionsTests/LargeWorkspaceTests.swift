import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// The cost of validating grows with the workspace and not with its square: counted, not timed.
@Suite struct LargeWorkspaceTests {
    private static let perFile = 20

    private static func workspace(
        fileCount: Int, endpoint: (_ file: Int, _ number: Int) -> String, defaults: String = "{}",
        environments: [String: String] = [:]
    ) -> MemoryFiles {
        var texts = environments
        for file in 0..<fileCount {
            let endpoints = (0..<perFile).map { #""e\#($0)": \#(endpoint(file, $0))"# }.joined(separator: ",\n")
            texts["endpoints/f\(file).json"] = #"{"defaults": \#(defaults), "endpoints": {\#(endpoints)}}"#
        }
        return MemoryFiles(texts)
    }

    @Test("10,000 endpoints in 500 files: each file is read once, each folder listed once")
    func readsOnce() {
        var environments = ["environments/base.json": #"{"variables": {"tenant": "acme"}}"#]
        for number in 0..<100 { environments["environments/e\(number).json"] = #"{"extends": "base"}"# }
        let files = Self.workspace(
            fileCount: 500,
            endpoint: { file, number in
                let need = number > 0 ? #""needs": {"before": "f\#(file).e\#(number - 1)"}"# : #""tags": []"#
                return #"{"path": "/{{tenant}}", \#(need), "environments": {"e7": {"timeout": 5}}}"#
            }, defaults: #"{"headers": {"X-Tenant": "{{tenant}}"}}"#, environments: environments)
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
        let report = workspace.validate()
        #expect(lines(report.diagnostics) == [])
        #expect(report.endpointCount == 10_000)
        #expect(files.readFiles.count == 601)
        #expect(Set(files.readFiles).count == 601)
        #expect(files.listedFolders.count == 2)
    }

    @Test("files that are read at once are told of in their order, each with its own problems")
    func order() {
        let names = (100..<200).map { "endpoints/f\($0).json" }
        let files = MemoryFiles(
            Dictionary(uniqueKeysWithValues: names.map { ($0, #"{"paht": "\#($0)", "headers": {"A": "\u0000"}}"#) }))
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
        let report = workspace.validate()
        #expect(report.diagnostics.map(\.fileName) == names)
        #expect(report.diagnostics.allSatisfy { $0.code == .keyUnknown })
        let loaded = workspace.load(endpointFiles: workspace.endpointEntries().value)
        #expect(loaded.flatMap(\.diagnostics).map(\.fileName) == names)
    }

    @Test("a chain of needs through all endpoints is walked once")
    func longNeeds() {
        let count = 100 * Self.perFile
        func id(_ index: Int) -> String { "f\(index / Self.perFile).e\(index % Self.perFile)" }
        let files = Self.workspace(fileCount: 100) { file, number in
            #"{"needs": {"next": "\#(id((file * Self.perFile + number + 1) % count))"}}"#
        }
        let report = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem).validate()
        #expect(report.diagnostics.map(\.code) == [.needsCycle])
    }

    @Test("2,000 typos are all told; only the first kinds of them get a suggestion, which looks at every name")
    func manyTypos() {
        let files = Self.workspace(fileCount: 100) { file, number in
            #"{"needs": {"a": "x\#(file).e\#(number)"}, "path": "/{{tenat\#(file % 3)}}", "environments": {"prod": {}}}"#
        }
        let report = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem).validate()
        let byCode = Dictionary(grouping: report.diagnostics, by: \.code).mapValues(\.count)
        #expect(byCode == [.endpointUnknown: 2000, .valueUnresolved: 2000, .environmentUnknown: 2000])
        #expect(report.diagnostics.count { $0.code == .endpointUnknown && $0.hint != nil } == 100)
        #expect(files.listedFolders.count == 1)
    }

    @Test("places in one long string are found in one walk")
    func longString() {
        let text = #"{"path": "\n"# + String(repeating: "{{$uuid}}", count: 50_000) + #""}"#
        let workspace = Workspace.inMemory([("endpoints/a.json", text)])
        guard case .found(let endpoint) = workspace.endpoint("a").value,
            case .text(let template)? = endpoint.definition.request.path?.set
        else {
            Issue.record("the path is not there")
            return
        }
        #expect(template.placeholders.count == 50_000)
        #expect(template.placeholders.last?.place.range.upperBound == text.utf8.count - 2)
    }
}
