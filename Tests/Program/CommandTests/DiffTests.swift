import CommandLineKit
import Commands
import TestSupport
import Testing

/// `diff` with two files, and what is wrong with a command line before anything is sent.
struct DiffTests {
    private static let files = MemoryFiles(
        [
            "/work/old.json": .text(#"{"id": 7, "plan": "free", "tags": ["a"]}"#),
            "/work/new.json": .text(#"{"plan": "pro", "createdAt": "2024-03-08T17:37:09Z", "id": 7.0, "tags": ["a"]}"#),
            "/work/notes": .text("one\ntwo\n"),
        ], currentFolder: "/work")

    private static func run(_ words: String..., width: Int = 80, isTerminal: Bool = false) async -> Run {
        await reqcli(
            ["diff"] + words, files: files, variables: ["NO_COLOR": "1"], width: width,
            terminals: isTerminal ? [.output] : [])
    }

    @Test("Two files are compared without a workspace")
    func files() async {
        #expect(
            await Self.run("old.json", "new.json")
                == Run(
                    status: 1,
                    output: """
                        old.json   new.json
                            $.plan        old.json "free"    new.json "pro"
                            $.createdAt   old.json nothing   new.json "2024-03-08T17:37:09Z"

                        """, messages: ""))
        #expect(
            await Self.run("old.json", "old.json")
                == Run(status: 0, output: "old.json   old.json\n    no differences\n", messages: ""))
        #expect(
            await Self.run("old.json", "new.json", "--ignore", "$.plan", "--ignore", "$.createdAt")
                == Run(status: 0, output: "old.json   new.json\n    no differences\n", messages: ""))
        #expect(
            await Self.run("old.json", "new.json", "--shape").output
                == "old.json   new.json\n    $.createdAt   old.json nothing   new.json string\n")
    }

    @Test("On a narrow terminal the values stand below their path, and long ones are cut around what differs")
    func narrow() async {
        #expect(
            await Self.run("old.json", "new.json", width: 36, isTerminal: true).output == """
                old.json   new.json
                    $.plan
                        old.json "free"
                        new.json "pro"
                    $.createdAt
                        old.json nothing
                        new.json "2024-03-08T17:37:…

                """)
        #expect(
            await Self.run("old.json", "new.json", width: 64, isTerminal: true).output == """
                old.json   new.json
                    $.plan        old.json "free"    new.json "pro"
                    $.createdAt   old.json nothing   new.json "2024-03-08T17:37…

                """)
    }

    @Test("--json prints the differences as one object")
    func json() async {
        #expect(
            await Self.run("old.json", "new.json", "--json", "--ignore", "$.plan").output == """
                {
                  "same": false,
                  "responses": [
                    {
                      "name": "old.json"
                    },
                    {
                      "name": "new.json"
                    }
                  ],
                  "count": 1,
                  "differences": [
                    {
                      "at": "$.createdAt",
                      "second": "2024-03-08T17:37:09Z"
                    }
                  ]
                }

                """)
    }

    @Test("A path that leaves nothing out is noted")
    func note() async {
        let run = await Self.run("old.json", "old.json", "--ignore", "$.x")
        #expect(run.messages == "note: --ignore $.x selects nothing in either response\n")
    }

    @Test(
        "What is wrong with the words is told",
        arguments: [
            (
                ["user.get"], "diff takes two environments, two URLs or two files",
                "write --env NAME twice: --env staging --env production"
            ),
            (
                ["user.get", "id=7"], "diff takes two environments, two URLs or two files",
                "write --env NAME twice: --env staging --env production"
            ),
            (
                ["user.get", "-e", "a"], "diff takes two environments, two URLs or two files; found a",
                "write --env NAME twice: --env staging --env production"
            ),
            (
                ["user.get", "-e", "a", "-e", "b", "-e", "c"],
                "diff takes two environments, two URLs or two files; found 3 environments",
                "write --env NAME twice: --env staging --env production"
            ),
            (["user.get", "-e", "a", "-e", "a"], "--env a is given twice", "name two different environments"),
            (
                ["old.json", "new.json", "-H", "A: b"],
                "--header can only be used for new requests, but these are two files",
                "leave it out, or name two environments with --env"
            ),
            (
                ["old.json", "new.json", "--headers"],
                "--headers can only be used for new requests, but these are two files",
                "leave it out, or name two environments with --env"
            ),
        ])
    func mistakes(_ words: [String], _ message: String, _ hint: String) async {
        let run = await reqcli(["diff"] + words)
        #expect(
            run
                == Run(
                    status: 2, output: "", messages: "error: \(message)\n  \(hint)\nSee \"reqcli help diff\".\n"))
    }

    @Test("A file that is missing is told, and what an endpoint lacks")
    func missing() async {
        #expect(await Self.run("old.json", "gone").messages == "error: cannot read gone: there is no such file\n")
        #expect(
            await Self.run("user.get", "old.json").messages == """
                error: cannot read user.get: there is no such file
                  to compare the responses of an endpoint, name two environments with --env

                """)
        #expect(await Self.run("-", "-").messages.hasPrefix("error: only one of the two files can be standard input\n"))
    }

    @Test("Completion offers endpoints and files, and environments")
    func completion() async {
        let first = await reqcli("__complete", "bash", "1", "diff", "", files: Samples.files())
        #expect(first.output.contains("user.get") && first.output.contains("files"), "\(first)")
        let environment = await reqcli(
            "__complete", "bash", "5", "diff", "ping", "--env", "staging", "--env", "", files: Samples.files())
        #expect(environment.output.contains("development"), "\(environment)")
    }
}
