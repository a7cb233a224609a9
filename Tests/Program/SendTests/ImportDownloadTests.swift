import Foundation
import HostileServing
import Testing
import ToolSupport

/// `import URL` fetches the source as `send` would, and nothing else.
@Suite(.serialized) struct ImportDownloadTests {
    private static let description = #"""
        {
          "openapi": "3.1.0", "info": { "title": "Shop" }, "servers": [{ "url": "v1" }],
          "paths": { "/orders": { "get": { "operationId": "listOrders",
            "responses": { "200": { "$ref": "parts/responses.json#/ok" } } } } }
        }
        """#

    private static func server(_ body: String = description) throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, body: body) }
        }
    }

    private static func workspace() throws -> ToolWorkspace {
        try ToolWorkspace([
            "endpoints/.keep": "", "environments/development.json": #"{ "headers": { "X-Team": "mine" } }"#,
            "parts/responses.json": #"{ "ok": { "description": "from a file" } }"#,
        ])
    }

    @Test("A description is fetched, its server is seen from its URL, and a file beside it is a note")
    func description() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace()
        let url = "http://127.0.0.1:\(server.port)/docs/openapi.json"
        let run = try await Tool.run(["import", "openapi", "\(url)?format=full#top"], in: workspace)
        #expect(
            run.errors == """
                \(url):4:37: note: the file of a reference can't be read: files next to a URL are not fetched \
                (parts/responses.json#/ok)

