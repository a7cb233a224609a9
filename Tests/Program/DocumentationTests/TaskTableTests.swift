import TestSupport
import Testing
import ToolSupport

/// The table of everyday tasks: its reqcli lines work, and its curl lines send the same.
struct TaskTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let line: String
        /// Nil where curl has no command of its own.
        let curl: String?

        /// Nil for a row that is no task.
        init?(_ row: String) {
            let cells = row.split(separator: " | ").map { $0.trimmingPrefix("| ") }
            guard cells.count == 4, let line = Self.code(cells[1]) else { return nil }
            testDescription = String(cells[0])
            self.line = line
            curl = Self.code(cells[2])
        }

        private static func code(_ cell: Substring) -> String? {
            let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
            return parts.count == 3 && parts[0].isEmpty && parts[2].isEmpty ? String(parts[1]) : nil
        }
    }

    private static let shown: [Row] = ((try? Page(named: "docs/how-to/from-curl.md"))?.prose ?? []).compactMap {
        Row($0.text)
    }
    static let tasks = shown + FurtherTasks.table.split(separator: "\n").compactMap { Row(String($0)) }

    /// What the server responds to the requests of a line.
    private static func answer(to line: String) -> [UInt8] {
        let (type, body) =
            if line.contains("/events") {
                ("text/event-stream", "data: 1\n\ndata: 2\n\n")
            } else if line.contains("/pages") {
                ("application/json", "[1, 2]")
            } else {
                ("application/json", #"{"id":7,"name":"Ada","token":"t1","items":[{"name":"Ada"}]}"#)
            }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return Array((head + body).utf8)
    }

    @Test("There are 39 tasks, more than half of them on the page")
    func hasTasks() { #expect(Self.shown.count >= 20 && Self.tasks.count >= 39) }

    @Test("Each line of the table works against a server, and curl's sends the same request", arguments: tasks)
    func line(_ task: Row) async throws {
        let server = try RecordingServer(answer: Self.answer(to: task.line))
        let address = "127.0.0.1:\(server.port)"
        func run(_ line: String) async throws -> ArraySlice<RecordedRequest> {
            let before = server.requests.count
            let workspace = try ToolWorkspace(Self.files(server: "http://\(address)"))
            let script =
                "reqcli() { '\(Tool.path)' \"$@\"; }\n"
                + line.replacing("localhost:8080", with: address).replacing(" :8080", with: " :\(server.port)")
            let ended = try await Tool.run(
                "-c", script, in: workspace.path(""), variables: workspace.environment, program: ["/bin/sh"])
            #expect(ended.status == 0, "\(line)\n\(ended.outputText)\(ended.errors)")
            return server.requests[before...]
        }
        let ours = try await run(task.line)
        #expect(ours.isEmpty == task.line.contains("render"))
        guard let curl = task.curl else { return }
        let theirs = try await run(curl)
        #expect(ours.count == theirs.count, "\(ours) \(theirs)")
        for (mine, other) in zip(ours, theirs) {
            #expect(mine.method == other.method && mine.target == other.target)
            let isMultipart = mine.values("Content-Type").first?.hasPrefix("multipart/") == true
            #expect(isMultipart || mine.body == other.body)
            for name in ["Authorization", "X-Trace", "Cookie"] { #expect(mine.values(name) == other.values(name)) }
        }
    }

    /// A workspace at a server, and the files that the lines name.
    private static func files(server: String) -> [String: String] {
        let environment = #"{ "baseURL": "\#(server)" }"#
        return [
            "environments/development.json": environment, "environments/staging.json": environment,
            "endpoints/login.json": """
            {
              "method": "POST", "path": "/login", "body": { "form": { "user": "ada" } },
              "capture": { "token": { "json": "$.token" } }
            }
            """,
            "endpoints/me.json":
                #"{ "path": "/me", "needs": { "login": "login" }, "auth": { "bearer": "{{login.token}}" } }"#,
            "endpoints/users.json": """
            {
              "endpoints": {
                "get": {
                  "path": "/users/{{id}}", "params": { "id": { "type": "integer" } }, "expect": { "status": 200 }
                }
              }
            }
            """,
            "cat.png": "meow", "user.json": #"{"name":"Ada"}"#, "login.netrc": "default login ada password x",
            "ids.csv": "id\n7\n",
        ]
    }
}
