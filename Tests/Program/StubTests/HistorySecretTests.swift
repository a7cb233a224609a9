import Exchange
import Foundation
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// No file of the history holds a secret.
struct HistorySecretTests {
    private static let secret = EchoedSecret.value
    private static let forms = EchoedSecret.forms

    private func kept(
        _ words: [String], endpoint: String, environment: String = "", _ response: Response,
        variables: [String: String] = [:], loses texts: [String]
    ) async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json": endpoint,
            "environments/development.json": #"{ "baseURL": "http://a.test"\#(environment) }"#,
        ])
        let program = InProcess(
            response: { _ in response },
            variables: ["HOME": workspace.path("home"), "REQCLI_HISTORY": "1"].merging(variables) { $1 })
        let run = await program.run(["send"] + words, in: workspace)
        #expect(run.status == 0, "\(run)")
        let files = workspace.contents.filter { $0.key.hasPrefix("home/") && !$0.value.isEmpty }
        #expect(files.count == 1)
        let show = await program.run("history", "show", "1", in: workspace)
        #expect(show.status == 0)
        for text in texts {
            for (name, bytes) in files {
                // The digits of the time may be those of a secret by chance.
                let kept = String(decoding: bytes, as: UTF8.self).replacing(/"time":[0-9.]+/, with: "")
                #expect(!kept.contains(text), "\(text) is in \(name)")
                #expect(!name.contains(text))
            }
            #expect(!show.outputText.contains(text))
        }
    }

    @Test("A declared secret is in no file, in no form, in the head or in the body")
    func declared() async throws {
        let lines = Self.forms.enumerated().map { HeaderFields.Field("X-Echo-\($0.offset)", $0.element) }
        let body = Self.forms.joined(separator: "\n") + String(repeating: "x", count: 1 << 20) + Self.secret
        try await kept(
            ["a", "-q", "q=\(Self.secret)", "-H", "X-Mine: \(Self.forms[1])"],
            endpoint:
                #"{ "method": "POST", "path": "/{{secret.token}}", "body": { "json": { "a": ["{{secret.token}}"] } } }"#,
            environment: #"""
                , "secrets": { "token": { "env": "TOKEN" } },
                "auth": { "basic": { "user": "ada", "password": "{{secret.token}}" } }
                """#,
            Response(status: 200, headers: HeaderFields(lines), body: Data(body.utf8)),
            variables: ["TOKEN": Self.secret], loses: Self.forms)
    }

    @Test("What the flags for a proxy tell it is in no file")
    func proxyHeaders() async throws {
        try await kept(
            [
                "a", "--proxy", "http://127.0.0.1:1", "--proxy-header", "X-CSRF: fish9876abcd",
                "--proxy-header", "Proxy-Authorization: Basic ZmlzaDo5ODc2YWJjZA==",
            ],
            endpoint: #"{ "path": "/" }"#, Response(status: 200, body: Data("ok".utf8)),
            loses: ["fish9876abcd", "ZmlzaDo5ODc2YWJjZA"])
    }

    @Test("A secret at the place where the body is cut is masked as a whole", arguments: [-20, -13, -7, -1, 0, 1])
    func cut(_ offset: Int) async throws {
        let body =
            String(repeating: "x", count: (1 << 20) + offset) + "fish9876abcd" + String(repeating: "y", count: 9000)
        try await kept(
            ["a"], endpoint: #"{ "path": "/", "headers": { "X": "{{secret.token}}" } }"#,
            environment: #", "secrets": { "token": { "env": "TOKEN" } }"#,
            Response(status: 200, body: Data(body.utf8)), variables: ["TOKEN": "fish9876abcd"],
            loses: ["fish", "9876abcd"])
    }

    @Test("What a response gives as a secret is in no file: captures, cookies, and members that look like one")
    func received() async throws {
        let login = #"{ "path": "/", "capture": { "key": { "json": "$.key", "secret": true } } }"#
        let body =
            #"{ "key": "cap9876", "deep": [{ "access_token": "tok9876", "text": "ghp_0123456789abcdef" }], "pin": "cap9876" }"#
        try await kept(
            ["a"], endpoint: login,
            Response(
                status: 200,
                headers: ["Set-Cookie": "sid=coo9876; Path=/", "X-Api-Key": "api9876", "X-Echo": "cap9876"],
                body: Data(body.utf8)),
            loses: ["cap9876", "tok9876", "coo9876", "api9876", "ghp_0123456789abcdef"])
        let location = HeaderFields(["Location": "http://b.test/?access_token=tok9876&a=1#id_token=frag9876"])
        try await kept(
            ["a"], endpoint: "{}", Response(status: 302, headers: location), loses: ["tok9876", "frag9876"])
        // The capture isn't there, so any text may be the secret.
        try await kept(
            ["a"], endpoint: login, Response(status: 200, body: Data("cap9876".utf8)), loses: ["cap9876"])
    }

    @Test(
        "Members that look like secrets are masked in bodies that are not one whole JSON text, too",
        arguments: [
            "data: {\"a\": 1, \"access_token\": \"tok9876\"}\n\n", "{}\n{\"password\" : \"tok9876\"}\n",
            "{\"secret\":\"tok9876\\\"more9876\",", "{\"text\": \"it's \\\" \", \"token\": 9876",
            "a=b&token=tok9876&c=d",
            "<a href=\"?token=tok9876\">",
            "[\"x\", {\"session\": \"tok9876\"}, \"" + String(repeating: "y", count: 2 << 20),
            "\"unfinished\n{\"token\":\"tok9876",
        ])
    func partlyJSON(_ body: String) async throws {
        try await kept(["a"], endpoint: "{}", Response(status: 200, body: Data(body.utf8)), loses: ["9876"])
    }

    @Test(
        "What looks like a secret in the words of a call is in no file",
        arguments: [
            ["POST", "/x", "password=cap9876"], ["POST", "/x", #"user:={"password": "cap9876"}"#],
            ["POST", "/x", "--form", "password=cap9876"], ["/x", "api_key==cap9876"],
            ["/x", "-H", "Authorization: Bearer cap9876"], ["/x", "-H", "X-Token:cap9876"],
            ["/x", "-q", "token=cap9876"],
            ["POST", "/x", "--body", #"{"a": {"password": "cap9876"}}"#],
            ["POST", "/x", "--body", "a=b&password=cap9876"],
            ["a", "key=ghp_cap9876cap9876"], ["a", "token=cap9876"],
            ["POST", "/x", "note=cap9876", "password=cap9876"], ["POST", "/x", "note=a cap9876", "password=cap9876"],
        ])
    func typed(_ words: [String]) async throws {
        try await kept(
            words,
            endpoint: #"""
                { "path": "/", "query": { "k": "{{key}}", "t": "{{token}}" },
                  "params": { "key": { "type": "string", "required": false }, "token": { "type": "string", "required": false } } }
                """#,
            Response(status: 200, body: Data(#"{"echo": "cap9876 ghp_cap9876cap9876"}"#.utf8)), loses: ["cap9876"])
    }

    @Test(
        "A URL that looks like it holds a secret keeps the call out of the history",
        arguments: ["/x?token=cap9876", "/ghp_cap9876cap9876"])
    func url(_ path: String) async throws {
        let workspace = try TemporaryFolder.workspace(endpoint: "{}")
        let program = InProcess(
            response: { _ in Response(status: 200) },
            variables: ["HOME": workspace.path("home"), "REQCLI_HISTORY": "1"])
        let run = await program.run("send", path, in: workspace)
        #expect(run.status == 0 && !workspace.files.contains("home"))
        #expect(run.errors.contains("note: the call is not kept in the history, because "), "\(run)")
    }
}
