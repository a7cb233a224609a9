import ReqcliAssembly
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// What reqcli was founded on, asked of the repository's own endpoints and environments.
@Suite("The repository's own requests")
struct OriginsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let id: String
        let arguments: [String]
        let line: String
        var body: String?

        init(_ id: String, _ arguments: [String] = [], makes line: String, body: String? = nil) {
            self.id = id
            self.arguments = arguments
            self.line = line
            self.body = body
        }

        var testDescription: String { ([id] + arguments).joined(separator: " ") }
    }

    static let rows = [
        Row("ping", makes: "GET http://localhost:8080/ping"),
        Row("user.get", makes: "GET http://localhost:8080/v3/user"),
        Row("user.create", ["name=Ada"], makes: "POST http://localhost:8080/v3/user", body: #"{"name":"Ada"}"#),
        Row(
            "user.create", ["name=Ada \"A\"", "age=36"], makes: "POST http://localhost:8080/v3/user",
            body: #"{"name":"Ada \"A\"","age":36}"#),
        Row(
            "user.feed", ["userID=123", "ascending=true"],
            makes: "GET http://localhost:8080/v3/user/123/feed?order=ascending"),
        Row(
            "user.feed", ["userID=123", "ascending=false"],
            makes: "GET http://localhost:8080/v3/user/123/feed?order=descending"),
        Row("user.feed", ["userID=123"], makes: "GET http://localhost:8080/v3/user/123/feed?order=descending"),
        Row(
            "users.search", ["city=San Francisco", "maxResults=100"],
            makes: "GET http://localhost:8080/users/search?city=San%20Francisco&maxResults=100"),
        Row("users.search", ["city=München"], makes: "GET http://localhost:8080/users/search?city=M%C3%BCnchen"),
        Row("employee.list", makes: "GET http://localhost:8080/api/v1/employees"),
        Row("employee.get", ["id=1"], makes: "GET http://localhost:8080/api/v1/employee/1"),
        Row(
            "employee.create", ["name=test", "salary=1000", "age=23"],
            makes: "POST http://localhost:8080/api/v1/create",
            body: #"{"name":"test","salary":1000,"age":23}"#),
        Row(
            "employee.update", ["id=1", "salary=1100.50"], makes: "PUT http://localhost:8080/api/v1/update/1",
            body: #"{"salary":1100.50}"#),
        Row("employee.delete", ["id=1"], makes: "DELETE http://localhost:8080/api/v1/delete/1"),
        Row(
            "employee.search", ["name=test", "salary=1000", "age=23"],
            makes: "GET http://localhost:8080/api/v1/search?name=test&salary=1000&age=23"),
        Row(
            "employee.search", ["name=test", "salary=1000"],
            makes: "GET http://localhost:8080/api/v1/search?name=test&salary=1000"),
        Row("employee.search", makes: "GET http://localhost:8080/api/v1/search"),
        Row("todos.list", makes: "GET http://localhost:8080/todos"),
        Row("todos.get", ["id=1"], makes: "GET http://localhost:8080/todos/1"),
        Row(
            "todos.create", ["title=Buy milk"], makes: "POST http://localhost:8080/todos",
            body: #"{"title":"Buy milk","completed":false}"#),
        Row("breeds.list", makes: "GET http://localhost:8080/breeds"),
    ]

    @Test("Each endpoint makes the request that the articles promise", arguments: rows)
    func request(_ row: Row) throws {
        let wire = try Scenario(files: Repository.files(), calling: row.id, row.arguments).wire(in: "development")
        #expect(wire.line == row.line)
        #expect(wire.body == row.body)
        let type = row.body == nil ? [] : ["Content-Type: application/json"]
        #expect(wire.headers == ["Accept: application/json"] + type + ["X-Environment: development"])
    }

    @Test("Every endpoint of the repository has a row here")
    func everyEndpoint() throws {
        let files = try Repository.files()
        let groups = Set(files.keys.filter { $0.hasPrefix("endpoints/") }.map { $0.dropFirst(10).dropLast(5) })
        #expect(Set(Self.rows.map { $0.id.prefix { $0 != "." } }) == groups)
    }

    struct Environment: Sendable, CustomTestStringConvertible {
        let name: String
        let base: String
        let cachePolicy: URLRequest.CachePolicy
        let seconds: Double
        var authorization: [String] = []
        var testDescription: String { name }
    }

    @Test(
        "With no changes the environment's values are used as they are",
        arguments: [
            Environment(
                name: "development", base: "http://localhost:8080", cachePolicy: .reloadIgnoringLocalCacheData,
                seconds: 120),
            Environment(
                name: "staging", base: "https://staging.example.com", cachePolicy: .useProtocolCachePolicy,
                seconds: 60, authorization: ["Authorization: Bearer token"]),
            Environment(
                name: "production", base: "https://api.example.com", cachePolicy: .useProtocolCachePolicy,
                seconds: 30, authorization: ["Authorization: Bearer token"]),
        ])
    func environment(_ environment: Environment) throws {
        var scenario = Scenario(files: try Repository.files(), calling: "ping", [])
        scenario.stub = { $0.stub(variables: ["STAGING_TOKEN": "token", "PRODUCTION_TOKEN": "token"]) }
        let assembled = try scenario.assembled(in: environment.name)
        let wire = Wire(assembled)
        #expect(wire.line == "GET \(environment.base)/ping")
        #expect(
            wire.headers
                == ["Accept: application/json"] + environment.authorization
                + ["X-Environment: \(environment.name)"])
        #expect(wire.body == nil)
        #expect(assembled.request.transfer.cachePolicy == environment.cachePolicy)
        #expect(assembled.request.transfer.timeouts.total == .seconds(environment.seconds))
    }

    @Test("An environment that extends another answers for it")
    func extends() throws {
        let scenario = Scenario(files: try Repository.files(), calling: "user.get", [])
        #expect(try scenario.wire(in: "offline") == scenario.wire(in: "development"))
    }

    struct Path: Sendable, CustomTestStringConvertible {
        let path: String
        let expected: String
        var testDescription: String { path }
    }

    @Test(
        "A path that begins with a slash replaces the base path, any other goes below it",
        arguments: [
            Path(path: #""users""#, expected: "/api/v2/users"),
            Path(path: #""/users""#, expected: "/users"),
            Path(path: #""/""#, expected: "/"),
            Path(path: #""users/""#, expected: "/api/v2/users/"),
            Path(path: #"["users", "1"]"#, expected: "/api/v2/users/1"),
            Path(path: #"[]"#, expected: "/api/v2"),
        ],
        ["http://h/api/v2", "http://h/api/v2/"])
    func basePath(_ row: Path, base: String) throws {
        let wire = try Scenario(#"{"path": \#(row.path)}"#, environment: #"{"baseURL": "\#(base)"}"#).wire()
        let expected = row.path == "[]" && base.hasSuffix("/") ? row.expected + "/" : row.expected
        #expect(wire.target == expected)
    }

    @Test("A body is sent where there is one, and no body is none, not the text null")
    func noBody() throws {
        #expect(try Scenario(#"{"method": "POST"}"#).wire().body == nil)
        #expect(try Scenario(#"{"method": "POST", "body": {"json": null}}"#).wire().body == "null")
        let environment = #"{"baseURL": "http://h"}"#
        #expect(try Scenario(#"{"method": "POST"}"#, environment: environment).wire()[header: "Content-Type"] == nil)
    }

    @Test("Two requests of one endpoint don't influence each other")
    func noStaleState() throws {
        let files = try Repository.files()
        let first = try Scenario(files: files, calling: "employee.search", ["name=a", "age=1"]).wire(in: "development")
        let second = try Scenario(files: files, calling: "employee.search", []).wire(in: "development")
        #expect(first.query == "?name=a&age=1")
        #expect(second.query == "")
    }
}
