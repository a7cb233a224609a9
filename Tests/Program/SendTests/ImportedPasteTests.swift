import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Commands as browsers copy them become endpoints as people write them.
@Suite struct ImportedPasteTests {
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl"

    private static let bash = #"""
        curl 'ORIGIN/api/v2/projects/8412/tasks?include=assignee&notify=true' \
          -H 'accept: application/json, text/plain, */*' \
          -H 'accept-language: en-GB,en;q=0.9,de;q=0.8' \
          -H 'authorization: Bearer TOKEN' \
          -H 'cache-control: no-cache' \
          -H 'content-type: application/json' \
          -b '_ga=GA1.2.1111.2222; session_id=9f8e7d6c5b4a3f2e1d0c; theme=dark' \
          -H 'dnt: 1' \
          -H 'origin: ORIGIN' \
          -H 'pragma: no-cache' \
          -H 'priority: u=1, i' \
          -H 'referer: ORIGIN/projects/8412' \
          -H 'sec-ch-ua: "Chromium";v="128", "Not;A=Brand";v="24"' \
          -H 'sec-ch-ua-mobile: ?0' \
          -H 'sec-ch-ua-platform: "macOS"' \
          -H 'sec-fetch-dest: empty' \
          -H 'sec-fetch-mode: cors' \
          -H 'sec-fetch-site: same-origin' \
          -H 'user-agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/128.0.0.0 Safari/537.36' \
          -H 'x-csrf-token: Zk3lq9' \
          -H 'x-requested-with: XMLHttpRequest' \
          --data-raw $'{"title":"50% \'off\' & more","assigneeId":17,"labels":["q3"],"private":false}'
        """#

    private static let cmd = #"""
        curl ^"ORIGIN/api/v2/projects/8412/tasks?include=assignee^&notify=true^" ^
          -H ^"accept: application/json, text/plain, */*^" ^
          -H ^"accept-language: en-GB,en;q=0.9^" ^
          -H ^"authorization: Bearer TOKEN^" ^
          -H ^"content-type: application/json^" ^
          -b ^"_ga=GA1.2.1111.2222; session_id=9f8e7d6c5b4a3f2e1d0c; theme=dark^" ^
          -H ^"origin: ORIGIN^" ^
          -H ^"sec-ch-ua: ^\^"Chromium^\^";v=^\^"128^\^", ^\^"Not;A=Brand^\^";v=^\^"24^\^"^" ^
          -H ^"sec-fetch-site: same-origin^" ^
          -H ^"user-agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64)^" ^
          -H ^"x-csrf-token: Zk3lq9^" ^
          -H ^"x-requested-with: XMLHttpRequest^" ^
          --data-raw ^"^{^\^"title^\^":^\^"50^% 'off' ^& more^\^",^\^"assigneeId^\^":17,^\^"labels^\^":^[^\^"q3^\^"^],^\^"private^\^":false^}^"
        """#

    private static func endpoint(_ origin: String, auth: String = #""auth": { "bearer": "{{secret.token}}" },"#)
        -> String
    {
        """
        {
          "endpoints": {
            "create-tasks": {
              "method": "POST",
              "path": "projects/{{id}}/tasks",
              "params": { "id": { "type": "integer", "default": 8412 } },
              "query": { "include": "assignee", "notify": "true" },
              "headers": {
                "accept": "application/json, text/plain, */*",
                "origin": "\(origin)",
                "x-csrf-token": "{{secret.csrfToken}}",
                "x-requested-with": "XMLHttpRequest",
                "Cookie": "{{secret.cookie}}"
              },
              \(auth)
              "body": {
                "json": {
                  "title": "50% 'off' & more",
                  "assigneeId": 17,
                  "labels": ["q3"],
                  "private": false
                }
              }
            }
          }
        }

