import TestSupport
import Testing
import ToolSupport

/// A run is never successful if a check could not be made.
struct NoFalseGreenTests {
    struct Case: CustomStringConvertible, Sendable {
        let name: String
        let words: [String]
        let files: [String: String]
        let status: Int32
        /// The text that is printed, on either stream.
        let tells: String

        init(_ name: String, _ words: [String], _ files: [String: String] = [:], status: Int32, tells: String) {
            (self.name, self.words, self.files, self.status, self.tells) = (name, words, files, status, tells)
        }

        var description: String { name }
    }

    /// Two endpoints that pass with their stubs, and one that expects nothing.
    private static let base = [
        "endpoints/a.json": """
        {"endpoints": {
          "one": {"path": "/one", "expect": {"status": 200}, "stubs": {"variants": {"standard": {"json": {"id": 1}}}}},
          "two": {"path": "/two", "expect": {"json": {"$.id": 2}}, "stubs": {"variants": {"standard": {"json": {"id": 2}},
            "other": {"json": {"id": 3}}, "meant": {"json": {"id": 2}, "expect": "fail"},
            "proof": {"json": {"id": 3}, "expect": "fail"}}}},
          "silent": {"path": "/silent", "stubs": {"variants": {"standard": {}}}}}}
        """,
        "environments/development.json": #"{"baseURL": "http://localhost:1"}"#,
    ]

    private static func endpoint(_ text: String) -> [String: String] { ["endpoints/b.json": text] }

    static let cases = [
        Case("all is well", ["--stub"], status: 0, tells: "2 passed"),
        Case("an expectation fails", ["a.two", "--stub=other"], status: 1, tells: "expected"),
        Case("nothing is selected", ["tag:none", "--stub"], status: 2, tells: #"the tag "none""#),
        Case("a selector has a typo", ["a.oen", "--stub"], status: 2, tells: #"did you mean "a.one"?"#),
        Case("an endpoint expects nothing", ["a.silent", "--stub"], status: 2, tells: "a.silent"),
        Case(
            "nothing expects anything", ["--stub"],
            ["endpoints/a.json": #"{"path": "/", "stubs": {"variants": {"x": {}}}}"#], status: 2,
            tells: "there is nothing to check"),
        Case("a check has a typo", ["a.one/nmae", "--stub"], status: 2, tells: #"a.one has no check "nmae""#),
        Case("one of several selectors has a typo", ["a.one", "a.tow", "--stub"], status: 2, tells: "a.two"),
        Case("a group has a broken file", ["b.*", "--stub"], endpoint("{"), status: 3, tells: "b.json:1:1"),
        Case(
            "a file that is needed is broken", ["c", "--stub"],
            [
                "endpoints/b.json": "{",
                "endpoints/c.json": #"{"path": "/", "needs": {"l": "b.login"}, "expect": {"status": 200}}"#,
            ], status: 3, tells: "b.json:1:1"),
        Case(
            "a table has no rows", ["--stub", "--data", "rows.csv"], ["rows.csv": "id\n"], status: 2, tells: "no rows"),
        Case(
            "a param has no value", ["b", "--stub"],
            endpoint(#"{"path": "/{{id}}", "params": {"id": {"type": "string"}}, "expect": {"status": 200}}"#),
            status: 3, tells: "there is no value for it"),
        Case(
            "the environment doesn't exist", ["--stub", "--env", "developmnet"], status: 2,
            tells: #"did you mean "development"?"#),
        Case("a variant doesn't exist", ["a.one", "--stub=nope"], status: 2, tells: "nope"),
        Case("a file is broken", ["--stub"], endpoint("{"), status: 3, tells: "b.json:1:1"),
        Case(
            "a value can't be resolved", ["b", "--stub"],
            endpoint(#"{"path": "/{{nope}}", "expect": {"status": 200}, "stubs": {"variants": {"x": {}}}}"#), status: 3,
            tells: "nope"),
        Case(
            "a secret is missing", ["a.one", "--env", "closed"],
            [
                "environments/closed.json": """
                {"baseURL": "http://localhost:1", "secrets": {"t": {"env": "NO_SUCH_TOKEN"}}, "auth": {"bearer": "{{secret.t}}"}}
                """
            ], status: 3, tells: "NO_SUCH_TOKEN"),
        Case(
            "nobody is there to confirm", ["a.one", "--stub", "--env", "careful"],
            ["environments/careful.json": #"{"baseURL": "http://localhost:1", "policy": {"confirm": ["GET"]}}"#],
            status: 8, tells: "--yes"),
        Case("nobody answers", ["a.one"], status: 6, tells: "refused the connection"),
        Case(
            "what all cases need fails", ["b.me", "--stub"],
            endpoint(
                """
                {"endpoints": {
                  "login": {"method": "POST", "path": "/login", "capture": {"token": {"json": "$.token"}},
                            "stubs": {"variants": {"no": {"status": 401}}}},
                  "me": {"path": "/me", "needs": {"l": "b.login"}, "auth": {"bearer": "{{l.token}}"}, "expect": {"status": 200},
                         "stubs": {"variants": {"ok": {}}}}}}
                """), status: 1, tells: "blocked"),
        Case(
            "an overlay is for an environment that doesn't exist", ["b", "--stub"],
            endpoint(
                #"{"path": "/", "expect": {"status": 200}, "environments": {"develpment": {}}, "stubs": {"variants": {"x": {}}}}"#
            ), status: 3, tells: #"did you mean "development"?"#),
        Case(
            "a redirect is not what was asked for", ["b", "--stub"],
            endpoint(
                #"{"path": "/", "expect": {"body": {"empty": true}}, "stubs": {"variants": {"x": {"status": 302}}}}"#),
            status: 1, tells: "status"),
        Case(
            "a pattern in a path can't be read", ["b", "--stub"],
            endpoint(
                #"{"path": "/", "expect": {"json": {"$[?match(@.n,'(')]": {"exists": false}}}, "stubs": {"variants": {"x": {"json": []}}}}"#
            ), status: 3, tells: "b.json:1:50"),
        Case(
            "a report can't be written", ["--stub", "--report", "junit=/proc/none/report.xml"], status: 9,
            tells: "junit"),
        Case(
            "a shard has nothing to do, and says so", ["a.one", "--stub", "--shard", "1/64"], status: 0, tells: "shard"),
        Case("a variant that must fail passes", ["a.two", "--stub=meant"], status: 1, tells: "meant"),
        Case("a variant that must fail fails", ["a.two", "--stub=proof"], status: 0, tells: "1 passed"),
        Case(
            "a row has a column that nothing takes", ["--stub", "--data", "rows.csv"], ["rows.csv": "idd\n1\n"],
            status: 2, tells: "idd"),
    ]

    @Test("A check passes only if it was made and its expectations hold", arguments: cases)
    func check(_ each: Case) async throws {
        let folder = try TemporaryFolder()
        for (name, text) in Self.base.merging(each.files, uniquingKeysWith: { $1 }) {
            try folder.write(name, Array(text.utf8))
        }
        let run = try await Tool.run(["check"] + each.words, in: folder.path)
        #expect(run.status == each.status, "\(run)")
        #expect((run.outputText + run.errors).contains(each.tells), "\(run)")
    }
}
