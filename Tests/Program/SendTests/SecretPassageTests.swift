import HostileServing
import Testing
import ToolSupport

/// A secret with `origins` stays at them on every way through params, lists, captures, functions and tokens.
@Suite(.serialized) struct SecretPassageTests {
    private static let value = ["TOKEN": "s3cr3t-of-ada"]
    private static let hex = "7333637233742d6f662d616461"

    /// Two servers that return the secret, its hexadecimal form and an access token: one may get the secret, the other may not.
    private final class Stage: Sendable {
        let own: HostileServer
        let other: HostileServer
        let workspace: ToolWorkspace

        init(_ files: [String: String], environment: String = "") throws {
            func server() throws -> HostileServer {
                try HostileServer { connection in
                    while connection.readRequest() != nil {
                        connection.respond(
                            200, ["Content-Type: application/json"],
                            body:
                                #"{ "id": 1, "echo": "s3cr3t-of-ada", "hex": "\#(hex)", "access_token": "t", "token_type": "bearer" }"#
                        )
                    }
                }
            }
            (own, other) = (try server(), try server())
            let origin = "http://127.0.0.1:\(own.port)"
            workspace = try ToolWorkspace(
                server: origin, endpoint: #"{ "path": "/" }"#,
                environment:
                    #""expect": { "status": 200 }, "secrets": { "token": { "env": "TOKEN", "origins": "\#(origin)" } }\#(environment)"#
            )
            for (file, text) in files {
                let known = text.replacing("OWN", with: origin).replacing(
                    "OTHER", with: "http://127.0.0.1:\(other.port)")
                try workspace.write(file, known)
            }
        }

        func stop() { for each in [own, other] { each.stop() } }
    }

