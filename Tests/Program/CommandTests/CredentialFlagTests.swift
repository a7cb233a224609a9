import CommandLineKit
import Commands
import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

/// `--auth`, `--digest` and `--bearer`.
struct CredentialFlagTests {
    @Test(
        "credentials on the command line replace those of the files, and are masked",
        arguments: [
            (["-a", "ada:s3cretpw"], "-H 'Authorization: Basic YWRhO<secret.password>'"),
            (["-u", "ada:s3cretpw"], "-H 'Authorization: Basic YWRhO<secret.password>'"),
            (["--user=ada:s3cretpw", "--digest"], "--digest -u 'ada:<secret.password>'"),
            (["--bearer", "s3cretpw"], "-H 'Authorization: Bearer <secret.token>'"),
        ])
    func credentials(_ words: [String], _ curl: String) async {
        let files = Samples.files(adding: [
            "/work/environments/development.json":
                #"{ "baseURL": "http://h", "auth": { "apiKey": { "header": "X-Key", "value": "k" } } }"#
        ])
        for target in ["http://h/ping", "ping", "/ping"] {
            let run = await TypedRequestTests.run(["render", "--one-line", target] + words, files)
            #expect(run.status == .success && run.output.contains(curl), "\(run)")
            #expect(!run.output.contains("X-Key") && !(run.output + run.messages).contains("s3cretpw"), "\(run)")
            let explained = await TypedRequestTests.run(["explain", target] + words, files)
            #expect(explained.status == .success && !(explained.output + explained.messages).contains("s3cretpw"))
        }
    }

    @Test("a Digest login takes the place of the environment's header, and what can't be a credential is refused")
    func oddCredentials() async {
        let files = Samples.files(adding: [
            "/work/environments/development.json":
                #"{ "baseURL": "http://h", "headers": { "Authorization": "Custom x" } }"#
        ])
        let digest = await TypedRequestTests.run(["render", "--one-line", "ping", "-a", "ada:pw12", "--digest"], files)
        #expect(digest.status == .success && !digest.output.contains("Custom x"), "\(digest)")
        for words in [["--bearer", " "], ["-a", "ada\n:pw"], ["-a", "ada:p\u{0}w"]] {
            let run = await TypedRequestTests.run(["render", "ping"] + words, files)
            #expect(run.status == .usage && run.messages.hasPrefix("error: --"), "\(run)")
        }
        let key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
        for words in [["-a", "\(key):x"], ["-a", "\(key):"]] {
            let run = await TypedRequestTests.run(["explain", "ping"] + words, files)
            #expect(run.status == .success && !(run.output + run.messages).contains(key), "\(run)")
        }
    }

    @Test(
        "a mistake shows no password",
        arguments: [
            ["list", "-aada:hunter2"], ["send", "ping", "Authorization:Bearer hunter2"],
            ["ada:hunter2@h/x"], ["send", "http://h", "password:=hunter2"],
        ])
    func hiddenPassword(_ words: [String]) async {
        let run = await TypedRequestTests.run(words, Samples.files(adding: [:]))
        #expect(run.status == .usage && !run.messages.contains("hunter2"), "\(run)")
    }

    @Test("a token comes from a file or a pipe, without its line break, and no other part of the request gets it")
    func readToken() async {
        let files = Samples.files(adding: [
            "/work/token": "s3cretpw\n", "/work/two": "s3cretpw x\n", "/work/none": "\n",
        ])
        for words in [
            ["--bearer", "@token"], ["--bearer", "@/work/token"], ["--bearer", "-"], ["--bearer=-", "--no-input"],
        ] {
            for target in [["http://h"], ["ping"], ["POST", "http://h"]] {
                let input = words.contains { $0.hasPrefix("@") } ? "{}" : "s3cretpw\n"
                let run = await TypedRequestTests.run(
                    ["render", "--one-line", "--reveal"] + target + words, files, input: input, piped: .bytes)
                #expect(run.status == .success && run.output.contains("'Authorization: Bearer s3cretpw'"), "\(run)")
                #expect(run.output.ranges(of: "s3cretpw").count == 1, "\(run)")
            }
        }
        for (words, message) in [
            (["--bearer", "@two"], "two has no token"), (["--bearer", "@none"], "none has no token"),
            (["--bearer", "@missing"], "cannot read missing"),
            (["--bearer", "-", "--body", "-"], "--bearer - and another part of the request both read standard input"),
            (["--bearer", "-", "a@=-"], "--bearer - and another part of the request both read standard input"),
        ] {
            let run = await TypedRequestTests.run(["render", "http://h"] + words, files, input: "s3cretpw\n")
            #expect(run.status == .usage && run.messages.contains(message), "\(run)")
            #expect(!(run.output + run.messages).contains("s3cretpw"), "\(run)")
        }
    }

    @Test(
        "a short credential is named as what it is",
        arguments: [
            (["-a", "ada:ab"], "the password is short or an ordinary word, so it is masked only as a whole word"),
            (["--bearer", "abc"], "the token is short or an ordinary word, so it is masked only as a whole word"),
        ])
    func shortCredential(_ words: [String], _ message: String) async {
        for target in ["http://h/ping", "ping"] {
            let run = await TypedRequestTests.run(["render", target] + words, Samples.files(adding: [:]))
            #expect(run.status == .success && run.messages.contains("warning: \(message)\n"), "\(run)")
        }
    }

    @Test("a password or a token that is missing is asked for once, and only at a terminal")
    func askedCredentials() async {
        for (words, what) in [(["-a", "ada"], "the password of ada"), (["--bearer", "-"], "the token")] {
            let files = MemoryFiles([:], currentFolder: "/work")
            let run = await TypedRequestTests.run(
                ["render", "--one-line", "http://h"] + words, files, answers: ["s3cretpw"])
            #expect(run.status == .success && run.messages.contains("\(what): "), "\(run)")
            let silent = await TypedRequestTests.run(["render", "http://h"] + words, files, input: "")
            let problem = words[0] == "-a" ? "\(what) is missing" : "--bearer: standard input has no token"
            #expect(silent.status == .usage && silent.messages.hasPrefix("error: \(problem)"), "\(silent)")
            let none = await TypedRequestTests.run(["render", "http://h", "--no-input"] + words, files, answers: ["x"])
            #expect(none.status == .usage)
        }
    }
}