        """.split(separator: "\n", omittingEmptySubsequences: false).filter { $0 != "      " }.joined(separator: "\n")
    }

    private static func filled(_ paste: String, _ origin: String) -> String {
        paste.replacing("ORIGIN", with: origin).replacing("TOKEN", with: token)
    }

    private static func text(_ workspace: ToolWorkspace, _ path: String) -> String {
        String(decoding: workspace.read(path) ?? [], as: UTF8.self)
    }

    @Test("A browser's command gives the same endpoint and the same request from every shell", arguments: [bash, cmd])
    func browser(_ paste: String) async throws {
        let server = try RecordingServer()
        let origin = "http://127.0.0.1:\(server.port)"
        let workspace = try ToolWorkspace([
            "endpoints/.keep": "", ".gitignore": ".env\n", "copied.txt": Self.filled(paste, origin),
        ])
        let run = try await Tool.run(["import", "copied.txt", "--save-secrets"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.contains("sends something else"), "\(run.errors)")
        #expect(Self.text(workspace, "endpoints/projects.json") == Self.endpoint(origin))
        #expect(Self.text(workspace, "environments/development.json").contains(#""baseURL": "\#(origin)/api/v2""#))
        let everything =
            run.outputText + run.errors + Self.text(workspace, "endpoints/projects.json")
            + Self.text(workspace, "environments/development.json")
        #expect([Self.token, "9f8e7d6c5b4a3f2e1d0c", "Zk3lq9"].allSatisfy { !everything.contains($0) })
        _ = try await Tool.run(["send", "projects.create-tasks", "--yes"], in: workspace)
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST")
        #expect(sent.target == "/api/v2/projects/8412/tasks?include=assignee&notify=true")
        #expect(
            String(decoding: sent.body, as: UTF8.self)
                == #"{"title":"50% 'off' & more","assigneeId":17,"labels":["q3"],"private":false}"#)
        let expected = [
            "accept": "application/json, text/plain, */*", "authorization": "Bearer \(Self.token)",
            "content-type": "application/json", "origin": origin, "x-csrf-token": "Zk3lq9",
            "x-requested-with": "XMLHttpRequest",
            "cookie": "_ga=GA1.2.1111.2222; session_id=9f8e7d6c5b4a3f2e1d0c; theme=dark",
        ]
        let own: Set = ["host", "user-agent", "content-length", "accept-encoding"]
        let headers = sent.headers.map { ($0.name.lowercased(), $0.value) }.filter { !own.contains($0.0) }
        #expect(Dictionary(uniqueKeysWithValues: headers) == expected)
    }

    @Test("At the server of an environment with credentials of this kind, an endpoint has none of its own")
    func credentials() async throws {
        let origin = "https://app.example.com"
        let workspace = try ToolWorkspace([
            "endpoints/.keep": "", "copied.txt": Self.filled(Self.bash, origin),
            "environments/staging.json": """
            {
              "baseURL": "\(origin)/api/v2",
              "auth": { "bearer": "{{secret.token}}" },
              "secrets": { "token": { "env": "STAGING_TOKEN" } }
            }
            """,
        ])
        let run = try await Tool.run(["import", "copied.txt", "--env", "staging"], in: workspace)
        #expect(run.status == 0)
        #expect(run.errors.contains("which replace the imported ones (Authorization)"), "\(run.errors)")
        #expect(!run.errors.contains("sends something else"), "\(run.errors)")
        #expect(Self.text(workspace, "endpoints/projects.json") == Self.endpoint(origin, auth: ""))
        #expect(!Self.text(workspace, "environments/staging.json").contains("token2"))
    }

    @Test("A second command for the same server uses the secrets that the first one has made")
    func second() async throws {
        let origin = "https://app.example.com"
        let workspace = try ToolWorkspace([
            "endpoints/.keep": "", "copied.txt": Self.filled(Self.bash, origin),
            "environments/development.json": """
            {
              "baseURL": "\(origin)/api/v2",
              "secrets": {
                "token": { "env": "USER_TOKEN" }, "cookie": { "env": "USER_COOKIE" },
                "csrfToken": { "env": "USER_CSRF_TOKEN" }
              }
            }
            """,
        ])
        let before = workspace.read("environments/development.json")
        let run = try await Tool.run(["import", "copied.txt"], in: workspace)
        #expect(run.status == 0)
        #expect(
            run.errors.contains("which replace the imported ones (x-csrf-token, Cookie, Authorization)"),
            "\(run.errors)")
        #expect(!run.errors.contains("sends something else"), "\(run.errors)")
        #expect(Self.text(workspace, "endpoints/projects.json") == Self.endpoint(origin))
        #expect(workspace.read("environments/development.json") == before)
    }

    @Test("An endpoint for another server keeps it in the file of a group that exists")
    func otherServer() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/projects.json": #"{ "endpoints": { "list": { "path": "projects" } } }"#,
            "environments/development.json": #"{ "baseURL": "http://localhost:3000/api" }"#,
            "copied.txt": Self.filled(Self.bash, "https://app.example.com"),
        ])
        let run = try await Tool.run(["import", "copied.txt"], in: workspace)
        #expect(run.status == 0)
        #expect(!run.errors.contains("sends something else"), "\(run.errors)")
        #expect(
            Self.text(workspace, "endpoints/projects.json").contains(
                #""baseURL": "https://app.example.com/api/v2""#))
    }

    @Test("An operation of GraphQL is one in the endpoint, and names it")
    func graphQL() async throws {
        let workspace = try ToolWorkspace(["endpoints/.keep": ""])
        let body =
            #"{"operationName":"GetOrder","variables":{"id":1},"query":"query GetOrder($id: ID!) { order(id: $id) { id } }"}"#
        let run = try await Tool.run(
            [
                "import", "curl", "--", "curl", "https://app.example.com/graphql", "-H",
                "Content-Type: application/json",
                "--data-raw", body,
            ], in: workspace)
        #expect(run.errors == "")
        #expect(run.outputText.contains("graphql.get-order"))
        let written = Self.text(workspace, "endpoints/graphql.json")
        #expect(written.contains(#""operationName": "GetOrder""#))
        #expect(written.contains(#""variables": { "id": 1 }"#))
    }
}