                """)
        #expect(run.status == 0)
        let record = try #require(workspace.read("imports/shop.json"))
        #expect(String(decoding: record, as: UTF8.self).contains(#""\#(url)?format=full""#))
        let environment = try #require(workspace.read("environments/development.json"))
        #expect(String(decoding: environment, as: UTF8.self).contains("http://127.0.0.1:\(server.port)/docs/v1"))
        #expect(server.requests.map(\.line) == ["GET /docs/openapi.json?format=full HTTP/1.1"])
        let names = server.requests[0].headerLines.map { $0.prefix { $0 != ":" } }
        #expect(names.sorted() == ["Accept", "Accept-Encoding", "Host", "User-Agent"])
    }

    @Test("An update fetches the recorded URL again, and writes nothing if nothing has changed")
    func update() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace()
        let url = "http://127.0.0.1:\(server.port)/openapi.json"
        #expect(try await Tool.run(["import", url], in: workspace).status == 0)
        let run = try await Tool.run(["import", "--update", "--dry-run"], in: workspace)
        #expect(run.status == 0)
        #expect(run.outputText == "")
        #expect(server.requests.count == 2)
    }

    @Test("Who imports a source again learns how to update")
    func again() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace()
        let url = "http://127.0.0.1:\(server.port)/openapi.json"
        #expect(try await Tool.run(["import", url], in: workspace).status == 0)
        let run = try await Tool.run(["import", url], in: workspace)
        #expect(run.status == 2)
        #expect(run.errors.contains("\"reqcli import --update shop\" imports what has changed."))
        let other = try await Tool.run(["import", url + "?other"], in: workspace)
        #expect(other.status == 2 && !other.errors.contains("--update"))
    }

    @Test("A source of another format is fetched, too")
    func curl() async throws {
        let server = try Self.server("curl https://api.example.com/users/7 -d @data.json")
        defer { server.stop() }
        let workspace = try Self.workspace()
        let run = try await Tool.run(["import", "http://127.0.0.1:\(server.port)/copied.txt"], in: workspace)
        #expect(run.status == 0)
        #expect(workspace.read("endpoints/users.json") != nil)
        #expect(workspace.read("imports") == nil)
    }

    @Test("A redirect is followed, and the server of the description is seen from where it leads")
    func redirect() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isFirst = request.line.hasPrefix("GET /latest ")
                connection.respond(
                    isFirst ? 302 : 200, isFirst ? ["Location: /v7/openapi.json"] : [], body: Self.description)
            }
        }
        defer { server.stop() }
        let workspace = try Self.workspace()
        let url = "http://127.0.0.1:\(server.port)/latest"
        #expect(try await Tool.run(["import", url], in: workspace).status == 0)
        let environment = String(decoding: try #require(workspace.read("environments/development.json")), as: UTF8.self)
        #expect(environment.contains("http://127.0.0.1:\(server.port)/v7/v1"))
        let record = String(decoding: try #require(workspace.read("imports/shop.json")), as: UTF8.self)
        #expect(record.contains("\"\(url)\""))
    }

    @Test(
        "A status that is no success ends the import with the status of such a response",
        arguments: [(404, 4), (401, 4), (503, 5), (304, 6)] as [(Int, Int32)])
    func refused(_ status: Int, _ code: Int32) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(status, body: Self.description) }
        }
        defer { server.stop() }
        let workspace = try Self.workspace()
        let url = "http://127.0.0.1:\(server.port)/openapi.json"
        let run = try await Tool.run(["import", url], in: workspace)
        #expect(run.status == code)
        #expect(
            run.errors.hasPrefix("error: cannot fetch \(url): the server responded with \(status) Some Reason\n"),
            "\(run.errors)")
        #expect(workspace.read("imports/shop.json") == nil)
    }

    @Test(
        "A redirect to anything but http and https is not followed",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/openapi.json", "gopher://127.0.0.1"])
    func foreignRedirect(_ location: String) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(302, ["Location: \(location)"]) }
        }
        defer { server.stop() }
        let run = try await Tool.run(
            ["import", "http://127.0.0.1:\(server.port)/openapi.json"], in: try Self.workspace())
        #expect(run.status == 6)
        #expect(run.errors.contains("cannot follow the redirect of 127.0.0.1"), "\(run.errors)")
        #expect(server.requests.count == 1)
    }

    @Test("Without a server or without a network the import ends with 6 and says why")
    func unreachable() async throws {
        let port = try HostileServer.freePort()
        let url = "http://127.0.0.1:\(port)/openapi.json"
        let run = try await Tool.run(["import", url], in: try Self.workspace())
        #expect(run.status == 6)
        #expect(run.errors.hasPrefix("error: cannot fetch \(url): 127.0.0.1:\(port) refused the connection"))
        let missing = try await Tool.run(["import", "http://nowhere.invalid/openapi.json"], in: try Self.workspace())
        #expect(missing.status == 6)
        #expect(missing.errors.contains("can't find the host nowhere.invalid"), "\(missing.errors)")
    }

    @Test("The proxy of the environment is used")
    func proxy() async throws {
        let proxy = try Self.server()
        defer { proxy.stop() }
        let workspace = try Self.workspace()
        let run = try await Tool.run(
            ["import", "http://api.example.com/openapi.json"], in: workspace,
            environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(proxy.requests.map(\.line) == ["GET http://api.example.com/openapi.json HTTP/1.1"])
    }

    @Test("A body without end is read up to the limit for files", .timeLimit(.minutes(2)))
    func endless() async throws {
        let server = try HostileServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let chunk = [UInt8](repeating: 0x20, count: 1 << 20)
            while connection.send(chunk) {}
        }
        defer { server.stop() }
        let url = "http://127.0.0.1:\(server.port)/openapi.json"
        let run = try await Tool.run(["import", url], in: try Self.workspace())
        #expect(run.status == 2)
        #expect(run.errors == "error: \(url) is larger than 64 MiB\n")
    }

    @Test(
        "A URL that a file must not keep is refused before anything is sent, without its secret",
        arguments: [
            (
                "http://ada:hunter2@127.0.0.1:PORT/openapi.json",
                "import does not accept a URL with a user and a password"
            ),
            (
                "http://127.0.0.1:PORT/openapi.json?api_key=hunter2",
                "\"api_key\" in the query of the URL looks like a secret, which would be written to a file"
            ),
            ("ftp://hunter2@127.0.0.1:PORT/openapi.json", "import fetches URLs that begin with http:// or https://"),
            ("file:///etc/hunter2", "import fetches URLs that begin with http:// or https://"),
        ])
    func unkeepable(_ url: String, _ message: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(
            ["import", "openapi", url.replacing("PORT", with: "\(server.port)")], in: try Self.workspace())
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("error: \(message)\n"), "\(run.errors)")
        #expect(!run.errors.contains("hunter2"))
        #expect(server.requests.isEmpty)
    }
}
