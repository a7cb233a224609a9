import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import TestSupport
import Testing

@Suite("Secrets")
struct SecretTests {
    /// An endpoint that needs the secret `token`, and an environment that says where it is to be had.
    private static func scenario(_ source: String, _ stub: @escaping @Sendable (inout World) -> Void = { _ in })
        -> Scenario
    {
        var scenario = Scenario(
            #"{"auth": {"bearer": "{{secret.token}}"}}"#,
            environment: #"{"baseURL": "http://h", "secrets": {"token": \#(source)}}"#)
        scenario.stub = stub
        return scenario
    }

    // MARK: Variables

    struct Found: Sendable, CustomTestStringConvertible {
        let name: String
        var process: [String: String] = [:]
        var own: String?
        var others: [String] = []
        let value: String
        let origin: ResolvedSecret.Origin
        var testDescription: String { name }
    }

    @Test(
        "The process beats --env-file, the later one the earlier, and that .env",
        arguments: [
            Found(
                name: "process", process: ["TOKEN": "p"], own: "TOKEN=e", others: ["TOKEN=1"], value: "p",
                origin: .processVariable("TOKEN")),
            Found(
                name: "--env-file", own: "TOKEN=e", others: ["TOKEN=1"], value: "1",
                origin: .environmentFile(variable: "TOKEN", file: "0.env")),
            Found(
                name: "the later --env-file", own: "TOKEN=e", others: ["TOKEN=1", "TOKEN=2"], value: "2",
                origin: .environmentFile(variable: "TOKEN", file: "1.env")),
            Found(
                name: "the only one that has it", own: "TOKEN=e", others: ["OTHER=1"], value: "e",
                origin: .environmentFile(variable: "TOKEN", file: ".env")),
            Found(
                name: ".env", own: "TOKEN=e\n", value: "e", origin: .environmentFile(variable: "TOKEN", file: ".env")),
        ])
    func variable(_ found: Found) throws {
        var scenario = Self.scenario(#"{"env": "TOKEN"}"#)
        scenario.stub = { $0.stub(variables: found.process) }
        scenario.files[".env"] = found.own
        for (index, text) in found.others.enumerated() { scenario.files["\(index).env"] = text }
        scenario.environmentFiles = found.others.indices.map { "/w/\($0).env" }
        let assembled = try scenario.assembled()
        #expect(Wire(assembled).headers == ["Authorization: Bearer \(found.value)"])
        #expect(assembled.secrets == [ResolvedSecret(name: "token", value: found.value, origin: found.origin)])
    }

    @Test("$env.NAME looks in the same places, and is no secret")
    func environmentValue() throws {
        var scenario = Scenario(#"{"headers": {"A": "{{$env.HOST}}"}}"#)
        scenario.files[".env"] = "HOST=box"
        scenario.stub = { $0.stub(variables: [:]) }
        let assembled = try scenario.assembled()
        #expect(Wire(assembled).headers == ["A: box"])
        #expect(assembled.secrets.isEmpty)
    }

    @Test("A line of an environment file that is none is told, but not what it says")
    func brokenLine() throws {
        var scenario = Self.scenario(#"{"env": "TOKEN"}"#) { $0.stub(variables: [:]) }
        scenario.files[".env"] = "TOKEN=ok\nexport s3cr3t stuff\n"
        let failure = try scenario.failure()
        #expect(failure.messages == [".env:2:1: expected NAME=value"])
        #expect(!DiagnosticRenderer().render(failure.definitions).plain.contains("s3cr3t"))
    }

    @Test("Such a line comes before what follows from it")
    func brokenLineFirst() throws {
        var scenario = Self.scenario(#"{"env": ⟦⟧"TOKEN"}"#) { $0.stub(variables: [:]) }
        scenario.files[".env"] = "\u{FEFF}TOKEN: s3cr3t\n"
        #expect(
            try scenario.failure().messages.map { $0.prefix { $0 != " " } } == [".env:1:1:", "\(scenario.marks[0]):"])
    }

    @Test("A file of --env-file that isn't there is told although nothing needs it")
    func missingFile() throws {
        var scenario = Scenario()
        scenario.environmentFiles = ["/w/prod.env"]
        #expect(try scenario.failure().usage.map(\.message) == [#"--env-file: there is no file "prod.env""#])
    }

    @Test("What may follow from such a file is left out, what can't is told")
    func missingFileAlone() throws {
        var scenario = Self.scenario(#"{"env": ⟦⟧"TOKEN"}"#) { $0.stub(variables: [:]) }
        scenario.environmentFiles = ["/w/prod.env"]
        var failure = try scenario.failure()
        #expect(failure.usage.map(\.message) == [#"--env-file: there is no file "prod.env""#])
        #expect(failure.definitions.isEmpty)
        scenario = Self.scenario(#"{"env": ⟦⟧"TOKEN"}"#) { $0.stub(variables: ["TOKEN": ""]) }
        scenario.environmentFiles = ["/w/prod.env"]
        failure = try scenario.failure()
        #expect(failure.definitions.count == 1)
        #expect(failure.definitions.first?.message.contains("TOKEN is empty") == true)
    }

    @Test("A folder or a device is no file of variables")
    func notAFile() throws {
        var scenario = Scenario()
        scenario.environmentFiles = ["/w/endpoints"]
        #expect(try scenario.failure().usage.map(\.message) == [#"--env-file: "endpoints" is not a regular file"#])
    }

    // MARK: Files

    @Test("A file is seen from the workspace's root or the home folder, its last line break is not part of it")
    func file() throws {
        let cases: [(path: String, stands: String)] = [
            ("tokens/a", "/w/tokens/a"), ("~/.config/a", "/home/ada/.config/a"), ("/etc/a", "/etc/a"),
            ("../a", "/a"),
        ]
        for (path, absolute) in cases {
            for text in ["abc", "abc\n", "abc\r\n", "abc\n\n"] {
                var scenario = Self.scenario(#"{"file": "\#(path)"}"#) { world in
                    world.stub(variables: ["HOME": "/home/ada"])
                    world.permits = { _, _ in .granted }
                }
                scenario.otherFiles[absolute] = Array(text.utf8)
                let assembled = try scenario.assembled()
                #expect(Wire(assembled)[header: "Authorization"] == "Bearer abc")
                #expect(assembled.secrets.map(\.origin) == [.file(FilePath.tidy(absolute))], "\(path)")
            }
        }
    }

    // MARK: Programs

    @Test("A program gets its words as they are, the workspace as its folder, and its time limit")
    func program() throws {
        for (written, limit) in [("", Duration.seconds(10)), (#", "timeout": "2s""#, .seconds(2))] {
            let scenario = Self.scenario(#"{"command": ["pass", "show", "a b; rm -rf /", "$(id)"]\#(written)}"#) {
                world in
                world.permits = { request, workspace in
                    #expect(request == .program(["pass", "show", "a b; rm -rf /", "$(id)"]))
                    #expect(workspace == "/w")
                    return .granted
                }
                world.run = { arguments, folder, timeout in
                    #expect(arguments == ["pass", "show", "a b; rm -rf /", "$(id)"])
                    #expect(folder == "/w")
                    #expect(timeout == limit)
                    return .printed(Array("abc\n".utf8))
                }
            }
            let assembled = try scenario.assembled()
            #expect(Wire(assembled)[header: "Authorization"] == "Bearer abc")
            #expect(assembled.secrets.map(\.origin) == [.command(["pass", "show", "a b; rm -rf /", "$(id)"])])
        }
    }

    @Test("A secret is had once, however often it is used")
    func once() throws {
        let counter = Counter()
        var scenario = Scenario(
            #"{"headers": {"A": "{{secret.s}}", "B": "{{secret.s}}"}, "query": {"c": "{{secret.s}}"}}"#,
            environment:
                #"{"baseURL": "http://h", "secrets": {"s": {"command": ["x"]}, "unused": {"command": ["never"]}}}"#)
        scenario.stub = { world in
            world.permits = { request, _ in request == .program(["x"]) ? .granted : .refused }
            world.run = { _, _, _ in .printed(Array("\(counter.next())".utf8)) }
        }
        #expect(try scenario.wire().headers == ["A: 1", "B: 1"])
        #expect(counter.next() == 2)
    }

    @Test("Only the file of the secret that is needed is read")
    func lazy() throws {
        var scenario = Scenario(
            #"{"headers": {"A": "{{secret.a}}"}}"#,
            environment: #"{"baseURL": "http://h", "secrets": {"a": {"file": "a"}, "b": {"file": "b"}}}"#)
        scenario.files["a"] = "1"
        scenario.files["b"] = "2"
        scenario.files[".env"] = "X=1"
        let memory = scenario.memory
        _ = try scenario.outcome(in: "env", memory)
        #expect(memory.readFiles == ["/w/endpoints/e.json", "/w/environments/env.json", "/w/a"])
    }

    // MARK: When it can't be had

    struct Failing: Sendable, CustomTestStringConvertible {
        let name: String
        let source: String
        let message: String
        var hint: String?
        let stub: @Sendable (inout World) -> Void
        var testDescription: String { name }
    }

    static let failing = [
        Failing(
            name: "unset", source: #"{"env": ⟦⟧"TOKEN"}"#, message: "the environment variable TOKEN is not set",
            hint: "export it, or put it into .env", stub: { $0.stub(variables: [:]) }),
        Failing(
            name: "empty", source: #"{"env": ⟦⟧"TOKEN"}"#, message: "the environment variable TOKEN is empty",
            stub: { $0.stub(variables: ["TOKEN": ""]) }),
        Failing(
            name: "a variable of whitespace", source: #"{"env": ⟦⟧"TOKEN"}"#,
            message: "the environment variable TOKEN is only whitespace",
            stub: { $0.stub(variables: ["TOKEN": " "]) }),
        Failing(
            name: "a variable that isn't text", source: #"{"env": ⟦⟧"TOKEN"}"#,
            message: "the environment variable TOKEN is not UTF-8 text",
            stub: { $0.stub(variables: ["TOKEN": String(decoding: [0x61, 0xFF], as: UTF8.self)]) }),
        Failing(
            name: "no file", source: #"{"file": ⟦⟧"gone"}"#, message: "cannot read \"gone\": there is no such file",
            stub: { _ in }),
        Failing(
            name: "a folder", source: #"{"file": ⟦⟧"endpoints"}"#,
            message: "cannot read \"endpoints\": it is a directory", stub: { _ in }),
        Failing(name: "an empty file", source: #"{"file": ⟦⟧"empty"}"#, message: "the value is empty", stub: { _ in }),
        Failing(
            name: "not text", source: #"{"file": ⟦⟧"binary"}"#, message: "the value is not UTF-8 text", stub: { _ in }),
        Failing(
            name: "a program that fails", source: #"{"command": [⟦⟧"pass", "show"]}"#,
            message: "\"pass\" ended with status 3", hint: "no such entry",
            stub: { $0.stub(run: .failed(status: 3, message: "no such entry")) }),
        Failing(
            name: "a program that says nothing", source: #"{"command": [⟦⟧"pass"]}"#,
            message: "\"pass\" ended with status 1", stub: { $0.stub(run: .failed(status: 1, message: "")) }),
        Failing(
            name: "a program that hangs", source: #"{"command": [⟦⟧"pass"], "timeout": "250ms"}"#,
            message: "\"pass\" did not end within 250ms", stub: { $0.stub(run: .timedOut) }),
        Failing(
            name: "a program that isn't there", source: #"{"command": [⟦⟧"pass"]}"#,
            message: "cannot run \"pass\": there is no such program",
            stub: { $0.stub(run: .notStarted("there is no such program")) }),
        Failing(
            name: "a program that prints nothing", source: #"{"command": [⟦⟧"pass"]}"#, message: "the value is empty",
            stub: { $0.stub(run: .printed(Array("\n".utf8))) }),
        Failing(
            name: "a program that prints whitespace", source: #"{"command": [⟦⟧"pass"]}"#,
            message: "the value is only whitespace", stub: { $0.stub(run: .printed(Array(" \t\n".utf8))) }),
        Failing(
            name: "a program that nobody agreed to", source: #"{"command": [⟦⟧"pass", "a b"]}"#,
            message: "running \"pass a b\" needs your agreement",
            hint: "check what would be done, then pass --trust or set REQCLI_TRUST=1",
            stub: { $0.permits = { _, _ in .unasked } }),
        Failing(
            name: "a program that was refused", source: #"{"command": [⟦⟧"pass"]}"#,
            message: "running \"pass\" was refused", stub: { $0.permits = { _, _ in .refused } }),
    ]

    @Test("A secret that can't be had is told with its place and the reason", arguments: failing)
    func problem(_ failing: Failing) throws {
        var scenario = Self.scenario(failing.source, failing.stub)
        scenario.files["empty"] = "\n"
        scenario.otherFiles["/w/binary"] = [0xFF, 0xFE]
        let failure = try scenario.failure()
        #expect(failure.usage.isEmpty)
        #expect(failure.definitions.map(\.message) == ["cannot read secret \"token\": \(failing.message)"])
        #expect(failure.definitions.map(\.hint) == [failing.hint])
        #expect(failure.places == scenario.marks)
    }

    @Test("All that can't be had are told in one run")
    func together() throws {
        var scenario = Scenario(
            #"{"headers": {"A": "{{secret.a}}", "B": "{{secret.b}}", "C": "{{secret.c}}"}}"#,
            environment: #"""
                {"baseURL": "http://h", "secrets": {"a": {"env": "A"}, "b": {"file": "b"}, "c": {"command": ["c"]}}}
                """#)
        scenario.stub = { world in
            world.stub(variables: [:])
            world.permits = { _, _ in .unasked }
        }
        #expect(try scenario.failure().definitions.count == 3)
    }

    // MARK: Hiding them

    @Test("No message holds the value of a secret")
    func neverTold() throws {
        let members = [
            #""headers": {"A": "{{secret.s}}\n"}"#, #""host": "{{secret.s}}/x""#, #""port": "{{secret.s}}""#,
            #""baseURL": "{{secret.s}}""#, #""baseURL": "http://{{secret.s}}/?/x""#,
            #""auth": {"basic": {"user": "{{secret.s}}:", "password": "x"}}"#,
            #""query": {"a": {"$switch": "{{secret.s}}", "x": "1"}}"#, #""body": {"file": "{{secret.s}}"}"#,
            #""tls": {"ca": "{{secret.s}}"}"#,
            #""body": {"multipart": {"a": {"text": "x", "contentType": "{{secret.s}}\n"}}}"#,
        ]
        for member in members {
            var scenario = Scenario(
                #"{\#(member), "path": "/{{missing}}"}"#,
                environment: #"{"baseURL": "http://h", "secrets": {"s": {"env": "S"}}}"#)
            scenario.stub = { $0.stub(variables: ["S": "hunter2!"]) }
            let failure = try scenario.failure()
            #expect(failure.definitions.count >= 2, "\(member)")
            #expect(failure.messages.joined().contains("hunter2") == false, "\(failure.messages)")
        }
    }

    @Test("Of a secret param that is a list or an object, each text in it is masked")
    func secretList() throws {
        var scenario = Scenario(
            #"{"params": {"keys": {"type": "json", "secret": true}}, "query": {"k": "{{keys}}"}, "headers": {"K": "{{keys}}"}}"#
        )
        scenario.arguments = [ParameterArgument(#"keys=["geheim-1", {"a": "geheim-2"}]"#)].compactMap(\.self)
        let assembled = try scenario.assembled()
        let wire = Wire(assembled)
        #expect(wire.url.contains("k=geheim-1&"))
        for text in [wire.url, wire.headers.joined()] {
            #expect(!assembled.redactor.redact(text).contains("geheim"), "\(assembled.redactor.redact(text))")
        }
    }

    @Test("A long secret that a message shortens shows no more of it than a short one")
    func shortened() throws {
        let members = [
            #""query": {"a": {"$switch": "{{secret.s}}", "x": "1"}}"#, #""body": {"file": "{{secret.s}}"}"#,
            #""baseURL": "http://{{secret.s}}""#, #""tls": {"ca": "{{secret.s}}"}"#,
        ]
        for member in members {
            var scenario = Scenario(
                "{\(member)}", environment: #"{"baseURL": "http://h", "secrets": {"s": {"env": "S"}}}"#)
            scenario.stub = { $0.stub(variables: ["S": String(repeating: "hunter2! ", count: 30)]) }
            let messages = try scenario.failure().messages.joined()
            #expect(messages.contains("<secret.s>…"), "\(messages)")
            #expect(!messages.contains("hunter2"), "\(messages)")
        }
    }

    @Test("A base URL that is a secret shows neither its path nor what its host is made into")
    func secretURL() throws {
        var scenario = Scenario(
            #"{"baseURL": "{{secret.hook}}", "path": "x"}"#, environment: #"{"secrets": {"hook": {"env": "HOOK"}}}"#)
        scenario.stub = { $0.stub(variables: ["HOOK": "HTTPS://Hooks.Example/services/T000/geheim"]) }
        let assembled = try scenario.assembled()
        #expect(Wire(assembled).url == "https://Hooks.Example/services/T000/geheim/x")
        #expect(assembled.redactor.redact(Wire(assembled).url) == "<secret.hook>/x")
        let explained = Explanation(assembled).rows.map { "\($0)" }.joined()
        #expect(!explained.contains("geheim"), "\(explained)")
    }

    @Test("A param marked secret is masked wherever it goes, and its default, too")
    func secretParameter() throws {
        let endpoint = #"""
            {"params": {"pin": {"type": "string", "secret": true, "default": "0000-default"}, "open": {"type": "string"}},
             "path": ["{{pin}}"], "query": {"p": "{{pin}}"}, "auth": {"basic": {"user": "u", "password": "{{pin}}"}}}
            """#
        for (arguments, value) in [(["pin=geheim sehr", "open=o"], "geheim sehr"), (["open=o"], "0000-default")] {
            var scenario = Scenario(endpoint)
            scenario.arguments = arguments.compactMap { ParameterArgument($0) }
            let assembled = try scenario.assembled()
            #expect(assembled.secrets == [ResolvedSecret(name: "pin", value: value, origin: .parameter)])
            let redactor = assembled.redactor
            let wire = Wire(assembled)
            for text in [wire.url, wire.headers.joined()] {
                #expect(redactor.redact(text).contains("<pin>"))
                #expect(!redactor.redact(text).contains(value.prefix(4)))
            }
        }
    }
}
