import HostileServing
import TestSupport
import Testing
import ToolSupport

/// A rendered command with a capture in it, run by shells with real curl.
struct RenderedCaptureTests {
    private static let endpoints = #"""
        {"endpoints": {
          "login": {"path": "/login", "capture": {"token": {"json": "$.token", "secret": true}}},
          "me": {"method": "POST", "path": "/me", "needs": {"login": "it.login"}, "auth": {"bearer": "{{login.token}}"},
                 "body": {"json": {"again": "{{login.token}}"}}}}}
        """#

    @Test(
        "With the variable set as the note says, curl sends what send sends; without it nothing is sent",
        arguments: ["/bin/dash", "/bin/bash"])
    func curl(_ shell: String) async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.respond(200, body: request.line.contains("/login") ? #"{"token": "a 'b' $c"}"# : "hello")
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: Self.endpoints)
        let script = #"""
            reqcli() { "$0" "$@"; }
            command=$("$0" render it.me 2>notes) || exit 9
            (eval "$command") 2>errors && exit 8
            eval "$(sed -n 's/^note: LOGIN_TOKEN is captured from it.login: //p' notes)"
            eval "$command"
            """#
        let run = try await Tool.run(["-c", script, Tool.path], in: workspace.folder.path, program: [shell])
        #expect(run.status == 0 && run.outputText == "hello", "\(run.errors)")
        let sent = try await Tool.run(["send", "it.me"], in: workspace)
        #expect(sent.status == 0)
        let requests = server.requests.filter { $0.line.contains("/me") }
        #expect(requests.count == 2)
        #expect(requests.map { $0.values("Authorization") } == [["Bearer a 'b' $c"], ["Bearer a 'b' $c"]])
        #expect(Set(requests.map(\.body)).count == 1)
    }
}
