import Foundation
import HostileServing
import Testing
import ToolSupport

/// An API with 30 faults that can be switched on: `drift` and `check --probe` find each of them, and nothing else.
@Suite(.serialized) struct SeededFaultTests {
    /// What a fault changes: the body of a response, or the status that a call gets.
    fileprivate enum Change: Sendable {
        case body(String, String)
        case status(Int, @Sendable (Call) -> Bool)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The finding of `drift`, or the failure of `check --probe`.
        let finding: String
        fileprivate let change: Change

        var isDrift: Bool { if case .body = change { true } else { false } }

        fileprivate init(_ name: String, _ old: String, _ new: String, _ finding: String) {
            (testDescription, self.finding, change) = (name, finding, .body(old, new))
        }

        fileprivate init(_ name: String, _ probe: String, _ status: Int, _ arrives: @escaping @Sendable (Call) -> Bool)
        {
            (testDescription, finding, change) = (name, "\(probe): \(status)", .status(status, arrives))
        }
    }

    static let drifting = [
        Fault(
            "a member is gone", #""mail": "bob@example.com","#, "",
            "user.get standard: gone $.mail: an email address, nothing"),
        Fault(
            "a member of an object is gone", #", "city": "Lyon""#, "",
            "user.get standard: gone $.address.city: a string, nothing"),
        Fault(
            "a member of all elements is gone", #", "currency": "EUR""#, "",
            "order.search standard: gone $.items[*].currency: a string, nothing"),
        Fault(
            "a number is a string", #""age": 41"#, #""age": "41""#,
            "user.get standard: type $.age: a number, a string"),
        Fault(
            "a string is a number", #""name": "Bob""#, #""name": 7"#,
            "user.get standard: type $.name: a string, a number"),
        Fault(
            "a boolean is a string", #""active": false"#, #""active": "no""#,
            "user.get standard: type $.active: a boolean, a string"),
        Fault(
            "an object is a list", #"{"theme": "light"}"#, "[]",
            "user.get standard: type $.settings: an object, a list"),
        Fault(
            "a list is an object", #"["x"]"#, #"{"first": "x"}"#,
            "user.get standard: type $.tags: a list, an object"),
        Fault(
            "one element of several has another type", #""sum": 2.5"#, #""sum": "2.5""#,
            "order.search standard: type $.items[*].sum: a number, a string or a number"),
        Fault(
            "a value of a map has another type", #""rice": 3"#, #""rice": [3]"#,
            "price.list standard: type $.byName.*: a number, a list or a number"),
        Fault(
            "a member is null", #""phone": "030""#, #""phone": null"#,
            "user.get standard: null $.phone: a string, null"),
        Fault(
            "an element is null", #"["admin", "editor"]"#, #"["admin", null]"#,
            "user.get standard: null $.roles[*]: a string, a string or null"),
        Fault(
            "a moment is a text", "2025-01-02T03:04:05Z", "yesterday",
            "user.get standard: format $.created: a date-time, a string"),
        Fault(
            "a URI in a list is a path", "https://example.com/orders/2", "/orders/2",
            "order.search standard: format $.items[*].link: a URI, a string"),
        Fault(
            "an email address in a map by numbers is a name", "eve@example.com", "Eve",
            "price.list standard: format $.byNumber.*.contact: an email address, a string"),
    ]

