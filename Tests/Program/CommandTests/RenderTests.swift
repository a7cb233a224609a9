import CommandLineKit
import Commands
import ReqcliText
import TestSupport
import Testing

/// `render` sends nothing, so that no policy stops it; but a command that is pasted asks nobody.
struct RenderTests {
    @Test(
        "What the policy says of sending is told beside the request",
        arguments: [
            (
                #"{ "methods": ["GET"] }"#,
                "warning: the environment development does not allow this POST: its policy allows only GET\n"
            ),
            (
                #"{ "confirm": ["POST"] }"#,
                "note: the environment development asks before each POST, but the printed request is sent without a question\n"
            ), (#"{ "confirm": ["DELETE"] }"#, ""),
        ])
    func policy(_ policy: String, _ told: String) async {
        let files = Samples.files(adding: [
            "/work/environments/development.json": #"{ "baseURL": "http://localhost", "policy": \#(policy) }"#
        ])
        let run = await reqcli("render", "billing.invoice.create", files: files)
        #expect(run.status == 0 && run.output.hasPrefix("curl "))
        #expect(run.messages == told)
    }

    @Test("A comparison of an environment with itself is refused", arguments: [[], ["--env", "development"]])
    func sameEnvironment(_ flags: [String]) async {
        let run =
            flags.isEmpty
            ? await reqcli("render", "ping", "--diff", "development", files: Samples.files())
            : await reqcli("render", "ping", "--diff", "development", flags[0], flags[1], files: Samples.files())
        #expect(
            run
                == Run(
                    status: 2, output: "",
                    messages: """
                        error: --diff names development, which is also the environment of the request
                          name another environment with --diff or --env

                        """))
    }

    @Test(
        "A word that is not NAME=VALUE is named, with the param that may have been meant",
        arguments: [
            ("user.feed", ["1"], #""1" is not NAME=VALUE"#, "did you mean userID=1?"),
            ("user.feed", ["userID"], #""userID" is not NAME=VALUE"#, "write userID=VALUE"),
            ("user.feed", ["=1"], #""=1" is not NAME=VALUE"#, "did you mean userID=1?"),
            ("user.feed", ["@=f"], #""@=f" is not NAME=VALUE"#, "did you mean userID@=f?"),
            (
                "user.feed", ["userID=1", "San Francisco"], #""San Francisco" is not NAME=VALUE"#,
                "did you mean 'ascending=San Francisco'?"
            ),
            ("ping", ["1"], #""1" is not NAME=VALUE"#, "ping takes no params"),
            ("secret", ["hunter2"], "a word after the endpoint is not NAME=VALUE", "did you mean pin=…?"),
        ])
    func bareWords(_ endpoint: String, _ words: [String], _ message: String, _ hint: String) async {
        let files = Samples.files(adding: [
            "/work/endpoints/secret.json":
                #"{ "path": "/", "params": { "pin": { "type": "string", "secret": true } }, "query": { "p": "{{pin}}" } }"#
        ])
        for command in ["render", "explain", "send"] {
            let messages = Written()
            let context = Context.test(
                files: files.fileSystem, writing: files.writing, messages: messages.output)
            #expect(await Program.run([command, endpoint] + words, in: context) == .usage)
            #expect(messages.text == "error: \(message)\n  \(hint)\n", "\(command)")
        }
    }

    @Test("Several such words are told together")
    func severalBareWords() async {
        let run = await reqcli("render", "user.feed", "1", "true", "Berlin", "x", files: Samples.files())
        #expect(run.status == 2 && run.messages.contains("did you mean ascending=true?"), "\(run)")
        #expect(run.messages.contains("did you mean city=Berlin?"))
        #expect(run.messages.hasSuffix("user.feed takes no more params\n"))
    }

    @Test("Help names no status that can't be reached")
    func help() async {
        #expect(!(await reqcli("help", "render")).output.contains("policy"))
    }
}