    struct Passage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let commands: [[String]]
        let files: [String: String]
        var environment = ""
        /// How many requests the allowed server gets before the refusal.
        var before = 0
    }

    private static let sink =
        #"{ "baseURL": "OTHER", "params": { "p": { "type": "string" } }, "headers": { "X-K": "{{p}}" } }"#
    private static let login =
        #"{ "method": "POST", "capture": { "id": { "json": "$.id" }, "echo": { "json": "$.echo" }, "hex": { "json": "$.hex" } } }"#

    private static func passing(_ function: String, _ value: String = "{{secret.token}}") -> [String: String] {
        [
            "endpoints/sink.json": sink,
            "endpoints/mid.json":
                #"{ "params": { "q": { "type": "string" } }, "needs": { "s": { "endpoint": "sink", "with": { "p": "{{q\#(function)}}" } } } }"#,
            "endpoints/first.json": #"{ "needs": { "m": { "endpoint": "mid", "with": { "q": "\#(value)" } } } }"#,
        ]
    }

    private static func oauth(_ more: String) -> String {
        #""auth": { "oauth2": { "flow": "clientCredentials", "tokenURL": "OTHER/t", "clientID": "c", \#(more) } }"#
    }

    private static let passages =
        ["", " | hex", " | upper", " | slice 0 12", " | base64 | base64"].map { function in
            Passage(
                testDescription: "a param of a param\(function)", commands: [["send", "first"], ["check", "first"]],
                files: passing(function))
        } + [
            Passage(
                testDescription: "a variable, in a load",
                commands: [["load", "first", "--rate", "5/s", "--for", "1s"]], files: passing(" | hex", "{{v}}"),
                environment: #", "variables": { "v": "x{{secret.token}}" }"#),
            Passage(
                testDescription: "an element of a list", commands: [["check", "scenario:s"]],
                files: [
                    "endpoints/sink.json": sink,
                    "scenarios/s.json":
                        #"{ "steps": [{ "name": "b", "endpoint": "sink", "forEach": ["{{secret.token}}"], "with": { "p": "{{item | hex}}" } }] }"#,
                ]),
            Passage(
                testDescription: "what a function makes of a capture", commands: [["check", "scenario:s"]],
                files: [
                    "endpoints/sink.json": sink, "endpoints/login.json": login,
                    "scenarios/s.json":
                        #"{ "steps": [{ "name": "made", "endpoint": "login" }, { "name": "b", "endpoint": "sink", "with": { "p": "{{made.echo | sha256 | hex}}" } }] }"#,
                ], before: 1),
            Passage(
                testDescription: "a capture of what a function made", commands: [["send", "it"]],
                files: [
                    "endpoints/login.json":
                        #"{ "params": { "p": { "type": "string" } }, "headers": { "X-A": "{{p | hex}}" }, "capture": { "hex": { "json": "$.hex" } } }"#,
                    "endpoints/it.json":
                        #"{ "baseURL": "OTHER", "needs": { "l": { "endpoint": "login", "with": { "p": "{{secret.token}}" } } }, "query": { "k": "{{l.hex}}" } }"#,
                ], before: 1),
            Passage(
                testDescription: "the client of a token, by a param", commands: [["send", "use"], ["check", "use"]],
                files: [
                    "endpoints/it.json":
                        #"{ "params": { "p": { "type": "string", "secret": true } }, \#(oauth(#""clientSecret": "{{p}}""#)) }"#,
                    "endpoints/use.json":
                        #"{ "needs": { "l": { "endpoint": "it", "with": { "p": "{{secret.token}}" } } } }"#,
                ]),
            Passage(
                testDescription: "the client of a token, by a capture", commands: [["send", "it"]],
                files: [
                    "endpoints/login.json": login,
                    "endpoints/it.json":
                        #"{ "needs": { "l": "login" }, \#(oauth(#""clientSecret": "x", "parameters": { "a": "{{l.echo | hex}}" }"#)) }"#,
                ], before: 1),
            Passage(
                testDescription: "a token, before the call that the request needs",
                commands: [["send", "it"], ["check", "it"]],
                files: [
                    "endpoints/login.json": login,
                    "endpoints/it.json":
                        #"{ "needs": { "l": "login" }, "query": { "i": "{{l.id}}" }, \#(oauth(#""clientSecret": "{{secret.token}}""#)) }"#,
                ]),
            Passage(
                testDescription: "a request, before its token", commands: [["send", "it"], ["check", "it"]],
                files: [
                    "endpoints/it.json":
                        #"{ "baseURL": "OTHER", "headers": { "X-A": "{{secret.token}}" }, "auth": { "oauth2": { "flow": "clientCredentials", "tokenURL": "OWN/t", "clientID": "c", "clientSecret": "x" } } }"#
                ]),
            Passage(
                testDescription: "a secret of a file that the run doesn't use", commands: [["send", "it"]],
                files: [
                    "token.txt": "s3cr3t-of-ada\n",
                    "endpoints/login.json": login,
                    "endpoints/it.json":
                        #"{ "baseURL": "OTHER", "needs": { "l": "login" }, "query": { "k": "{{l.echo}}" } }"#,
                    "environments/development.json":
                        #"{ "baseURL": "OWN", "secrets": { "token": { "file": "token.txt", "origins": "OWN" } } }"#,
                ], before: 1),
            Passage(
                testDescription: "a function on the secret's variable itself",
                commands: [["send", "f"], ["check", "f"]],
                files: [
                    "endpoints/f.json": #"{ "baseURL": "OTHER", "headers": { "X-K": "{{$env.TOKEN | hex}}" } }"#
                ]),
            Passage(
                testDescription: "a function on the secret's variable in a client secret", commands: [["send", "o"]],
                files: ["endpoints/o.json": "{ \(oauth(#""clientSecret": "{{$env.TOKEN | hex}}""#)) }"]),
            Passage(
                testDescription: "what a server made of a capture of another server",
                commands: [["send", "third"], ["check", "third"]],
                files: [
                    "endpoints/me.json": #"{ "capture": { "echo": { "json": "$.echo" } } }"#,
                    "endpoints/made.json":
                        #"{ "needs": { "l": "me" }, "headers": { "X-A": "{{l.echo | hex}}" }, "capture": { "hex": { "json": "$.hex" } } }"#,
                    "endpoints/third.json":
                        #"{ "baseURL": "OTHER", "needs": { "m": "made" }, "headers": { "X-K": "{{m.hex}}" } }"#,
                ], before: 2),
        ]

    @Test("a secret that was passed on is refused", arguments: passages)
    func refused(_ passage: Passage) async throws {
        for command in passage.commands {
            let stage = try Stage(passage.files, environment: passage.environment)
            defer { stage.stop() }
            let run = try await Tool.run(command, in: stage.workspace, environment: Self.value)
            #expect(run.status == 8, "\(command): \(run.errors)\(run.outputText)")
            let text = run.errors + run.outputText
            #expect(text.contains(#"the secret "token" must not be sent to http://127.0.0.1:\#(stage.other.port)"#))
            #expect(!text.contains("s3cr3t") && !text.contains(Self.hex))
            #expect(stage.other.connections == 0 && stage.own.requests.count == passage.before)
        }
    }

    @Test("a request that doesn't carry the secret is sent")
    func allowed() async throws {
        let stage = try Stage([
            "endpoints/login.json": Self.login,
            "endpoints/other.json": #"{ "baseURL": "OTHER", "needs": { "l": "login" }, "query": { "i": "{{l.id}}" } }"#,
            "endpoints/api.json":
                #"{ "baseURL": "OTHER", "params": { "p": { "type": "string", "secret": true } }, "auth": { "oauth2": { "flow": "clientCredentials", "tokenURL": "OWN/t", "clientID": "c", "clientSecret": "{{p}}" } } }"#,
            "endpoints/use.json":
                #"{ "needs": { "l": { "endpoint": "api", "with": { "p": "{{secret.token}}" } } } }"#,
        ])
        defer { stage.stop() }
        for endpoint in ["other", "use"] {
            let run = try await Tool.run(["send", endpoint], in: stage.workspace, environment: Self.value)
            #expect(run.status == 0, "\(endpoint): \(run.errors)")
        }
        #expect(!stage.other.requests.contains { $0.head.contains("s3cr3t") })
    }

    @Test(
        "secrets lists what an optional value leaves in place, and what a $switch chooses",
        arguments: [
            (#", "headers": { "X-A": "{{secret.token}}" }"#, #""headers": { "X-A": "{{o}}" }"#, "header X-A"),
            (#", "query": { "k": "{{secret.token}}" }"#, #""query": { "k": "{{o | upper}}" }"#, "query k"),
            (
                #", "headers": { "X-A": "{{secret.token}}" }"#,
                #""headers": { "X-A": { "$switch": "{{o}}", "1": "x" } }"#, "header X-A"
            ),
            (
                #", "variables": { "base": { "$switch": "{{$env.WHERE | default a}}", "a": "http://a", "$default": "http://b" } }"#,
                #""baseURL": "{{base}}", "headers": { "X-A": "{{secret.token}}" }"#, "anywhere: a $switch decides"
            ),
        ])
    func listed(_ environment: String, _ request: String, _ expected: String) async throws {
        let stage = try Stage(
            ["endpoints/it.json": #"{ "params": { "o": { "type": "string", "required": false } }, \#(request) }"#],
            environment: environment)
        defer { stage.stop() }
        let run = try await Tool.run(
            ["secrets", "--allow-origin", "https://x.example"], in: stage.workspace, environment: Self.value)
        #expect(run.status == 1 && run.outputText.contains(expected), "\(run.errors)\(run.outputText)")
    }
}