    static let careless = [
        Fault("no upper bound", "user.list/probe:limit=101", 200) { $0["limit"] == "101" },
        Fault("no lower bound", "user.list/probe:limit=0", 200) { $0["limit"] == "0" },
        Fault("a fraction for a whole number", "user.list/probe:limit=20.5", 200) { $0["limit"] == "20.5" },
        Fault("the upper bound is refused", "user.list/probe:limit=100", 400) { $0["limit"] == "100" },
        Fault("the lower bound is refused", "user.list/probe:limit=1", 422) { $0["limit"] == "1" },
        Fault("any word of an enum", "user.list/probe:sort=abc", 200) { $0["sort"] == "abc" },
        Fault("a word of the enum is refused", "user.list/probe:sort=desc", 404) { $0["sort"] == "desc" },
        Fault("a required param left out", "user.list/probe:tag left out", 200) {
            $0.path == "/users" && $0["tag"] == nil
        },
        Fault("a crash on bad input", "user.list/probe:active=abc", 500) { $0["active"] == "abc" },
        Fault("no pattern", "user.list/probe:code=~~~", 200) { $0["code"] == "~~~" },
        Fault("no longest text", "user.list/probe:word=adaaaa", 302) { $0["word"] == "adaaaa" },
        Fault("any number in a path", "user.get/probe:id=0", 200) { $0.path == "/users/0" },
        Fault("a keyword of a schema", "order.search/probe:filter against properties.limit.minimum", 200) {
            $0["filter"] == #"{"limit":0,"user":{"id":7}}"#
        },
        Fault("a keyword behind a reference", "order.search/probe:filter against properties.user.$ref.required", 200) {
            $0["filter"] == #"{"limit":5,"user":{}}"#
        },
        Fault("a member of a body left out", "order.create/probe:count left out", 201) { $0.body == #"{"sku":"A1"}"# },
    ]

    // MARK: The API

    fileprivate struct Call {
        let method: String
        let path: String
        let query: [String: String]
        let body: String

        init(_ request: HostileServer.Request) {
            let words = request.line.split(separator: " ").map(String.init)
            let url = URLComponents(string: words[1])
            method = words[0]
            path = url?.path ?? ""
            query = Dictionary((url?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
            body = String(decoding: request.body, as: UTF8.self)
        }

        subscript(name: String) -> String? { query[name] }

        /// What a server without faults answers.
        var status: Int {
            switch (method, path) {
            case ("POST", "/orders"):
                return [#"{"sku":"A1","count":2}"#, #"{"sku":"A1","count":1}"#].contains(body) ? 201 : 400
            case ("GET", "/users"): return isRightList ? 200 : 400
            case ("GET", "/orders"): return self["filter"] == #"{"limit":5,"user":{"id":7}}"# ? 200 : 422
            case ("GET", "/prices"): return 200
            case ("GET", _) where path.hasPrefix("/users/"): return (Int(path.dropFirst(7)) ?? 0) > 0 ? 200 : 404
            default: return 404
            }
        }

        private var isRightList: Bool {
            guard let limit = Int(self["limit"] ?? ""), (1...100).contains(limit), self["tag"] == "new" else {
                return false
            }
            let word = self["word"] ?? "", code = self["code"] ?? ""
            return ["asc", "desc", nil].contains(self["sort"]) && ["true", "false", nil].contains(self["active"])
                && (2...5).contains(word.count) && code.count == 3 && code.allSatisfy(\.isUppercase)
        }

        /// The stubs with other values.
        var answer: String {
            switch path {
            case "/users": #"[{"id": 2, "name": "Dan"}, {"id": 3, "name": "Cem"}]"#
            case "/orders" where method == "POST": #"{"id": 12}"#
            case "/orders":
                """
                {"items": [
                  {"sum": 1, "link": "https://example.com/orders/1", "currency": "EUR"},
                  {"sum": 2.5, "link": "https://example.com/orders/2", "currency": "EUR"}]}
                """
            case "/prices":
                #"{"byName": {"rice": 3, "salt": 1}, "byNumber": {"2001": {"contact": "eve@example.com"}}}"#
            default:
                """
                {"id": 5, "name": "Bob", "mail": "bob@example.com", "age": 41, "active": false, "phone": "030",
                 "created": "2025-01-02T03:04:05Z", "roles": ["admin", "editor"], "tags": ["x"],
                 "settings": {"theme": "light"}, "address": {"street": "Rue 1", "city": "Lyon"}}
                """
            }
        }
    }

    private static func server(_ faults: [Fault]) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let call = Call(request)
                var (status, answer) = (call.status, call.answer)
                for fault in faults {
                    switch fault.change {
                    case .body(let old, let new): answer = answer.replacingOccurrences(of: old, with: new)
                    case .status(let other, let arrives): if arrives(call) { status = other }
                    }
                }
                connection.respond(status, ["Content-Type: application/json"], body: answer)
            }
        }
    }

    private static func workspace(_ port: Int) throws -> ToolWorkspace {
        try ToolWorkspace([
            "environments/development.json":
                #"{"baseURL": "http://127.0.0.1:\#(port)", "policy": {"probe": true}}"#,
            "endpoints/user.json": """
            {"endpoints": {
              "list": {
                "path": "/users", "expect": {"status": 200},
                "params": {
                  "limit": {"type": "integer", "minimum": 1, "maximum": 100, "example": 20},
                  "sort": {"type": "string", "enum": ["asc", "desc"], "required": false},
                  "tag": {"type": "string", "example": "new"},
                  "active": {"type": "boolean", "required": false},
                  "code": {"type": "string", "pattern": "[A-Z]{3}", "default": "ABC"},
                  "word": {"type": "string", "minLength": 2, "maxLength": 5, "default": "ada"}},
                "query": {"limit": "{{limit}}", "sort": "{{sort}}", "tag": "{{tag}}", "active": "{{active}}",
                          "code": "{{code}}", "word": "{{word}}"},
                "stubs": {"variants": {"standard": {"json": [{"id": 1, "name": "Ada"}]}}}},
              "get": {
                "path": "/users/{{id}}", "expect": {"status": 200},
                "params": {"id": {"type": "integer", "minimum": 1, "example": 5}},
                "stubs": {"variants": {"standard": {"json": {
                  "id": 1, "name": "Ada", "mail": "ada@example.com", "age": 36, "active": true, "phone": "040",
                  "created": "2026-11-23T16:11:39Z", "roles": ["admin"], "tags": ["a", "b"],
                  "settings": {"theme": "dark"}, "address": {"street": "Road 2", "city": "London"}}}}}}
            }}
            """,
            "endpoints/order.json": """
            {"endpoints": {
              "search": {
                "path": "/orders", "expect": {"status": 200}, "query": {"filter": "{{filter}}"},
                "params": {"filter": {
                  "type": "json", "example": {"limit": 5, "user": {"id": 7}},
                  "schema": {
                    "type": "object", "required": ["user"],
                    "properties": {"limit": {"type": "integer", "minimum": 1}, "user": {"$ref": "#/$defs/user"}},
                    "$defs": {"user": {"type": "object", "required": ["id"]}}}}},
                "stubs": {"variants": {"standard": {"json": {"items": [
                  {"sum": 12.5, "link": "https://example.com/orders/9", "currency": "USD"}]}}}}},
              "create": {
                "method": "POST", "path": "/orders", "expect": {"status": 201},
                "params": {"sku": {"type": "string", "example": "A1"},
                           "count": {"type": "integer", "minimum": 1, "example": 2}},
                "body": {"json": {"sku": "{{sku}}", "count": "{{count}}"}},
                "stubs": {"variants": {"standard": {"status": 201, "json": {"id": 1}}}}}
            }}
            """,
            "endpoints/price.json": """
            {"endpoints": {"list": {
              "path": "/prices", "expect": {"status": 200},
              "stubs": {"variants": {"standard": {
                "json": {"byName": {"tea": 2, "milk": 1}, "byNumber": {"1001": {"contact": "ada@example.com"}}},
                "drift": {"maps": ["$.byName"]}}}}}}}
            """,
        ])
    }

    // MARK: What is found

    private struct DriftJSON: Decodable {
        struct Stub: Decodable {
            let id: String
            let verdict: String
            let findings: [Finding]
        }

        struct Finding: Decodable {
            let kind: String
            let path: String
            let stub: String?
            let response: String?
        }

        let stubs: [Stub]
    }

    private struct CheckJSON: Decodable {
        struct Case: Decodable {
            let id: String
            let verdict: String
            let response: Response?
        }

        struct Response: Decodable { let status: Int }

        let cases: [Case]
    }

    private static func drift(_ workspace: ToolWorkspace, status: Int32) async throws -> [String] {
        let run = try await Tool.run(["drift", "--json"], in: workspace)
        #expect(run.status == status, "\(run.outputText) \(run.errors)")
        let stubs = try JSONDecoder().decode(DriftJSON.self, from: Data(run.outputText.utf8)).stubs
        #expect(stubs.count == 5)
        for stub in stubs { #expect(stub.verdict == (stub.findings.isEmpty ? "same" : "drifted"), "\(stub.id)") }
        return stubs.flatMap { stub in
            stub.findings.map {
                "\(stub.id): \($0.kind) \($0.path): \($0.stub ?? "nothing"), \($0.response ?? "nothing")"
            }
        }
    }

    private static func probe(_ workspace: ToolWorkspace, status: Int32) async throws -> [String] {
        let run = try await Tool.run(["check", "--probe", "--report", "json=report.json", "--quiet"], in: workspace)
        #expect(run.status == status, "\(run.outputText) \(run.errors)")
        let report = try #require(workspace.read("report.json"))
        let cases = try JSONDecoder().decode(CheckJSON.self, from: Data(report)).cases
        #expect(cases.count == 39)
        #expect(cases.allSatisfy { ["passed", "failed"].contains($0.verdict) })
        return cases.filter { $0.verdict == "failed" }.map { "\($0.id): \($0.response?.status ?? 0)" }
    }

    @Test("A server without faults is green")
    func green() async throws {
        let server = try Self.server([])
        defer { server.stop() }
        let workspace = try Self.workspace(server.port)
        #expect(try await Self.drift(workspace, status: 0) == [])
        #expect(try await Self.probe(workspace, status: 0) == [])
    }

    @Test("Each fault alone is found, and nothing else", arguments: drifting + careless)
    func alone(_ fault: Fault) async throws {
        let server = try Self.server([fault])
        defer { server.stop() }
        let workspace = try Self.workspace(server.port)
        let found =
            fault.isDrift
            ? try await Self.drift(workspace, status: 1) : try await Self.probe(workspace, status: 1)
        #expect(found == [fault.finding])
    }

    @Test("All faults together are found, and nothing else")
    func together() async throws {
        let server = try Self.server(Self.drifting + Self.careless)
        defer { server.stop() }
        let workspace = try Self.workspace(server.port)
        #expect(try await Self.drift(workspace, status: 1).sorted() == Self.drifting.map(\.finding).sorted())
        #expect(try await Self.probe(workspace, status: 1).sorted() == Self.careless.map(\.finding).sorted())
        #expect(Self.drifting.count + Self.careless.count == 30)
    }
}
