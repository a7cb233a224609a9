import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@testable import Commands

/// `send URL --save ID` keeps a typed request as an endpoint.
struct SaveRequestTests {
    private static let program = InProcess(response: { _ in
        Response(status: 201, headers: ["Content-Type": "text/plain"], body: Data("ok".utf8))
    })

    /// A network that must not be used.
    private static let silent = InProcess(response: { _ in
        Issue.record("a request was sent")
        return Response(status: 200, headers: [:], body: Data())
    })

    private static let environment = #"{ "baseURL": "http://h/api" }"#

    @Test("Without a workspace it makes one, with typed params and a secret without its value")
    func newWorkspace() async throws {
        let folder = try TemporaryFolder([:])
        let run = await Self.program.run(
            "send", "http://h:81/users", "name=Ada", "age:=36", "tags:=[1]", "password=hunter2", "page==2",
            "--save", "user.create", "--timeout", "5s", "--insecure", in: folder)
        #expect(run.status == 0 && run.outputText == "ok")
        #expect(
            run.errors == """
                warning: the server's certificate is not checked: any server could respond
                note: saved as user.create in endpoints/user.json, and its server in environments/development.json
                note: the saved endpoint has no value for password=…
                note: not saved: --insecure

                """)
        #expect(folder.text("environments/development.json") == "{\n  \"baseURL\": \"http://h:81\"\n}\n")
        #expect(
            folder.text("endpoints/user.json") == """
                {
                  "endpoints": {
                    "create": {
                      "method": "POST",
                      "path": "/users",
                      "params": {
                        "name": { "type": "string", "default": "Ada" },
                        "age": { "type": "integer", "default": 36 },
                        "tags": { "type": "json", "default": [1] },
                        "password": { "type": "string", "secret": true },
                        "page": { "type": "integer", "default": 2 }
                      },
                      "query": { "page": "{{page}}" },
                      "timeout": "5s",
                      "body": {
                        "json": {
                          "name": "{{name}}",
                          "age": "{{age}}",
                          "tags": "{{tags}}",
                          "password": "{{password}}"
                        }
                      }
                    }
                  }
                }

                """)
    }

    @Test(
        "Credentials are saved without the password and the token",
        arguments: [
            (["-a", "ada:hunter2"], #""basic": { "user": "ada", "password": "{{password}}" }"#, "password"),
            (
                ["-a", "ada:hunter2", "--digest"], #""digest": { "user": "ada", "password": "{{password}}" }"#,
                "password"
            ),
            (["--bearer", "hunter2"], #""bearer": "{{token}}""#, "token"),
        ])
    func credentials(_ words: [String], _ auth: String, _ param: String) async throws {
        let folder = try TemporaryFolder([:])
        let run = await Self.program.run(["send", "http://h/me"] + words + ["--save", "user.me"], in: folder)
        #expect(run.status == 0 && run.errors.contains("has no value for \(param)=…"), "\(run)")
        let text = try #require(folder.text("endpoints/user.json"))
        #expect(text.replacing(/\s+/, with: " ").contains(auth), "\(text)")
        #expect(text.contains(#""\#(param)": { "type": "string", "secret": true }"#) && !text.contains("hunter2"))
    }

    @Test(
        "A password that is also another part of the request is not saved",
        arguments: [["name=hunter2"], ["q==hunter2"], ["X-Foo:a-hunter2"], ["--body", #"{"k":"hunter2"}"#]])
    func repeatedPassword(_ words: [String]) async throws {
        let folder = try TemporaryFolder([:])
        let run = await Self.silent.run(
            ["send", "http://h/me", "-a", "ada:hunter2"] + words + ["--save", "user.me"], in: folder)
        #expect(run.status == 2 && run.errors.contains("the value of a secret") && !run.errors.contains("hunter2"))
        #expect(folder.text("endpoints/user.json") == nil)
    }

    @Test(
        "An id leads to the file that the workspace has for it",
        arguments: [
            ("ping", "endpoints/ping.json", "{\n  \"path\": \"/x\"\n}\n"),
            ("a.one.get", "endpoints/a/one/get.json", "{\n  \"path\": \"/x\"\n}\n"),
            (
                "new.get", "endpoints/new.json",
                "{\n  \"endpoints\": {\n    \"get\": {\n      \"path\": \"/x\"\n    }\n  }\n}\n"
            ),
            (
                "group.get", "endpoints/group.json",
                "{ \"endpoints\": { // mine\n  \"old\": {\"path\": \"o\"},\n  \"get\": {\n    \"path\": \"/x\"\n  }\n} }"
            ),
        ])
    func places(_ id: String, _ file: String, _ text: String) async throws {
        let folder = try TemporaryFolder([
            "environments/development.json": Self.environment, "endpoints/a/one/other.json": #"{ "path": "o" }"#,
            "endpoints/group.jsonc": "{ \"endpoints\": { // mine\n  \"old\": {\"path\": \"o\"}\n} }",
        ])
        let run = await Self.program.run("send", "/x", "--save", id, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.text(id == "group.get" ? file + "c" : file) == text)
        #expect(await Self.program.run("send", id, in: folder).outputText == "ok")
    }

    @Test("Flags that a file has keys for are saved, those of one object together")
    func settings() async throws {
        let folder = try TemporaryFolder([
            "environments/development.json": Self.environment, "endpoints/other.json": #"{ "path": "o" }"#,
        ])
        let run = await Self.program.run(
            "send", "/x", "--save", "ping", "--follow", "--max-redirects", "3", "--http1.1", "--connect-to", ":::",
            in: folder)
        #expect(run.status == 0 && run.errors.contains("note: not saved: --connect-to :::\n"), "\(run.errors)")
        let text = folder.text("endpoints/ping.json") ?? ""
        #expect(text.contains(#""redirects": { "follow": true, "max": 3 }"#), "\(text)")
        #expect(text.contains(#""httpVersion": "1.1""#), "\(text)")
        #expect(await Self.program.run("send", "ping", in: folder).outputText == "ok")
    }

    @Test("A workspace with schemas gets their names into new files")
    func schema() async throws {
        let folder = try TemporaryFolder([
            "environments/development.json": Self.environment, "endpoints/a/one.json": #"{ "path": "o" }"#,
            "schema/endpoint.schema.json": "{}",
        ])
        _ = await Self.program.run("send", "/x", "--save", "a.two", in: folder)
        #expect(
            folder.text("endpoints/a/two.json")
                == "{\n  \"$schema\": \"../../schema/endpoint.schema.json\",\n  \"path\": \"/x\"\n}\n")
    }

    @Test(
        "A query that an object can't hold is kept as text, with its named values as params",
        arguments: [
            (["/x?q=a+b&flag"], #""query": "q=a+b&flag""#),
            (["/x?a=1&&é", "b==2 3"], #""query": "a={{a}}&&%C3%A9&b={{b}}""#),
            (["/x", "a==1", "b==2", "a==3"], #""query": "a={{a}}&b={{b}}&a={{a-2}}""#),
            (["/x?flag", "token==hunter2"], #""query": "flag&token={{token}}""#),
            (["/x?flag", "a=={{b}}"], #""query": "flag&a=%7B%7Bb%7D%7D""#),
            (["/x?flag&a=1", "-q", "a=2"], #""query": "flag&a={{a}}""#),
        ])
    func rawQuery(_ words: [String], _ member: String) async throws {
        let folder = try TemporaryFolder([
            "environments/development.json": Self.environment, "endpoints/o.json": "{}",
        ])
        let run = await Self.program.run(["send"] + words + ["--save", "n"], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let text = folder.text("endpoints/n.json") ?? ""
        #expect(text.contains(member) && !text.contains("hunter2"), "\(text)")
    }

    @Test(
        "What cannot be kept is an error before anything is sent, without the secret",
        arguments: [
            (["/x", "--save", "old"], "endpoints/old.json:1:1: error: --save: old already exists"),
            (["/x", "--save", "g.old"], "endpoints/g.json:1:18: error: --save: g.old already exists"),
            (["/x", "--save", "g"], "error: --save: endpoints/g.json is a group"),
            (["/x", "--save", "old.x"], "error: --save: endpoints/old.json is the endpoint old, not a group"),
            (["/x", "--save", "a..b"], "error: --save takes an endpoint's id such as user.create; found \"a..b\""),
            (["old", "--save", "n"], "error: --save can only be used with a URL or a path; \"old\" is an endpoint"),
            (["/x", "--save-stub", "s"], "error: --save-stub can only be used with an endpoint"),
            (["/x", "--stub"], "error: --stub can only be used with an endpoint, because its file has the variants"),
            (["/x", "--force"], "error: --force can only be used together with --save or --save-stub"),
            (
                ["http://i/x", "--save", "n"],
                "error: the request can't become an endpoint: http://i is not the server of the environment development"
            ),
            (
                ["http://h/x", "--save", "n"],
                "error: the request can't become an endpoint: in the environment development, the endpoint would send a different header X-E"
            ),
            (
                ["/x", "-H", "Authorization: Bearer hunter2", "--save", "n"],
                "error: the request can't become an endpoint: the header Authorization"
            ),
            (
                ["/x", "-H", "X-Api-Key: hunter2", "--save", "n"],
                "error: the request can't become an endpoint: the header X-Api-Key carries"
            ),
            (
                ["/x", "-H", "A: ghp_hunter2hunter2", "--save", "n"],
                "error: the request can't become an endpoint: the header A carries"
            ),
            (
                ["/x?api_key=hunter2", "--save", "n"],
                "error: the request can't become an endpoint: \"api_key\" in the query of the URL looks like"
            ),
            (
                ["/x?token=hunter2+", "--save", "n"],
                "error: the request can't become an endpoint: \"token\" in the query of the URL looks like"
            ),
            (
                ["/ghp_hunter2hunter2", "--save", "n"],
                "error: the request can't become an endpoint: the path of the URL looks like a secret"
            ),
            (
                ["/x", "--body", #"{"password":"hunter2"}"#, "--save", "n"],
                "error: the request can't become an endpoint: --body contains what looks like a secret"
            ),
            (
                ["/x", "--body", "a=1&password=hunter2", "--save", "n"],
                "error: the request can't become an endpoint: --body contains what looks like a secret"
            ),
            (
                ["/x", "--body", "-", "--save", "n"],
                "error: the request can't become an endpoint: an endpoint file cannot contain standard input"
            ),
        ])
    func refusals(_ words: [String], _ message: String) async throws {
        let folder = try TemporaryFolder([
            "environments/development.json": #"{ "baseURL": "http://h/api", "headers": { "X-E": "1" } }"#,
            "endpoints/old.json": #"{ "path": "o" }"#, "endpoints/g.json": #"{ "endpoints": { "old": {} } }"#,
        ])
        let before = folder.files
        let run = await Self.silent.run(["send"] + words, in: folder)
        #expect(run.status == 2 && run.outputText == "")
        #expect(run.errors.hasPrefix(message), "\(run.errors)")
        #expect(!run.errors.contains("hunter2"))
        #expect(folder.files == before && folder.bytes("endpoints/n.json") == nil)
    }

    @Test("--force replaces an endpoint, and only that")
    func force() async throws {
        let folder = try TemporaryFolder([
            "environments/development.json": Self.environment,
            "endpoints/g.json": #"{ "endpoints": { "a": { "path": "1" }, "b": { "path": "2" } } }"#,
        ])
        let run = await Self.program.run("send", "/x", "--save", "g.a", "--force", in: folder)
        #expect(run.errors == "note: saved as g.a in endpoints/g.json\n")
        #expect(
            folder.text("endpoints/g.json")
                == #"{ "endpoints": { "a": { "path": "/x" }, "b": { "path": "2" } } }"#)
    }

    @Test("Nothing is kept if no server responds, and an error status is kept")
    func responses() async throws {
        let folder = try TemporaryFolder([
            "environments/development.json": Self.environment, "endpoints/o.json": "{}",
        ])
        let dead = InProcess(response: { _ in throw TransportError(.refused, target: "h") })
        #expect(await dead.run("send", "/x", "--save", "n", in: folder).status == 6)
        #expect(folder.bytes("endpoints/n.json") == nil)
        let missing = InProcess(response: { _ in Response(status: 404, headers: [:], body: Data()) })
        #expect(await missing.run("send", "/x", "--save", "n", in: folder).status == 4)
        #expect(folder.bytes("endpoints/n.json") != nil)
    }

    @Test("With --save-stub the response becomes a variant of the new endpoint, without its secrets")
    func stub() async throws {
        let folder = try TemporaryFolder([
            "environments/development.json": Self.environment, "endpoints/o.json": "{}",
        ])
        let echo = InProcess(response: { request in
            Response(status: 200, headers: ["Content-Type": "text/plain"], body: request.body?.data ?? Data())
        })
        let run = await echo.run(
            "send", "/x", "password=hunter2hunter2", "--save", "n", "--save-stub", "s", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.text("stubs/n.s.txt") == #"{"password":"<password>"}"#)
        #expect(folder.text("endpoints/n.json")?.contains("hunter2") == false)
    }

    @Test("A disk that is full leaves no half-made workspace")
    func fullDisk() async throws {
        let folder = try TemporaryFolder([:])
        var program = Self.program
        program.writing.stageFile = { path, _ throws(WritingProblem) in
            if path.hasSuffix("n.json") { throw WritingProblem("no space left on device") }
            return try FileWriting.live.stageFile(path, .new)
        }
        let run = await program.run("send", "http://h/x", "--save", "n", in: folder)
        #expect(run.status == 9)
        #expect(run.errors == "error: cannot save endpoints/n.json: no space left on device\n")
        #expect(folder.files.isEmpty)
    }
}
