import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import ReqcliMocking

/// Which endpoint a request is for, with the values that it has for params.
@Suite struct RouterTests {
    /// Endpoints of one group, and what becomes of requests.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let endpoints: String
        let request: String
        let expected: String

        init(_ name: String, _ endpoints: String, _ request: String, _ expected: String) {
            self.name = name
            self.endpoints = endpoints
            self.request = request
            self.expected = expected
        }

        var testDescription: String { name }
    }

    static let user = #""params": { "id": { "type": "integer" } }"#

    static let paths: [Case] = [
        Case("a literal path", #""a": { "path": "todos" }"#, "GET /v1/todos", "g.a"),
        Case("without the base path", #""a": { "path": "todos" }"#, "GET /todos", "404"),
        Case("a path from the root", #""a": { "path": "/todos" }"#, "GET /todos", "g.a"),
        Case("a gap is a param", #""a": { "path": "u/{{id}}", \#(user) }"#, "GET /v1/u/42", "g.a id=42"),
        Case("an empty gap is none", #""a": { "path": "u/{{id}}", \#(user) }"#, "GET /v1/u/", "404"),
        Case(
            "a literal comes before a gap",
            #""a": { "path": "u/{{id}}", "params": { "id": { "type": "string" } } }, "b": { "path": "u/me" }"#,
            "GET /v1/u/me", "g.b"),
        Case(
            "what is literal in part comes before a gap",
            #""a": { "path": "{{id}}", "params": { "id": { "type": "string" } } }, "b": { "path": "{{n}}.json", "params": { "n": { "type": "string" } } }"#,
            "GET /v1/x.json", "g.b n=\"x\""),
        Case(
            "precedence goes from the left",
            #""a": { "path": "{{x}}/b", "params": { "x": { "type": "string" } } }, "b": { "path": "a/{{y}}", "params": { "y": { "type": "string" } } }"#,
            "GET /v1/a/b", "g.b y=\"b\""),
        Case(
            "a walk comes back from a literal that leads nowhere",
            #""a": { "path": "a/{{x}}/d", "params": { "x": { "type": "string" } } }, "b": { "path": "a/b/c" }"#,
            "GET /v1/a/b/d", "g.a x=\"b\""),
        Case(
            "a coded slash stays in its segment",
            #""a": { "path": "f/{{p}}", "params": { "p": { "type": "string" } } }"#, "GET /v1/f/a%2Fb", "g.a p=\"a/b\""),
        Case(
            "of two gaps side by side the first one takes a whole character",
            #""a": { "path": "{{x}}{{y}}", "params": { "x": { "type": "string" }, "y": { "type": "string" } } }"#,
            "GET /v1/%C3%A9ab", "g.a x=\"é\" y=\"ab\""),
        Case("case counts", #""a": { "path": "todos" }"#, "GET /v1/Todos", "404"),
        Case("a slash at the end counts", #""a": { "path": "todos" }"#, "GET /v1/todos/", "404"),
        Case("two slashes count", #""a": { "path": "todos" }"#, "GET /v1//todos", "404"),
        Case("a dot segment is refused", #""a": { "path": "todos" }"#, "GET /v1/x/../todos", "400"),
        Case("a coded dot segment is refused", #""a": { "path": "todos" }"#, "GET /v1/%2e%2E/todos", "400"),
        Case(
            "an optional segment is there",
            #""a": { "path": ["u", "{{t}}"], "params": { "t": { "type": "string", "required": false } } }"#,
            "GET /v1/u/x", "g.a t=\"x\""),
        Case(
            "an optional segment is missing",
            #""a": { "path": ["u", "{{t}}"], "params": { "t": { "type": "string", "required": false } } }"#,
            "GET /v1/u", "g.a"),
        Case("another method", #""a": { "method": "POST", "path": "todos" }"#, "GET /v1/todos", "405 OPTIONS POST"),
        Case("GET answers HEAD", #""a": { "path": "todos" }"#, "HEAD /v1/todos", "g.a"),
        Case(
            "an endpoint of its own answers HEAD",
            #""a": { "path": "todos" }, "b": { "method": "HEAD", "path": "todos" }"#, "HEAD /v1/todos", "g.b"),
        Case(
            "another method of a less specific shape",
            #""a": { "method": "POST", "path": "u/me" }, "b": { "path": "u/{{id}}", "params": { "id": { "type": "string" } } }"#,
            "GET /v1/u/me", "g.b id=\"me\""),
    ]

    private static let multipart =
        #""a": { "method": "POST", "path": "u", "body": { "multipart": { "n": "{{n}}", "f": { "file": "x.png" } } }, "params": { "n": { "type": "number" } } }"#

    private static func part(_ name: String, _ value: String) -> String {
        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }

    static let others: [Case] = [
        Case(
            "a literal query item decides",
            #""a": { "path": "s", "query": { "type": "x" } }, "b": { "path": "s", "query": { "type": "y" } }"#,
            "GET /v1/s?type=y", "g.b"),
        Case(
            "without the literal comes the endpoint without it",
            #""a": { "path": "s", "query": { "type": "x" } }, "b": { "path": "s" }"#, "GET /v1/s", "g.b"),
        Case(
            "a type that takes the value decides",
            #""a": { "path": "u/{{id}}", "params": { "id": { "type": "integer" } } }, "b": { "path": "u/{{name}}", "params": { "name": { "type": "string" } } }"#,
            "GET /v1/u/ada", "g.b name=\"ada\""),
        Case(
            "query params, decoded",
            #""a": { "path": "s", "query": { "q": "{{q}}" }, "params": { "q": { "type": "string" } } }"#,
            "GET /v1/s?q=a+b%26c", "g.a q=\"a b&c\""),
        Case(
            "a list",
            #""a": { "path": "s", "query": { "t": "{{t}}" }, "params": { "t": { "type": "list", "items": { "type": "integer" } } } }"#,
            "GET /v1/s?t=1&t=2", "g.a t=[1,2]"),
        Case(
            "a joined list",
            #""a": { "path": "s", "query": { "t": "{{t}}" }, "params": { "t": { "type": "list", "join": ",", "items": { "type": "integer" } } } }"#,
            "GET /v1/s?t=1,2", "g.a t=[1,2]"),
        Case(
            "values of one name, of which one may be missing",
            #""a": { "path": "s", "query": { "q": ["x", "{{o}}", "{{p}}"] }, "params": { "o": { "type": "string", "required": false }, "p": { "type": "string" } } }"#,
            "GET /v1/s?q=x&q=1", "g.a p=\"1\""),
        Case(
            "values of one name, one of them a list",
            #""a": { "path": "s", "query": { "q": ["x", "{{t}}", "y"] }, "params": { "t": { "type": "list", "items": { "type": "integer" } } } }"#,
            "GET /v1/s?q=x&q=1&q=2&q=y", "g.a t=[1,2]"),
        Case(
            "a param in the name of a query item",
            #""a": { "path": "s", "query": "a-{{n}}=1", "params": { "n": { "type": "integer" } } }"#,
            "GET /v1/s?a-7=1", "g.a n=7"),
        Case(
            "a query item with a param in its name, missing",
            #""a": { "path": "s", "query": "a-{{n}}=1", "params": { "n": { "type": "integer" } } }"#,
            "GET /v1/s?b=1", "g.a ! the query item a-{{n}} is missing; g.a has no query item \"b\"; n is missing"),
        Case(
            "a signature in the query",
            #""a": { "path": "s", "auth": { "hmac": { "key": "k", "keyEncoding": "hex", "sign": "a", "query": { "sig": "{{$signature}}" } } } }"#,
            "GET /v1/s?sig=0a", "g.a"),
        Case(
            "a signature of AWS in the query",
            #""a": { "path": "s", "auth": { "aws": { "service": "s3", "region": "r", "accessKeyID": "a", "secretAccessKey": "k", "in": "query" } } }"#,
            "GET /v1/s?X-Amz-Algorithm=A&X-Amz-Credential=a&X-Amz-Date=d&X-Amz-Expires=9&X-Amz-SignedHeaders=host&X-Amz-Signature=0a",
            "g.a"),
        Case(
            "a body with a type of its own",
            #""a": { "method": "POST", "path": "u", "headers": { "Content-Type": "text/x-json; v=1" }, "body": { "json": {} } }"#,
            "POST /v1/u text/x-json {}", "g.a"),
        Case(
            "a body of another type than the endpoint's own",
            #""a": { "method": "POST", "path": "u", "headers": { "Content-Type": "text/x-json; v=1" }, "body": { "json": {} } }"#,
            "POST /v1/u application/json {}", "g.a ! the body is application/json; expected text/x-json"),
        Case(
            "another type of JSON", #""a": { "method": "POST", "path": "u", "body": { "json": {} } }"#,
            "POST /v1/u application/vnd.api+json {}", "g.a"),
        Case(
            "a default",
            #""a": { "path": "s", "query": { "n": "{{n}}" }, "params": { "n": { "type": "integer", "default": 7 } } }"#,
            "GET /v1/s", "g.a n=7"),
        Case(
            "a switch gives its param back",
            #""a": { "path": "s", "query": { "order": { "$switch": "{{up}}", "true": "ascending", "false": "descending" } }, "params": { "up": { "type": "boolean" } } }"#,
            "GET /v1/s?order=descending", "g.a up=false"),
        Case(
            "a value that no case of a switch gives",
            #""a": { "path": "s", "query": { "order": { "$switch": "{{up}}", "true": "ascending", "false": "descending" } }, "params": { "up": { "type": "boolean" } } }"#,
            "GET /v1/s?order=random", "g.a ! the query item order is \"random\"; up is missing"),
        Case("an unknown query item", #""a": { "path": "s" }"#, "GET /v1/s?x=1", "g.a ! g.a has no query item \"x\""),
        Case(
            "a wrong type", #""a": { "path": "u/{{id}}", \#(user) }"#, "GET /v1/u/x",
            "g.a ! id takes a whole number; found \"x\""),
        Case(
            "JSON with params",
            #""a": { "method": "POST", "path": "u", "body": { "json": { "kind": "user", "age": "{{age}}", "tags": "{{tags}}" } }, "params": { "age": { "type": "integer" }, "tags": { "type": "json" } } }"#,
            #"POST /v1/u application/json {"age": 3, "tags": [1], "kind": "user"}"#, "g.a age=3 tags=[1]"),
        Case(
            "JSON literals decide",
            #""a": { "method": "POST", "path": "u", "body": { "json": { "kind": "x" } } }, "b": { "method": "POST", "path": "u", "body": { "json": { "kind": "y" } } }"#,
            #"POST /v1/u application/json {"kind": "y"}"#, "g.b"),
        Case(
            "what is wrong in JSON",
            #""a": { "method": "POST", "path": "u", "body": { "json": { "name": "{{name}}", "age": "{{age}}" } }, "params": { "age": { "type": "integer" }, "name": { "type": "string" } } }"#,
            #"POST /v1/u application/json {"age": "old", "x": 1}"#,
            "g.a ! age takes a whole number; found \"old\"; g.a has no $.x; name is missing"),
        Case(
            "a form",
            #""a": { "method": "POST", "path": "u", "body": { "form": { "n": "{{n}}" } }, "params": { "n": { "type": "number" } } }"#,
            "POST /v1/u application/x-www-form-urlencoded n=1.5", "g.a n=1.5"),
        Case(
            "a form in parts, with a file", multipart,
            "POST /v1/u multipart/form-data;boundary=b "
                + part("n", "1.5") + part("f\"; filename=\"x.png", "\r\nany") + "--b--\r\n", "g.a n=1.5"),
        Case(
            "a wrong form in parts", multipart,
            "POST /v1/u multipart/form-data;boundary=b " + part("n", "x") + part("more", "1") + "--b--\r\n",
            "g.a ! g.a has no form field \"more\"; n takes a number; found \"x\""),
        Case(
            "the wrong kind of body", #""a": { "method": "POST", "path": "u", "body": { "form": { "n": "1" } } }"#,
            #"POST /v1/u application/json {}"#,
            "g.a ! the body is application/json; expected application/x-www-form-urlencoded"),
        Case(
            "a body where there is none", #""a": { "path": "u" }"#, "GET /v1/u text/plain x", "g.a ! g.a sends no body"),
        Case(
            "the operation of GraphQL decides",
            #""a": { "method": "POST", "path": "q", "body": { "graphql": { "query": "query A { a }", "operationName": "A" } } }, "b": { "method": "POST", "path": "q", "body": { "graphql": { "query": "query B { b }", "operationName": "B" } } }"#,
            #"POST /v1/q application/json {"operationName": "B", "query": "query B { b }"}"#, "g.b"),
        Case(
            "a GraphQL document names its operation",
            #""a": { "method": "POST", "path": "q", "body": { "graphql": { "query": "query A { a }" } } }"#,
            #"POST /v1/q application/json {"query": " # query B\nquery A($x: T = \"query C {\") @d(e: 1) { a { b } } fragment F on query { c }"}"#,
            "g.a"),
        Case(
            "another operation of GraphQL",
            #""a": { "method": "POST", "path": "q", "body": { "graphql": { "query": "query A { a }" } } }"#,
            #"POST /v1/q application/json {"query": "query C { a }"}"#,
            #"g.a ! the GraphQL operation is "C"; expected "A""#),
        Case(
            "GraphQL without an operation name",
            #""a": { "method": "POST", "path": "q", "body": { "graphql": { "query": "query A { a }" } } }"#,
            #"POST /v1/q application/json {"query": "{ a }"}"#,
            #"g.a ! the GraphQL operation is not named; expected "A""#),
        Case(
            "GraphQL without a document",
            #""a": { "method": "POST", "path": "q", "body": { "graphql": { "query": "query A { a }" } } }"#,
            #"POST /v1/q application/json {}"#,
            #"g.a ! $.query is missing; the GraphQL operation is not named; expected "A""#),
        Case(
            "a list of GraphQL requests",
            #""a": { "method": "POST", "path": "q", "body": { "graphql": { "query": "query A { a }" } } }"#,
            #"POST /v1/q application/json [1]"#, #"g.a ! the body is an array; expected an object with "query""#),
    ]

    @Test("an endpoint is found by its path and method", arguments: paths)
    func path(_ row: Case) throws { #expect(try Self.route(row) == row.expected) }

    @Test("query, body and types decide among endpoints of one path, and params are read", arguments: others)
    func rest(_ row: Case) throws { #expect(try Self.route(row) == row.expected) }

    @Test("a request without a query is read as one with an empty query, by a shorter way", arguments: paths + others)
    func emptyQuery(_ row: Case) throws {
        guard !row.request.contains("?") else { return }
        var words = row.request.split(separator: " ", maxSplits: 2).map(String.init)
        words[1] += "?"
        let longer = Case(row.name, row.endpoints, words.joined(separator: " "), row.expected)
        #expect(try Self.route(longer) == Self.route(row))
    }

    @Test("a miss names the nearest endpoints, with the first difference")
    func nearest() throws {
        let router = try Self.router(
            #""feed": { "path": "user/{{id}}/feed", "params": { "id": { "type": "string" } } }, "other": { "path": "x" }"#
        )
        let near = router.nearest(to: Self.request("GET /v1/user/42/feeds"))
        #expect(near.map(\.endpoint.id) == ["g.feed", "g.other"])
        #expect(near.first?.path == "/v1/user/{{id}}/feed")
        #expect(near.first?.difference == #"the segment is "feeds", not "feed""#)
    }

    @Test(
        "a miss that only lacks the base path asks for the endpoint",
        arguments: [
            ("GET /user/42/feed", "did you mean GET /v1/user/{{id}}/feed?"), ("HEAD /x", "did you mean GET /v1/x?"),
            ("GET /xx", nil), ("POST /x", nil), ("GET /42", nil), ("GET /v1/user/42/feeds", nil), ("GET /feed", nil),
        ] as [(String, String?)])
    func missingBase(_ request: String, _ question: String?) throws {
        let router = try Self.router(
            #""feed": { "path": "user/{{id}}/feed", "params": { "id": { "type": "string" } } }, "other": { "path": "x" }, "open": { "path": "{{id}}", "params": { "id": { "type": "string" } } }"#
        )
        let near = router.nearest(to: Self.request(request)).first
        #expect(near?.question?.text == question)
        if question != nil { #expect(near?.difference == "the path lacks /v1 at its start") }
        if request == "POST /x" { #expect(near?.difference == "the method is POST, not GET") }
    }

    @Test(
        "the base path that all endpoints share is what stands before their own paths",
        arguments: [
            (#""a": { "path": "x/y" }, "b": { "path": "x/z" }"#, "/v1"), (#""a": { "path": "/v1/x" }"#, nil),
            (#""a": { "path": "x" }, "b": { "path": "/v1/x" }"#, nil), (#""a": { "path": ["x", "y"] }"#, "/v1"),
            (#""a": {}"#, "/v1"), (#""a": { "path": "x", "basePath": "/v1/b" }, "b": { "path": "x" }"#, "/v1"),
        ] as [(String, String?)])
    func basePath(_ endpoints: String, _ expected: String?) throws {
        #expect(try Self.router(endpoints).basePath == expected)
    }

    @Test(
        "a miss is near a literal that differs in two bytes, or in one if it is short",
        arguments: [
            ("feed", "feeds", true), ("feed", "fed", true), ("feed", "FEED", true), ("feed", "fxxd", true),
            ("feed", "news", false), ("me", "mee", true), ("me", "my", true), ("me", "you", false),
            ("v1", "v2", true), ("a", "b", false), ("a", "", false),
        ])
    func nearLiterals(_ literal: String, _ text: String, _ isNear: Bool) {
        #expect(literal.isNear(text) == isNear)
    }

    @Test(
        "an endpoint with a host of its own answers for every host, and first for its own",
        arguments: [
            (nil, "g.b"), ("localhost:8080", "g.b"), ("a.example.com", "g.a"), ("a.example.com:8080", "g.a"),
            ("b.example.com", "g.b"), ("c.example.com:80", "g.c"), ("c.example.com:81", "g.c"),
        ] as [(String?, String)])
    func ownHost(_ host: String?, _ expected: String) throws {
        let router = try Self.router(
            #""a": { "path": "/t", "host": "a.example.com" }, "b": { "path": "/t" }, "c": { "path": "/t", "host": "c.example.com", "port": 81 }"#
        )
        let request = IncomingRequest(method: "GET", path: "/t", query: nil, authority: host)
        guard case .found(let pattern, _) = router.route(request) else {
            throw NotFound()
        }
        #expect(pattern.endpoint.id == expected)
        let alone = try Self.router(#""a": { "path": "/t", "host": "a.example.com" }"#)
        guard case .found = alone.route(request) else { throw NotFound() }
    }

    @Test("a path may have any number of segments")
    func longPath() throws {
        let path = String(repeating: "a/", count: 100_000) + "b"
        let router = try Self.router(#""a": { "path": "\#(path)" }"#)
        guard case .found = router.route(Self.request("GET /v1/\(path)")) else { throw NotFound() }
        guard case .nothing = router.route(Self.request("GET /v1/\(path)/b")) else { throw NotFound() }
    }

    @Test("a coded body is decoded before it is compared")
    func coding() throws {
        let router = try Self.router(
            #""a": { "method": "POST", "path": "u", "body": { "json": { "kind": "{{kind}}" } }, "params": { "kind": { "type": "string" } } }"#
        )
        // The gzip of {"kind":"x"}.
        let bytes: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0xCA, 0xCE, 0xCC, 0x4B, 0x51, 0xB2,
            0x52, 0xAA, 0x50, 0xAA, 0x05, 0x00, 0x62, 0xD6, 0x88, 0xEB, 0x0C, 0x00, 0x00, 0x00,
        ]
        let fields = [
            IncomingRequest.Field("Content-Type", "application/json"),
            IncomingRequest.Field("Content-Encoding", "gzip"),
        ]
        for (body, problems) in [(bytes, 0), (Array("x".utf8), 2)] {
            let request = IncomingRequest(method: "POST", path: "/v1/u", query: nil, headers: fields, body: body)
            guard case .found(_, let reading) = router.route(request) else { throw NotFound() }
            #expect(reading.problems.count == problems)
        }
    }

    @Test("endpoints that no request can tell apart are found")
    func indistinguishable() throws {
        let router = try Self.router(
            #""a": { "path": "u/{{x}}", "params": { "x": { "type": "string" } } }, "b": { "path": "u/{{y}}", "params": { "y": { "type": "string" } } }, "c": { "path": "u/{{z}}", "params": { "z": { "type": "integer" } } }"#
        )
        let pairs = router.indistinguishable.map { [$0.first.id, $0.second.id] }
        #expect(pairs == [["g.a", "g.b"]])
    }

    // MARK: Running a row

    private static func router(_ endpoints: String) throws -> Router {
        let files = MemoryFiles([
            "/w/environments/env.json": .text(#"{ "baseURL": "https://api.example.com/v1" }"#),
            "/w/endpoints/g.json": .text(#"{ "endpoints": { \#(endpoints) } }"#),
        ])
        let workspace = Workspace(root: "/w", currentFolder: "/w", files: files.fileSystem)
        guard case .found(let environment) = workspace.environment("env").value else { throw NotFound() }
        let maker = RequestPattern.Maker(
            workspace, in: environment, world: .unstubbed(files), version: "test")
        var patterns: [RequestPattern] = []
        for id in ["a", "b", "c", "feed", "other"] {
            guard case .found(let endpoint) = workspace.endpoint("g.\(id)").value else { continue }
            patterns.append(try maker.pattern(of: endpoint))
        }
        return Router(patterns, workspace.schemas)
    }

    private struct NotFound: Error {}

    /// A request such as `POST /path?query type body`.
    private static func request(_ line: String) -> IncomingRequest {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return IncomingRequest(
            method: words[0], path: target[0], query: target.count > 1 ? target[1] : nil,
            headers: words.count > 2 ? [IncomingRequest.Field("Content-Type", words[2])] : [],
            body: words.count > 3 ? Array(words[3].utf8) : [])
    }

    private static func route(_ row: Case) throws -> String {
        switch try router(row.endpoints).route(request(row.request)) {
        case .dotSegment: return "400"
        case .nothing: return "404"
        case .otherMethods(let methods): return "405 " + methods.joined(separator: " ")
        case .found(let pattern, let reading):
            let values = reading.parameters.all.sorted { $0.name < $1.name }.map { " \($0.name)=\($0.value.compact)" }
            let problems = reading.problems.map(\.message.text).joined(separator: "; ")
            return pattern.endpoint.id + values.joined() + (problems.isEmpty ? "" : " ! " + problems)
        }
    }
}
