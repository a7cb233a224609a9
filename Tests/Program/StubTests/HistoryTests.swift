import Exchange
import Foundation
import ReqcliBasics
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// The calls that `send` keeps, and what can be done with them.
struct HistoryTests {
    // MARK: Turning it on

    struct Switch: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var settings: String?
        var policy: String?
        var variables: [String: String] = [:]
        let isOn: Bool

        static let all: [Switch] = [
            Switch(testDescription: "nothing", isOn: false),
            Switch(testDescription: "true in reqcli.json", settings: "true", isOn: true),
            Switch(testDescription: "false in reqcli.json", settings: "false", isOn: false),
            Switch(testDescription: "the variable", variables: ["REQCLI_HISTORY": "1"], isOn: true),
            Switch(
                testDescription: "an empty variable", settings: "true", variables: ["REQCLI_HISTORY": ""], isOn: true),
            Switch(
                testDescription: "the variable, before false", settings: "false", variables: ["REQCLI_HISTORY": "1"],
                isOn: true),
            Switch(
                testDescription: "the variable 0, before true", settings: "true", variables: ["REQCLI_HISTORY": "0"],
                isOn: false),
            Switch(
                testDescription: "a policy that forbids it", settings: "true", policy: "false",
                variables: ["REQCLI_HISTORY": "1"], isOn: false),
            Switch(testDescription: "a policy that turns nothing on", policy: "true", isOn: false),
            Switch(
                testDescription: "CI", settings: "true", variables: ["REQCLI_HISTORY": "1", "CI": "true"], isOn: false),
            Switch(testDescription: "CI=false", settings: "true", variables: ["CI": "false"], isOn: true),
        ]
    }

    @Test("Calls are kept only where somebody has asked for it and nobody forbids it", arguments: Switch.all)
    func switches(_ row: Switch) async throws {
        var files: [String: String] = [:]
        files["reqcli.json"] = row.settings.map { #"{ "history": \#($0) }"# }
        let policy = row.policy.map { #", "policy": { "history": \#($0) }"# } ?? ""
        files["environments/development.json"] = #"{ "baseURL": "http://a.test"\#(policy) }"#
        let scene = try HistoryScene(files, variables: row.variables)
        #expect(await scene.run("send", "user.get", "id=7").status == 0)
        #expect(await scene.run("send", "user.get", "id=7", "--env", "development").status == 0)
        #expect(scene.kept.count == (row.isOn ? 2 : 0))
    }

    @Test("A variable that says neither is refused before anything is sent")
    func unknownSwitch() async throws {
        let scene = try HistoryScene(variables: ["REQCLI_HISTORY": "yes"])
        let run = await scene.run("send", "user.get", "id=7")
        #expect(run.status == 2 && scene.requests.count == 0)
        #expect(
            run.errors
                == "error: REQCLI_HISTORY takes 1 or 0; found \"yes\"\n  set the variable to 1 or 0, or unset it\n")
    }

    @Test("Without a terminal, a call reads and writes nothing more, and the list says how to turn it on")
    func off() async throws {
        let scene = try HistoryScene(variables: [:])
        _ = await scene.run("send", "user.get", "id=7")
        #expect(!scene.workspace.files.contains("home"))
        let list = await scene.run("history")
        #expect(list.status == 0 && list.outputText == "")
        #expect(
            list.errors
                == "note: the history has no calls; calls at a terminal are kept, and all calls with their responses if reqcli.json has \"history\": true, or if REQCLI_HISTORY=1 is set\n"
        )
        #expect(await scene.run("history", "--json").outputText == "[]\n")
        #expect(await scene.run("send", "--again").status == 2)
    }

    @Test("A kept call has the user of its credentials, but no password and no token")
    func credentials() async throws {
        for (words, kept, problem) in [
            (["-a", "ada:hunter2"], "--auth=ada", "is missing"),
            (["--bearer", "hunter2"], #""before":"--bearer=""#, "had --bearer=…, but the history keeps no value"),
            (["token==hunter2"], #""before":"token==""#, "had token==…, but the history keeps no value"),
        ] {
            let scene = try HistoryScene(["reqcli.json": #"{ "history": true }"#])
            #expect(await scene.run(["send", "user.get", "id=7"] + words).status == 0)
            let text = scene.kept.values.map { String(decoding: $0, as: UTF8.self) }.joined()
            #expect(text.contains(kept) && !text.contains("hunter2"), "\(text)")
            let again = await scene.run("send", "--again", "--no-input")
            #expect(again.status == 2 && again.errors.contains(problem), "\(again.errors)")
        }
    }

    // MARK: Looking

    @Test("The list has each call with its number, status, environment and words")
    func list() async throws {
        let scene = try HistoryScene(["environments/other.json": #"{ "baseURL": "http://b.test" }"#])
        _ = await scene.run("send", "user.get", "id=7", "-v")
        _ = await scene.run("send", "user.get", "id=8", "--env", "other", "-H", "X-A: b c", "--json")
        _ = await scene.run("send", "PUT", "/things", "n:=1", "size==2")
        _ = await scene.run("send", "http://c.test/x?y=1")
        let list = await scene.run("history")
        #expect(
            list.outputText == """
                1  just now  200    development  user.get id=7
                2  just now  200    other        user.get id=8 '--header=X-A: b c'
                3  just now  200    development  PUT /things n:=1 size==2
                4  just now  200                 'http://c.test/x?y=1'

                """, "\(list)")
        #expect(await scene.run("history", "--env", "other").outputText.hasPrefix("2  "))
        #expect(await scene.run("history", "user").outputText.split(separator: "\n").count == 2)
        #expect(await scene.run("history", "*things").outputText.hasPrefix("3  "))
        let none = await scene.run("history", "nobody")
        #expect(
            none.status == 2 && none.errors.hasPrefix("error: the history has no call of \"nobody\"\n"), "\(none)")
    }

    @Test("A call is shown with its request and response")
    func show() async throws {
        let scene = try HistoryScene()
        _ = await scene.run("send", "PUT", "/things", "n:=1")
        let run = await scene.run("history", "show", "1")
        let lines = run.outputText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0].hasSuffix(" in development: reqcli send PUT /things n:=1"), "\(run)")
        #expect(lines[1] == "> PUT /things" && lines[2] == "> Host: a.test")
        #expect(lines.contains(#"> {"n":1}"#), "\(run)")
        #expect(lines.suffix(5) == ["< HTTP/1.1 200 OK", "< Content-Type: application/json", "<", #"{"id": 7}"#, ""])
        let json = try #require(
            try JSONSerialization.jsonObject(
                with: Data(await scene.run("history", "show", "1", "--json").outputText.utf8))
                as? [String: Any])
        #expect((json["body"] as? [String: Any])?["json"] as? [String: Int] == ["id": 7])
        #expect(json["method"] as? String == "PUT" && json["url"] as? String == "http://a.test/things")
    }

    @Test(
        "What isn't there is an error that says where to look",
        arguments: [
            (
                ["history", "show", "3"],
                "error: there is no call 3 in the history\n  run \"reqcli history\" to list the calls\n"
            ),
            (
                ["send", "--again", "3"],
                "error: there is no call 3 in the history\n  run \"reqcli history\" to list the calls\n"
            ),
            (
                ["history", "show"],
                "error: \"history show\" takes the number of one call\n  \"reqcli history\" lists the numbers\nSee \"reqcli help history\".\n"
            ),
            (
                ["history", "clear", "1"],
                "error: \"history clear\" takes no more arguments; found \"1\"\n  --env NAME removes the calls in one environment\nSee \"reqcli help history\".\n"
            ),
            (
                ["send", "--again", "1", "user.get"],
                "error: --again repeats a call of the history, so it takes only NAME=VALUE; found \"user.get\"\n  leave out --again, or that word\nSee \"reqcli help send\".\n"
            ),
        ])
    func missing(_ words: [String], _ message: String) async throws {
        let scene = try HistoryScene()
        _ = await scene.run("send", "user.get", "id=7")
        let program = InProcess(variables: scene.variables)
        let run = await program.run(words, in: scene.workspace)
        #expect(run.status == 2 && run.errors == message, "\(run)")
    }

    @Test("Clearing removes the calls of the workspace, or of one environment, and the other numbers stay")
    func clear() async throws {
        let scene = try HistoryScene(["environments/other.json": #"{ "baseURL": "http://b.test" }"#])
        for environment in ["other", "development", "other"] {
            _ = await scene.run("send", "user.get", "id=7", "--env", environment)
        }
        #expect(await scene.run("history", "clear", "--env", "other").errors == "note: 2 calls removed\n")
        #expect(await scene.run("history").outputText.hasPrefix("2  just now"))
        #expect(await scene.run("history", "clear").errors == "note: 1 call removed\n")
        #expect(scene.kept.isEmpty)
    }

    // MARK: Again

    @Test("A repeated call is the same on the wire, and what is given now replaces what was given then")
    func again() async throws {
        let scene = try HistoryScene(["environments/other.json": #"{ "baseURL": "http://b.test" }"#])
        _ = await scene.run("send", "user.get", "id=7", "-H", "X-A: 1", "-H", "X-B: 1", "-q", "q=1", "--env", "other")
        let first = try #require(scene.requests.last)
        _ = await scene.run("send", "--again")
        #expect(scene.requests.last?.url == first.url && scene.requests.last?.headers == first.headers)
        let run = await scene.run(
            "send", "--again", "1", "id=8", "-H", "x-a: 2", "-q", "q=2", "-q", "r=3", "--env", "development", "-i")
        #expect(run.outputText.hasPrefix("HTTP/1.1 200 OK\n"), "\(run)")
        let request = try #require(scene.requests.last)
        #expect(request.url.absoluteString == "http://a.test/users/8?q=2&r=3")
        #expect(request.headers.values("X-A") == ["2"] && request.headers.values("X-B") == ["1"])
        #expect(await scene.run("history").outputText.split(separator: "\n").count == 3)
    }

    @Test("A typed request is repeated, too")
    func typedAgain() async throws {
        let scene = try HistoryScene()
        _ = await scene.run("send", "-i", "--", "put", "/things/é", "name=a b", "n:=[1]", "tag==x", "tag==y", "-x=1")
        let first = try #require(scene.requests.last)
        _ = await scene.run("send", "--again=1")
        #expect(scene.requests.last?.url == first.url && scene.requests.last?.body == first.body)
        #expect(scene.requests.last?.method == first.method)
        _ = await scene.run("send", "--again", "1", "tag==z", "name=c")
        #expect(scene.requests.last?.url.query() == "tag=z")
        #expect(
            scene.requests.last?.body == .data(Data(#"{"n":[1],"-x":"1","name":"c"}"#.utf8)),
            "\(String(describing: scene.requests.last))")
    }

    @Test("A value that is a secret is not kept: it has to be given again")
    func secretAgain() async throws {
        let scene = try HistoryScene()
        _ = await scene.run("send", "user.login", "name=ada", "pin=fish9876", "-H", "Authorization: Bearer cat9876")
        let list = await scene.run("history")
        #expect(list.outputText.contains("user.login name=ada pin=… --header=Authorization: …"), "\(list)")
        let run = await scene.run("send", "--again", "1", "-H", "Authorization: Bearer x")
        #expect(run.status == 2 && scene.requests.count == 1)
        #expect(
            run.errors == """
                error: call 1 had pin=…, but the history keeps no value that is or looks like a secret
                  add the value: reqcli send --again 1 pin=VALUE

                """)
        _ = await scene.run("send", "--again", "1", "-H", "Authorization: Bearer x", "pin=0000")
        #expect(scene.requests.last?.body == .data(Data(#"{"name":"ada","pin":"0000"}"#.utf8)))
        #expect(scene.requests.last?.headers["Authorization"] == "Bearer x")
    }

    @Test("A repeated call can be saved as an endpoint, and a removed header stays removed")
    func saved() async throws {
        let scene = try HistoryScene([
            "environments/development.json": ##"{ "baseURL": "http://a.test", "headers": { "Authorization": "x" } }"##
        ])
        _ = await scene.run("send", "POST", "/things", "n:=1", "-H", "Authorization:")
        #expect(await scene.run("history").outputText.hasSuffix("POST /things n:=1 --header=Authorization:\n"))
        #expect(await scene.run("send", "--again").status == 0)
        #expect(scene.requests.last?.headers["Authorization"] == nil)
        let run = await scene.run("send", "--again", "--save", "thing.make")
        #expect(run.status == 0 && scene.workspace.text("endpoints/thing.json") != nil, "\(run)")
    }

    // MARK: Bounds

    @Test("Of each environment the last 100 calls are kept, under their own numbers")
    func capacity() async throws {
        let scene = try HistoryScene(["environments/other.json": #"{ "baseURL": "http://b.test" }"#])
        _ = await scene.run("send", "user.get", "id=7", "--env", "other")
        for id in 1...103 { _ = await scene.run("send", "user.get", "id=\(id)") }
        #expect(scene.kept.count == 101)
        let lines = await scene.run("history", "--env", "development").outputText.split(separator: "\n")
        #expect(lines.count == 100 && lines.first?.hasPrefix("5 ") == true && lines.last?.hasPrefix("104 ") == true)
        #expect(lines.first?.hasSuffix("user.get id=4") == true)
        #expect(await scene.run("history", "show", "1").status == 0)
    }

    @Test("Of a large body the first MiB is kept", arguments: [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
    func largeBody(_ size: Int) async throws {
        var scene = try HistoryScene()
        scene.respond = { _ in Response(status: 200, body: Data(repeating: UInt8(ascii: "x"), count: size)) }
        #expect(await scene.run("send", "user.get", "id=7").outputText.utf8.count == size)
        let bytes = try #require(scene.kept.values.first)
        #expect(bytes.count { $0 == UInt8(ascii: "x") } - min(size, 1 << 20) < 20)
        #expect(bytes.count < (1 << 20) + 2000)
        let run = await scene.run("history", "show", "1")
        #expect(run.errors == (size > 1 << 20 ? "note: the rest of the body is not kept\n" : ""))
    }

    @Test("A body that goes to a file is not kept, its head is")
    func file() async throws {
        let scene = try HistoryScene()
        #expect(await scene.run("send", "user.get", "id=7", "-o", scene.workspace.path("out")).status == 0)
        let run = await scene.run("history", "show", "1")
        #expect(run.outputText.hasSuffix("< Content-Type: application/json\n<\n"), "\(run)")
        #expect(run.errors == "note: the body is not kept\n")
    }

    @Test("Outside of any workspace there is one history, wherever the call is typed")
    func noWorkspace() async throws {
        let scene = try HistoryScene()
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let program = InProcess(response: { _ in Response(status: 204) }, variables: scene.variables)
        #expect(await program.run("send", "http://c.test/x", in: first).status == 0)
        #expect(await program.run("history", in: second).outputText == "1  just now  204      http://c.test/x\n")
        #expect(await scene.run("history").outputText == "")
    }

    // MARK: Damage

    @Test(
        "A damaged file is a note, and the other calls are listed",
        arguments: [
            "", "\n", "{", "{}\n", "[]\nx", "\0\0", #"{"time":1e999}"# + "\n", String(repeating: "[", count: 100_000),
        ])
    func damaged(_ text: String) async throws {
        let scene = try HistoryScene()
        for _ in 0..<3 { _ = await scene.run("send", "user.get", "id=7") }
        let name = try #require(scene.workspace.contents.keys.first { $0.hasSuffix("/2-development") })
        try scene.workspace.write(name, text)
        let list = await scene.run("history")
        #expect(list.status == 0 && list.outputText.split(separator: "\n").count == 2)
        #expect(list.errors == "note: cannot read call 2 of the history\n")
        let show = await scene.run("history", "show", "2")
        #expect(show.status == 2 && show.errors.hasPrefix("error: cannot read call 2 of the history\n"))
        _ = await scene.run("send", "user.get", "id=7")
        #expect(await scene.run("history").outputText.contains("\n4  just now"))
    }

    @Test("An entry that is cut anywhere, or has other bytes, is never a crash")
    func mutated() async throws {
        let scene = try HistoryScene()
        _ = await scene.run("send", "PUT", "/things", "n:=1", "-H", "X-A: b")
        let name = try #require(scene.workspace.contents.keys.first { $0.hasSuffix("/1-development") })
        let bytes = try #require(scene.workspace.bytes(name))
        var random = SeededGenerator(seed: 8)
        for _ in 0..<100 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: damaged.indices, using: &random)
                if Bool.random(using: &random) {
                    damaged.removeSubrange(index..<min(damaged.endIndex, index + 9))
                } else {
                    damaged[index] = UInt8.random(in: 0...255, using: &random)
                }
            }
            try scene.workspace.write(name, damaged)
            #expect([0, 2].contains(await scene.run("history", "show", "1").status))
            #expect(await scene.run("history").status == 0)
            #expect([0, 2, 3].contains(await scene.run("send", "--again", "1", "--env", "development").status))
            _ = await scene.run("history", "clear")
        }
    }

    @Test("A file of somebody else's in the folder is a note")
    func foreign() async throws {
        let scene = try HistoryScene()
        _ = await scene.run("send", "user.get", "id=7")
        let name = try #require(scene.workspace.contents.keys.first { $0.hasSuffix("/1-development") })
        let folder = name.dropLast("1-development".count)
        for file in ["notes.txt", "99999999999999999999-a", "0-a", "01-a"] {
            try scene.workspace.write(folder + file, "x")
        }
        let list = await scene.run("history")
        #expect(list.status == 0 && list.outputText == "1  just now  200    development  user.get id=7\n")
        #expect(list.errors.split(separator: "\n").count == 4)
        #expect(list.errors.hasPrefix("note: \"0-a\" in the folder of the history is not a call\n"), "\(list)")
        _ = await scene.run("send", "user.get", "id=7")
        #expect(await scene.run("history", "show", "2").status == 0)
    }

    @Test("A call that can't be kept is a warning, and its status stays")
    func unwritable() async throws {
        let scene = try HistoryScene(["home/.local/state/reqcli/history": "a file"])
        let run = await scene.run("send", "user.get", "id=7")
        #expect(run.status == 0 && run.outputText == #"{"id": 7}"#)
        #expect(run.errors.hasPrefix("warning: cannot keep the call in the history: "), "\(run)")
    }
}
