import CommandLineKit
import ReqcliText
import TestSupport
import Testing

@testable import Commands

struct WorkspaceCompletionTests {
    @Test(
        "The hidden call offers what the workspace holds",
        arguments: [
            (
                ["1", "show", ""],
                [
                    "billing.invoice.create", "ping\tIs it there?", "user.get\tWho is logged in",
                    "user.feed\tA person's feed",
                ]
            ),
            (["1", "show", "user.f"], ["user.feed\tA person's feed"]),
            (["2", "list", "-e", ""], ["development\tThis machine", "staging"]),
            (["1", "list", "tag"], ["tag:people", "tag:smoke"]),
            (["1", "list", "env"], ["environments\tThe environments"]),
            (["1", "list", "billing"], ["billing.invoice.create", "billing.invoice"]),
            (["3", "-C", "/nowhere", "show", ""], []),
            (
                ["1", "schema", ""],
                [
                    "endpoint\tfiles below endpoints/", "environment\tfiles in environments/",
                    "scenario\tfiles below scenarios/", "load\tfiles below loads/", "settings\treqcli.json",
                    "infer\ta schema inferred from stubs, snapshots and JSON files",
                    "test\tcheck whether JSON files match a schema",
                ]
            ),
            (
                ["2", "check", "--report", ""],
                ["junit=", "tap=", "json=", "html=", "github="]
            ),
            (["0", "user."], ["user.get\tWho is logged in", "user.feed\tA person's feed"]),
            (["0", "PAT"], ["PATCH"]), (["1", "GET", "/u"], ["/user\tWho is logged in", "/user/\tA person's feed"]),
            (["1", "import", "ope"], ["openapi\tOpenAPI 3.0, 3.1, 3.2 and Swagger 2.0, as JSON or YAML"]),
            (["0", "val"], ["validate\tCheck every file of the workspace"]),
        ])
    func call(_ words: [String], _ offered: [String]) async {
        let output = Written()
        let context = Context.test(files: Samples.files().fileSystem, output: output.output)
        #expect(await Program.run(["__complete", "bash"] + words, in: context) == .success)
        #expect(output.text.split(separator: "\n").dropFirst().map(String.init) == offered)
    }

    @Test("A broken file is passed over, and no workspace is no complaint")
    func silence() async {
        let files = Samples.files(adding: ["/work/endpoints/broken.json": "{"])
        let run = await reqcli("__complete", "bash", "1", "show", "p", files: files)
        #expect(run == Run(status: 0, output: "words\t\nping\tIs it there?\n", messages: ""))
        let nowhere = await reqcli("__complete", "bash", "1", "show", "", files: MemoryFiles())
        #expect(nowhere == Run(status: 0, output: "words\t\n", messages: ""))
    }

    /// A command with params and variants, like those that call endpoints.
    private static let program = ProgramSpec(
        "p", version: "1", "P", examples: [],
        commands: [
            CommandGroup(
                "C",
                [
                    CommandSpec(
                        "call", "Call it", examples: [],
                        arguments: ArgumentList(
                            Argument("ENDPOINT", .text("ENDPOINT", completing: .endpoint), ""),
                            Argument(rest: "NAME=VALUE", .text("NAME=VALUE", completing: .parameter), "")),
                        options: [
                            OptionGroup(
                                "O", Option(repeated: "stub", .text("VARIANT", completing: .variant), ""),
                                SharedOptions.environment)
                        ])
                ])
        ], globalOptions: [OptionGroup("G", GlobalOptions.workspace)])

    @Test(
        "Params, their values and variants are those of the endpoint on the line",
        arguments: [
            (["call", "user.feed", ""], ["userID=", "ascending=", "city="]),
            (["call", "user.feed", "userID=1", ""], ["ascending=", "city="]),
            (["call", "user.feed", "ascending="], ["true", "false"]),
            (["call", "user.feed", "city="], ["Berlin", "San Francisco"]),
            (["call", "user.feed", "userID="], ["42"]),
            (["call", "user.feed", "unknown="], []),
            (["call", "user.none", ""], []),
            (["call", "user.feed", "--stub", ""], ["standard", "empty"]),
            (["call", "user.feed", "--stub=user.feed="], ["standard", "empty"]),
            (["call", "--stub", ""], ["user.feed="]),
        ])
    func endpointOnTheLine(_ words: [String], _ offered: [String]) {
        let context = Context.test(files: Samples.files().fileSystem)
        let engine = CompletionEngine(Self.program) { WorkspaceCompletions(context, $0)?.answer ?? .nothing }
        let completions = engine.completions(of: words, at: words.count - 1)
        #expect(completions.answer.candidates.map(\.text) == offered)
    }

    @Test("A list is offered again, with the values of its items")
    func list() async {
        let files = Samples.files(adding: [
            "/work/endpoints/l.json": #"""
            {"path": "/", "params": {
                "size": {"type": "list", "items": {"type": "string", "enum": ["s", "m"]}},
                "id": {"type": "list", "items": {"type": "integer"}, "example": [7, 8]}}}
            """#
        ])
        for (words, offered) in [
            (["size=s", ""], ["size=", "id="]), (["size="], ["s", "m"]), (["size=s", "id="], ["7", "8"]),
        ] {
            let run = await reqcli(
                ["__complete", "bash", "\(words.count + 1)", "send", "l"] + words, files: files)
            let names = run.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "\t" }) }
            #expect(names == offered)
        }
    }

    @Test("Where a param or a report is a file, the shell offers files")
    func files() async {
        let files = Samples.files(adding: [
            "/work/endpoints/upload.json": #"{"path": "/", "params": {"doc": {"type": "file"}}}"#
        ])
        let parameter = await reqcli("__complete", "bash", "2", "send", "upload", "doc=", files: files)
        #expect(parameter.output.hasPrefix("files\t"))
        let report = await reqcli("__complete", "bash", "2", "check", "--report", "junit=", files: files)
        #expect(report.output.hasPrefix("files\t"))
    }

    @Test("Completing a param reads the endpoint's file and no other")
    func laziness() {
        let files = Samples.files()
        let engine = CompletionEngine(Self.program) {
            WorkspaceCompletions(.test(files: files.fileSystem), $0)?.answer ?? .nothing
        }
        _ = engine.completions(of: ["call", "user.feed", ""], at: 2)
        #expect(files.readFiles == ["/work/endpoints/user.json"])
    }
}
