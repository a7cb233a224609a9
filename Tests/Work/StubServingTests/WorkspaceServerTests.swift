import Exchange
import Foundation
import RequestBuilding
import StubServing
import TestSupport
import Testing

@Suite("A server of a workspace's stubs for tests")
struct WorkspaceServerTests {
    private static let endpoints = #"""
        { "endpoints": {
          "feed": { "path": "user/{{id}}/feed", "params": { "id": { "type": "integer" } },
            "stubs": { "default": "standard", "variants": {
              "standard": { "json": [1] }, "empty": { "json": [] }, "cut": { "like": "standard", "error": "truncated" },
              "large": { "file": "large.txt" },
              "filled": { "when": { "params": { "id": { ">": 1000 } } }, "fill": true, "json": { "id": "{{id}}" } },
              "turns": { "sequence": ["empty", "standard"], "then": "fail" } } } },
          "create": { "method": "POST", "path": "user", "body": { "json": { "name": "{{name}}" } },
            "params": { "name": { "type": "string", "minLength": 2 } },
            "stubs": { "variants": { "created": { "status": 201 } } } } } }
        """#

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "endpoints/user.json": Self.endpoints,
            "environments/development.json": #"{ "baseURL": "https://api.example.com/v1" }"#,
            "environments/other.json":
                #"{ "baseURL": "https://api.example.com/v2", "stubs": { "user.feed": "empty" } }"#,
            "stubs/large.txt": String(repeating: "0123456789", count: 20_000),
        ])
    }

    private func text(_ builder: RequestBuilder, _ server: StubServer) async throws -> String {
        let response = try await APIClient(baseURL: server.url, transport: URLSessionTransport()).send(builder)
        let body = String(decoding: try await response.body.data(), as: UTF8.self)
        return "\(response.status) \(response.headers["X-Reqcli-Stub"] ?? "") \(body)"
    }

    @Test("The variants of the workspace respond, as conditions, placeholders and files say")
    func variants() async throws {
        let server = try await StubServer(workspace: folder.path)
        #expect(try await text(.get("v1/user/1/feed"), server) == "200 user.feed=standard [1]")
        #expect(try await text(.get("v1/user/2000/feed"), server) == #"200 user.feed=filled {"id":2000}"#)
        #expect(try await text(.get("v1/nothing"), server).hasPrefix("404 none {"))
        #expect(try await text(.post("v1/user").jsonBody(["name": "Ada"]), server) == "201 user.create=created ")
        #expect(server.requests.map(\.name) == ["user.feed", "user.feed", nil, "user.create"])
        #expect(try await server.wait(for: .named("user.feed"), count: 2).count == 2)
        await server.stop()
    }

    @Test("With a seed and a time, servers fill responses with the same values, and without them with others")
    func seed() async throws {
        _ = try folder.write(
            "endpoints/any.json",
            #"{ "path": "any", "stubs": { "variants": { "x": { "fill": true, "text": "{{$uuid}} {{$random.hex 8}} {{$now | iso}}" } } } }"#
        )
        var all: [[String]] = []
        for seed in ["a", "a", "b", nil] {
            let server = try await StubServer(
                workspace: folder.path, seed: seed, time: Date(timeIntervalSince1970: 1_767_225_600))
            all.append([try await text(.get("v1/any"), server), try await text(.get("v1/any"), server)])
            await server.stop()
        }
        #expect(all[0] == all[1] && Set(all.flatMap(\.self)).count == 6, "\(all)")
        #expect(all.flatMap(\.self).allSatisfy { $0.hasSuffix(" 2026-01-01T00:00:00Z") }, "\(all)")
    }

    @Test("An environment has its own base path and its own variants")
    func environment() async throws {
        let server = try await StubServer(workspace: folder.path, environment: "other")
        #expect(try await text(.get("v2/user/1/feed"), server) == "200 user.feed=empty []")
        await server.stop()
    }

    @Test("A name of a page's own for this machine gets nothing")
    func foreignHost() async throws {
        let server = try await StubServer(workspace: folder.path)
        let rows = [("evil.test", "403"), ("localhost:1", "200"), ("a.localhost", "200"), ("[::1]:80", "200")]
        for (host, status) in rows {
            let request = RequestBuilder.get("v1/user/1/feed").header("Host", host)
            #expect(try await text(request, server).hasPrefix(status), "\(host)")
        }
        let wrong = #expect(throws: StubServerError.self) { try server.verify() }
        #expect(
            wrong?.description == #"GET /v1/user/1/feed: the host "evil.test" is not a name of this machine"#)
        await server.stop()
    }

    @Test("A test chooses a variant, and takes the choice back")
    func choice() async throws {
        let server = try await StubServer(workspace: folder.path)
        let feed = RequestBuilder.get("v1/user/2000/feed")
        try server.choose("large", for: "user.feed")
        #expect(try await text(feed, server).utf8.count == 200_000 + "200 user.feed=large ".utf8.count)
        try server.choose("turns", for: "user.f*")
        var answers: [String] = []
        for _ in 0..<3 { answers.append(String(try await text(feed, server).prefix(23))) }
        #expect(answers == ["200 user.feed=turns []", "200 user.feed=turns [1]", #"500 none {"title":"the "#])
        try server.choose("cut", for: "user.feed")
        await #expect(throws: TransportError.self) { try await text(feed, server) }
        try server.choose(nil, for: "user.feed")
        #expect(try await text(feed, server).hasPrefix("200 user.feed=filled"))
        await server.stop()
    }

    @Test("A choice of what doesn't exist says what there is")
    func unknownChoice() async throws {
        let server = try await StubServer(workspace: folder.path)
        let variant = #expect(throws: StubServerError.self) { try server.choose("emty", for: "user.feed") }
        #expect(variant?.description.contains("did you mean \"empty\"?") == true)
        let endpoint = #expect(throws: StubServerError.self) { try server.choose("empty", for: "user.feeds") }
        #expect(endpoint?.description.contains("no endpoint \"user.feeds\" is served") == true)
        await server.stop()
    }

    @Test("Requests are verified: wrong ones, unknown ones, and calls that didn't come")
    func verification() async throws {
        let server = try await StubServer(workspace: folder.path)
        let nothing = #expect(throws: StubServerError.self) { try server.verify() }
        #expect(nothing?.description == "no request was received")
        _ = try await text(.get("v1/user/1/feed"), server)
        try server.verify(["user.feed": 1...1, "user.create": 0...0])
        _ = try await text(.post("v1/user").jsonBody(["name": "A"]), server)
        _ = try await text(.get("v1/users"), server)
        let wrong = #expect(throws: StubServerError.self) { try server.verify(["user.create": 1...1]) }
        let lines = wrong?.description.split(separator: "\n") ?? []
        #expect(lines.count == 3)
        #expect(lines.first?.contains(#"name must have at least 2 characters; found "A""#) == true)
        #expect(lines.first?.hasSuffix("endpoints/user.json:9:17") == true, "\(lines)")
        #expect(
            lines.dropFirst() == ["GET /v1/users: no endpoint", "user.create: 1 call expected, no valid call received"])
        let unknown = #expect(throws: StubServerError.self) { try server.verify(["user.creat": 1...1]) }
        #expect(unknown?.description.contains("did you mean \"user.create\"?") == true)
        await server.stop()
    }

    @Test("A page of this machine may read the responses, and its question is answered")
    func pages() async throws {
        let server = try await StubServer(workspace: folder.path)
        let client = APIClient(baseURL: server.url, transport: URLSessionTransport())
        let origin = RequestBuilder.get("v1/user/1/feed").header("Origin", "http://localhost:5173")
        #expect(try await client.send(origin).headers["Access-Control-Allow-Origin"] == "http://localhost:5173")
        var question = try origin.header("Access-Control-Request-Method", "GET").prepared(baseURL: server.url)
        question.method = .options
        let response = try await client.send(question)
        #expect(response.status == 204 && response.headers["Access-Control-Allow-Methods"] == "GET")
        await server.stop()
    }

    // MARK: Mistakes

    @Test(
        "Mistakes are found before the server starts",
        arguments: [
            ("environments/development.json", #"{ "baseURL": "#, nil, "environments/development.json:1:"),
            ("endpoints/more.json", #"{ "pathh": "a" }"#, nil, "did you mean \"path\""),
            (
                "endpoints/more.json", #"{ "path": "/__reqcli/a" }"#, nil,
                "paths below /__reqcli/ are reserved for the server"
            ),
            ("reqcli.json", #"{ "environment": "nowhere" }"#, nil, "there is no environment \"nowhere\""),
            ("README", "", "othr", "did you mean \"other\""),
        ] as [(String, String, String?, String)])
    func mistakes(_ file: String, _ content: String, _ environment: String?, _ message: String) async throws {
        try folder.write(file, content)
        let error = await #expect(throws: StubServerError.self) {
            try await StubServer(workspace: folder.path, environment: environment)
        }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("A folder that is no workspace is named")
    func missingFolder() async throws {
        let error = await #expect(throws: StubServerError.self) {
            try await StubServer(workspace: "\(folder.path)/nothing")
        }
        #expect(
            error?.description
                == "there is no folder \"\(folder.path)/nothing\": name the folder that contains \"endpoints\"")
    }

    @Test("A server of rules has no endpoints to choose for")
    func rules() async throws {
        let server = try await StubServer(StubTransport().stubbingRest(Stub(status: 204)))
        #expect(throws: StubServerError.self) { try server.choose("empty", for: "user.feed") }
        #expect(throws: StubServerError.self) { try server.verify() }
        await server.stop()
    }

    @Test("A page may read the refusal of a request that is none")
    func refusedPage() async throws {
        let server = try await StubServer(workspace: folder.path)
        let client = APIClient(baseURL: server.url, transport: URLSessionTransport())
        let response = try await client.send(.get("a").header("Origin", "http://localhost:9").header("Expect", "x"))
        #expect(response.status == 417)
        #expect(response.headers["Access-Control-Allow-Origin"] == "http://localhost:9")
        await server.stop()
    }
}
