import TestSupport
import Testing
import ToolSupport

/// An error that `validate` finds in a file ends a run that reads the file before anything is sent.
@Suite struct ErrorsInFilesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The case's own files, added to those of every case. The error is in the first one.
        let files: [String: String]
        /// The line of the error, as `validate` and `check` both print it.
        let line: String

        init(_ description: String, _ files: [String: String], _ line: String) {
            (testDescription, self.files, self.line) = (description, files, line)
        }
    }

    private static let common = [
        "endpoints/a.json": #"{"path": "/", "needs": {"d": "d"}, "expect": {"status": 200}, \#(stubs)}"#,
        "endpoints/d.json": #"{"path": "/d", \#(stubs)}"#,
        "environments/development.json": #"{"baseURL": "http://localhost:1"}"#,
        "environments/staging.json": #"{"baseURL": "http://localhost:2"}"#,
    ]

    private static let stubs = #""stubs": {"variants": {"ok": {}}}"#

    /// The endpoint `a` with further members.
    private static func endpoint(_ members: String) -> [String: String] {
        ["endpoints/a.json": #"{\#(members), "path": "/", "expect": {"status": 200}, \#(stubs)}"#]
    }

    private static let cases = [
        Case(
            "an overlay for an environment that doesn't exist", endpoint(#""environments": {"develpment": {}}"#),
            #"endpoints/a.json:1:19: error: there is no environment "develpment""#),
        Case(
            "the same in an endpoint that is needed",
            ["endpoints/d.json": #"{"environments": {"develpment": {}}, \#(stubs)}"#],
            #"endpoints/d.json:1:19: error: there is no environment "develpment""#),
        Case(
            "the same in an endpoint beside the one that is selected",
            [
                "endpoints/a.json": """
                {"endpoints": {"a": {"expect": {"status": 200}, \(stubs)},
                 "b": {"environments": {"develpment": {}}}}}
                """
            ], #"endpoints/a.json:2:25: error: there is no environment "develpment""#),
        Case(
            "a name that nothing has, in an overlay for another environment",
            endpoint(#""environments": {"staging": {"path": "/{{nope}}"}}"#),
            #"endpoints/a.json:1:41: error: "{{nope}}" is neither a param nor a variable of any environment"#),
        Case(
            "a header that can't be sent, in an overlay for another environment",
            endpoint(#""environments": {"staging": {"headers": {"A": "a\nb"}}}"#),
            "endpoints/a.json:1:43: error: header A"),
        Case(
            "a pattern that can't be read, in an overlay for another environment",
            endpoint(#""environments": {"staging": {"expect": {"body": {"matches": "("}}}}"#),
            "endpoints/a.json:1:63: error: "),
        Case(
            "a file that doesn't exist, in an overlay for another environment",
            endpoint(#""environments": {"staging": {"tls": {"ca": "none.pem"}}}"#),
            #"endpoints/a.json:1:45: error: there is no file "none.pem""#),
        Case(
            "a variant like one that doesn't exist",
            [
                "endpoints/a.json":
                    #"{"expect": {"status": 200}, "stubs": {"default": "a", "variants": {"a": {}, "b": {"like": "c"}}}}"#
            ],
            #"endpoints/a.json:1:91: error: a has no stub variant "c""#),
        Case(
            "a stub for an endpoint that doesn't exist, in the environment",
            ["environments/development.json": #"{"baseURL": "http://localhost:1", "stubs": {"aa": "ok"}}"#],
            #"environments/development.json:1:45: error: there is no endpoint "aa""#),
        Case(
            "a name that nothing has, in the case of a $switch that the run doesn't come to",
            endpoint(
                #""params": {"x": {"type": "string", "example": "a"}}, "query": {"q": {"$switch": "{{x}}", "a": "1", "b": "{{nope}}"}}"#
            ),
            #"endpoints/a.json:1:107: error: "{{nope}}" is neither a param nor a variable of any environment"#),
        Case(
            "a need of an endpoint beside the one that is selected",
            [
                "endpoints/a.json": """
                {"endpoints": {"a": {"expect": {"status": 200}, \(stubs)},
                 "b": {"needs": {"x": "a.nope"}}}}
                """
            ], #"endpoints/a.json:2:23: error: there is no endpoint "a.nope""#),
    ]

    @Test("check stops with the errors that validate finds in the files it reads", arguments: cases)
    func told(_ each: Case) async throws {
        let workspace = try ToolWorkspace(Self.common.merging(each.files) { $1 })
        let selectors = each.files["endpoints/a.json"]?.contains("endpoints") == true ? ["a.a"] : ["a"]
        for words in [["validate"], ["check", "--stub"] + selectors] {
            let run = try await Tool.run(words, in: workspace)
            #expect(run.status == 3, "\(words): \(run.outputText) \(run.errors)")
            #expect(run.errors.contains(each.line), "\(words): \(run.errors)")
            // The error is reported once, even if several files lead to it.
            #expect(run.errors.contains("1 error in 1 file"), "\(words): \(run.errors)")
        }
    }

    @Test(
        "Flags and shards do not hide an error in a file",
        arguments: [
            ["-H", "A: b"], ["-H", "A:"], ["--base-url", "http://localhost:3"], ["--shard", "1/2"], ["--shard", "2/2"],
        ])
    func hidden(_ flags: [String]) async throws {
        let workspace = try ToolWorkspace(Self.common.merging(Self.endpoint(#""headers": {"A": "a\nb"}"#)) { $1 })
        try workspace.write("endpoints/b.json", #"{"path": "/b", "expect": {"status": 200}, \#(Self.stubs)}"#)
        let run = try await Tool.run(["check", "--stub"] + flags, in: workspace)
        #expect(run.status == 3, "\(run.outputText) \(run.errors)")
        #expect(run.errors.contains("endpoints/a.json:1:14: error: header A"), "\(run.errors)")
        #expect(run.errors.contains("1 error in 1 file"), "\(run.errors)")
    }

    @Test("An error in a file that a run does not read does not affect the run")
    func elsewhere() async throws {
        let workspace = try ToolWorkspace(Self.common)
        try workspace.write("endpoints/z.json", #"{"environments": {"develpment": {}}, "path": "/{{nope}}"}"#)
        try workspace.write("environments/other.json", #"{"extends": "nope"}"#)
        let run = try await Tool.run(["check", "a", "--stub"], in: workspace)
        #expect(run.status == 0, "\(run.outputText) \(run.errors)")
        #expect(try await Tool.run(["validate"], in: workspace).status == 3)
    }

    @Test(
        "A single call stops if an overlay is for an environment that does not exist",
        arguments: [["send", "--stub=ok"], ["render"], ["explain"]])
    func single(_ words: [String]) async throws {
        let overlay = #"{"environments": {"develpment": {}}, "path": "/", \#(Self.stubs)}"#
        let workspace = try ToolWorkspace(Self.common.merging(["endpoints/s.json": overlay]) { $1 })
        try workspace.write("endpoints/n.json", #"{"needs": {"s": "s"}, "path": "/", \#(Self.stubs)}"#)
        let run = try await Tool.run(words + ["s"], in: workspace)
        #expect(run.status == 3, "\(run.errors)")
        #expect(
            run.errors.contains(#"endpoints/s.json:1:19: error: there is no environment "develpment""#), "\(run.errors)"
        )
        if words[0] == "send" {
            #expect(try await Tool.run(words + ["n"], in: workspace).status == 3)
        }
    }
}
