import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// bash's `<(…)`, which is a pipe by the path of a descriptor.
struct ProcessSubstitutionTests {
    @Test(
        "a file of the workspace never gets what is piped into the program",
        arguments: ["/dev/fd/0", "/proc/self/fd/0", "/dev/./fd/0", "/dev/fd/3"])
    func hostile(_ path: String) async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([
            "environments/development.json":
                #"{ "baseURL": "http://127.0.0.1:\#(server.port)", "secrets": { "t": { "file": "\#(path)" } } }"#,
            "endpoints/it.json": #"{ "headers": { "X-T": "{{secret.t}}" } }"#,
        ])
        for command in ["send it", "render it", "status", "env"] {
            let line = #"echo private | "$1" \#(command) 3< <(echo private)"#
            let run = try await Tool.run(
                ["-c", line, "bash", Tool.path], in: workspace.folder.path, program: ["bash"], within: .seconds(20))
            #expect(run.status == (command.hasSuffix("it") ? 3 : 0), "\(command): \(run)")
            #expect(!(run.outputText + run.errors).contains("private"), "\(command): \(run)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a body, a param and a file of variables are read from a pipe, also if the request is made twice")
    func sent() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([
            "environments/development.json":
                #"{ "baseURL": "http://127.0.0.1:\#(server.port)", "secrets": { "t": { "env": "TOK" } } }"#,
            "endpoints/it.json":
                #"{ "method": "POST", "path": "/{{id}}", "params": { "id": { "type": "string" } }, "headers": { "X-T": "{{secret.t}}" }, "needs": { "a": "first" } }"#,
            "endpoints/first.json": #"{ "path": "/first" }"#,
        ])
        let line =
            #""$1" send it id@=<(printf 7) --env-file <(echo TOK=abc) --body @<(printf '{"a": 1}')"#
        let run = try await Tool.run(
            ["-c", line, "bash", Tool.path], in: workspace.folder.path, program: ["bash"])
        #expect(run.status == 0, "\(run.errors)")
        let sent = try #require(server.requests.last)
        #expect(sent.target == "/7" && String(decoding: sent.body, as: UTF8.self) == #"{"a": 1}"#)
        #expect(sent.headers.contains(.init(name: "X-T", value: "abc")))
        #expect(sent.headers.contains(.init(name: "Content-Type", value: "application/json")))
    }
}
