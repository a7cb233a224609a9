import HTTPWire
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import ReqcliMocking

/// No secret of a request is shown: not in the journal, the log, complaints, problems or near misses.
@Suite struct SecretMaskTests {
    /// A request whose secret is `SEKRET` or begins with it.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let endpoint: String
        let line: String
        var headers: [String] = []
        /// What the journal has.
        let shown: String

        init(_ name: String, _ endpoint: String, _ line: String, _ headers: String..., shown: String) {
            self.name = name
            self.endpoint = endpoint
            self.line = line
            self.headers = headers
            self.shown = shown
        }

        var testDescription: String { name }
    }

    private static let environment = #"""
        { "baseURL": "https://api.example.com/v1", "secrets": { "tok": { "env": "TOK" } },
          "variables": { "v": "{{secret.tok}}", "plain": "p" } }
        """#
    private static let keyEnvironment = #"""
        { "baseURL": "https://api.example.com/v1", "secrets": { "tok": { "env": "TOK" } },
          "auth": { "apiKey": { "query": "k", "value": "{{secret.tok}}" } } }
        """#
    private static let form = "Content-Type: application/x-www-form-urlencoded"
    private static let digits = #""params": { "id": { "type": "string", "pattern": "[0-9]{4}", "secret": true } }"#

    static let keys: [Case] = [
        Case(
            "a key in the query",
            #""a": { "path": "a", "auth": { "apiKey": { "query": "k", "value": "{{secret.tok}}" } } }"#,
            "GET /v1/a?b=1&k=SEKRET", shown: #""query":[["b","1"],["k","***"]]"#),
        Case(
            "a key in the query, twice",
            #""a": { "path": "a", "auth": { "apiKey": { "query": "k", "value": "{{secret.tok}}" } } }"#,
            "GET /v1/a?k=SEKRET1&k=SEKRET2", shown: #"[["k","***"],["k","***"]]"#),
        Case(
            "a key in a header",
            #""a": { "path": "a", "auth": { "apiKey": { "header": "X-K", "value": "{{secret.tok}}" } } }"#,
            "GET /v1/a", "x-k: SEKRET", shown: #"["x-k","***"]"#),
        Case(
            "a signature in a header",
            #""a": { "path": "a", "auth": { "hmac": { "key": "k", "sign": "a", "headers": { "X-S": "v1={{$signature}}" } } } }"#,
            "GET /v1/a", "x-s: v1=SEKRET", shown: #"["x-s","***"]"#),
        Case(
            "a signature of AWS in the query",
            #""a": { "path": "a", "auth": { "aws": { "service": "s3", "region": "r", "accessKeyID": "id", "secretAccessKey": "k", "in": "query" } } }"#,
            "GET /v1/a?X-Amz-Signature=SEKRET", shown: #"[["X-Amz-Signature","***"]]"#),
        Case(
            "a key whose value stands in the file",
            #""a": { "path": "a", "auth": { "apiKey": { "header": "X-K", "value": "abc" } } }"#,
            "GET /v1/a", "X-K: SEKRET", shown: #"["X-K","***"]"#),
        Case(
            "a key that another header repeats, coded",
            #""a": { "path": "a", "auth": { "apiKey": { "query": "k", "value": "{{secret.tok}}" } } }"#,
            "GET /v1/a?k=SEKRET%2Fb", "Referer: http://h/?x=SEKRET%2fb&y=1", shown: "http://h/?x=***&y=1"),
        Case(
            "a key of another endpoint, where there is none",
            #""a": { "path": "a", "auth": { "apiKey": { "query": "k", "value": "{{secret.tok}}" } } }"#,
            "GET /v1/nothing?k=SEKRET&b=1", shown: #"[["k","***"],["b","1"]]"#),
        Case(
            "a key of another endpoint, for one without `auth`",
            #""a": { "path": "a", "auth": { "apiKey": { "query": "k", "value": "{{secret.tok}}" } } }, "b": { "path": "b" }"#,
            "GET /v1/b?k=SEKRET&b=1", shown: #"[["k","***"],["b","1"]]"#),
        Case(
            "a key of another endpoint in a header, for one without `auth`",
            #""a": { "path": "a", "auth": { "apiKey": { "header": "X-K", "value": "{{secret.tok}}" } } }, "b": { "path": "b" }"#,
            "GET /v1/b", "x-k: SEKRET", shown: #"["x-k","***"]"#),
        Case(
            "an item with the name of another endpoint's key",
            #""a": { "path": "a", "auth": { "apiKey": { "query": "k", "value": "{{secret.tok}}" } } }, "b": { "path": "b", "query": { "k": "{{k}}" }, "params": { "k": { "type": "string" } } }"#,
            "GET /v1/b?k=plain", shown: #"[["k","plain"]]"#),
    ]

    static let openNames: [Case] = [
        Case(
            "a secret in the name of a query item", #""a": { "path": "a", "query": "x-{{secret.tok}}=1" }"#,
            "GET /v1/a?x-SEKRET=1&b=SEKRET", shown: #""query":[["x-***","1"],["b","***"]]"#),
        Case(
            "a secret behind a name with a param",
            #""a": { "path": "a", "query": "x-{{n}}={{secret.tok}}", "params": { "n": { "type": "string" } } }"#,
            "GET /v1/a?x-1=SEKRET&b=2", shown: #""query":[["x-1","***"],["b","2"]]"#),
        Case(
            "a secret that is the whole name of a query item",
            #""a": { "path": "a", "query": "{{secret.tok}}" }"#, "GET /v1/a?SEKRET&c",
            shown: #"[["***",""],["***",""]]"#),
    ]

    static let invalid: [Case] = [
        Case(
            "a segment", #""a": { "path": "y/{{id}}", \#(digits) }"#, "GET /v1/y/SEKRET", shown: #""path":"/v1/y/***""#),
        Case(
            "a part of a segment", #""a": { "path": "y/{{id}}.json", \#(digits) }"#, "GET /v1/y/SEKRET.json",
            shown: #""path":"/v1/y/***""#),
        Case(
            "a coded segment of another coding", #""a": { "path": "y/{{id}}", \#(digits) }"#, "GET /v1/y/SEKRET%FF%E9",
            shown: #""path":"/v1/y/***""#),
        Case(
            "a JSON member",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "n": 1, "p": "{{id}}" } }, \#(digits) }"#,
            #"POST /v1/a {"n": 1, "p": "SEKRET"}"#, shown: #""body":{"n":1,"p":"***"}"#),
        Case(
            "a JSON member of another kind",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "p": "{{id}}" } }, \#(digits) }"#,
            #"POST /v1/a {"p": {"a": ["SEKRET"]}}"#, shown: #""body":{"p":"***"}"#),
        Case(
            "JSON in another place",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "q": { "p": "{{id}}" } } }, \#(digits) }"#,
            #"POST /v1/a {"p": "SEKRET"}"#, shown: #""body":{"p":"***"}"#),
        Case(
            "a form in place of JSON",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "p": "{{id}}" } }, \#(digits) }"#,
            "POST /v1/a p=SEKRET", form, shown: #""body":"***""#),
        Case(
            "JSON that is broken off",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "p": "{{id}}" } }, \#(digits) }"#,
            #"POST /v1/a {"p":"SEKRET"#, shown: #""body":"***""#),
        Case(
            "a header", #""a": { "path": "a", "headers": { "X-P": "{{id}}" }, \#(digits) }"#, "GET /v1/a",
            "X-P: SEKRET", shown: #"["X-P","***"]"#),
        Case(
            "a header, twice", #""a": { "path": "a", "headers": { "X-P": "{{id}}" }, \#(digits) }"#, "GET /v1/a",
            "X-P: SEKRET", "X-P: SEKRET2", shown: #"["X-P","***"]"#),
        Case(
            "a part of a header", #""a": { "path": "a", "headers": { "X-P": "P {{id}}" }, \#(digits) }"#, "GET /v1/a",
            "X-P: SEKRET", shown: #"["X-P","***"]"#),
        Case(
            "a query item", #""a": { "path": "a", "query": { "p": "{{id}}" }, \#(digits) }"#, "GET /v1/a?p=SEKRET",
            shown: #"["p","***"]"#),
        Case(
            "a part of a query item", #""a": { "path": "a", "query": { "p": "a:{{id}}" }, \#(digits) }"#,
            "GET /v1/a?p=b:SEKRET", shown: #"["p","***"]"#),
        Case(
            "a list",
            #""a": { "path": "a", "query": { "p": "{{l}}" }, "params": { "l": { "type": "list", "items": { "type": "integer" }, "secret": true } } }"#,
            "GET /v1/a?p=SEKRET1&p=SEKRET2", shown: #"[["p","***"],["p","***"]]"#),
        Case(
            "a form field",
            #""a": { "method": "POST", "path": "a", "body": { "form": { "p": "{{id}}", "q": "1" } }, \#(digits) }"#,
            "POST /v1/a q=1&p=SEKRET", form, shown: #""body":"q=1&p=***""#),
        Case(
            "a text", #""a": { "method": "POST", "path": "a", "body": { "text": "a {{id}}" }, \#(digits) }"#,
            "POST /v1/a b-SEKRET", "Content-Type: text/plain", shown: #""body":"***""#),
        Case(
            "a part of a form",
            #""a": { "method": "POST", "path": "a", "body": { "multipart": { "p": "{{id}}" } }, \#(digits) }"#,
            "POST /v1/a --b\r\nContent-Disposition: form-data; name=\"p\"\r\n\r\nSEKRET\r\n--b--\r\n",
            "Content-Type: multipart/form-data; boundary=b", shown: #"name=\"p\"\r\n\r\n***\r\n"#),
    ]

    static let misses: [Case] = [
        Case(
            "another method", #""a": { "method": "POST", "path": "fm/{{id}}", \#(digits) }"#, "GET /v1/fm/SEKRET",
            shown: #""path":"/v1/fm/***""#),
        Case(
            "another method, with a query",
            #""a": { "method": "POST", "path": "fm", "query": { "p": "{{id}}" }, \#(digits) }"#, "GET /v1/fm?p=SEKRET",
            shown: #"["p","***"]"#),
        Case(
            "more segments", #""a": { "method": "POST", "path": "fm/{{id}}", \#(digits) }"#, "POST /v1/fm/SEKRET/x",
            "Referer: /fm/SEKRET", shown: #""path":"/v1/fm/***/x""#),
        Case(
            "fewer segments", #""a": { "path": "fm/{{id}}/x", \#(digits) }"#, "GET /v1/fm/SEKRET",
            shown: #""path":"/v1/fm/***""#),
        Case(
            "another segment behind", #""a": { "path": "fm/{{id}}/comments", \#(digits) }"#,
            "GET /v1/fm/SEKRET/commments", shown: #""path":"/v1/fm/***/commments""#),
        Case(
            "a part of a segment that doesn't fit", #""a": { "path": "fm/{{id}}.json", \#(digits) }"#,
            "GET /v1/fm/SEKRET.xml", shown: #""path":"/v1/fm/***""#),
        Case(
            "without the base path", #""a": { "path": "fm/{{id}}", \#(digits) }"#, "GET /fm/SEKRET",
            shown: #""path":"/fm/***""#),
        Case(
            "a literal in other letters", #""a": { "path": "fm/{{id}}", \#(digits) }"#, "GET /v1/FM/SEKRET",
            shown: #""path":"/v1/FM/***""#),
        Case(
            "a dot segment", #""a": { "path": "fm/{{id}}", \#(digits) }"#, "GET /v1/./fm/SEKRET",
            shown: #""path":"/v1/./fm/***""#),
        Case(
            "a secret that is no param", #""a": { "path": "fm/{{secret.tok}}" }"#, "GET /v1/fm/SEKRET/x",
            shown: #""path":"/v1/fm/***/x""#),
        Case(
            "a secret param by its name", #""a": { "path": "fm", "query": { "id": "{{id}}" }, \#(digits) }"#,
            "GET /v1/fmm?id=SEKRET", shown: #"["id","***"]"#),
        Case(
            "nothing near", #""a": { "path": "fm/{{id}}", \#(digits) }"#, "GET /v1/other/public",
            shown: #""path":"/v1/other/public""#),
    ]

    static let references: [Case] = [
        Case(
            "a JSON member",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "n": "x", "p": "{{secret.tok}}" } } }"#,
            #"POST /v1/a {"n": "x", "p": "SEKRET"}"#, shown: #""body":{"n":"x","p":"***"}"#),
        Case(
            "a JSON number",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "n": 1, "p": ["{{secret.tok}}", 1] } } }"#,
            #"POST /v1/a {"n": 1, "p": ["SEKRET", 1]}"#, shown: #""body":{"n":1,"p":["***",1]}"#),
        Case(
            "a JSON member of a name that has another meaning elsewhere",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "p": 1, "q": { "p": "{{secret.tok}}" } } } }"#,
            #"POST /v1/a {"p": 1, "q": {"p": "SEKRET"}}"#, shown: #""body":{"p":1,"q":{"p":"***"}}"#),
        Case(
            "a variable that has it",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "p": "{{v}}", "q": "{{plain}}" } } }"#,
            #"POST /v1/a {"p": "SEKRET", "q": "p"}"#, shown: #""body":{"p":"***","q":"p"}"#),
        Case(
            "a part of a JSON member",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "p": "t={{secret.tok}};" } } }"#,
            #"POST /v1/a?x=SEKRET {"p": "t=SEKRET;"}"#, shown: #"["x","***"]"#),
        Case(
            "a case of a $switch",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "p": { "$switch": "{{m}}", "cases": { "x": "{{secret.tok}}", "y": "none" } } } }, "params": { "m": { "type": "string" } } }"#,
            #"POST /v1/a {"p": "SEKRET"}"#, shown: #""body":{"p":"***"}"#),
        Case(
            "a header", #""a": { "path": "a", "headers": { "X-P": "{{secret.tok}}" } }"#, "GET /v1/a", "X-P: SEKRET",
            shown: #"["X-P","***"]"#),
        Case(
            "a query item", #""a": { "path": "a", "query": { "p": "{{secret.tok}}" } }"#, "GET /v1/a?p=SEKRET",
            shown: #"["p","***"]"#),
        Case(
            "a form field", #""a": { "method": "POST", "path": "a", "body": { "form": { "p": "{{secret.tok}}" } } }"#,
            "POST /v1/a p=SEKRET", form, shown: #""body":"p=***""#),
        Case(
            "a text", #""a": { "method": "POST", "path": "a", "body": { "text": "a {{secret.tok}} b" } }"#,
            "POST /v1/a a SEKRET b", "Content-Type: text/plain", shown: #""body":"a *** b""#),
        Case(
            "a segment", #""a": { "path": "a/{{secret.tok}}" }"#, "GET /v1/a/SEKRET", shown: #""path":"/v1/a/***""#),
        Case(
            "a GraphQL variable",
            #""a": { "path": "a", "body": { "graphql": { "query": "{ a }", "variables": { "p": "{{secret.tok}}" } } } }"#,
            #"POST /v1/a {"query": "{ a }", "variables": {"p": "SEKRET"}}"#,
            shown: #""variables":{"p":"***"}"#),
        Case(
            "a secret capture",
            #""login": { "path": "login", "capture": { "t": { "json": "$.t", "secret": true }, "n": { "json": "$.n" } } }, "a": { "path": "a", "needs": { "login": "user.login" }, "query": { "p": "{{login.t}}", "n": "{{login.n}}" } }"#,
            "GET /v1/a?p=SEKRET&n=name", shown: #"[["p","***"],["n","name"]]"#),
        Case(
            "a list whose name says that its values may be secret",
            #""a": { "method": "POST", "path": "a", "body": { "json": { "key": "{{k}}" } }, "params": { "k": { "type": "json" } } }"#,
            #"POST /v1/a {"key": ["SEKRETa1b2c3d4e5f6g7", "plain"]}"#, shown: #""body":{"key":["***","plain"]}"#),
        Case(
            "its base64 elsewhere", #""a": { "path": "a", "query": { "p": "{{secret.tok}}" } }"#,
            "GET /v1/a?p=SEKRET", "X-Note: U0VLUkVU", shown: #"["X-Note","***"]"#),
        Case(
            "in the name of an item", #""a": { "path": "a", "query": { "p": "{{secret.tok}}" } }"#,
            "GET /v1/a?p=SEKRET&SEKRET", shown: #"[["p","***"],["***",""]]"#),
    ]

    private static func check(_ each: Case, _ environment: String = environment) throws {
        for isStrict in [false, true] {
            var fixture = EngineFixture()
            fixture.environment = environment
            fixture.options.isStrict = isStrict
            let engine = MockEngine(try fixture.served(each.endpoint), world: fixture.world, options: fixture.options)
            let words = each.line.split(separator: " ", maxSplits: 2).map(String.init)
            let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
            var headers = each.headers.map { header in
                let parts = header.split(separator: ":", maxSplits: 1).map(String.init)
                return IncomingRequest.Field(parts[0], String(parts[1].dropFirst()))
            }
            if words.count > 2, !headers.contains(where: { $0.name == "Content-Type" }) {
                headers.append(IncomingRequest.Field("Content-Type", "application/json"))
            }
            let request = IncomingRequest(
                method: words[0], path: target[0], query: target.count > 1 ? target[1] : nil, headers: headers,
                body: words.count > 2 ? Array(words[2].utf8) : [])
            let answer = engine.answer(request)
            let journal = engine.requests(session: "default").map(\.json.compact).joined()
            #expect(journal.contains(each.shown), "\(journal)")
            var texts = [journal, answer.mask.target(of: request)]
            texts += engine.complaints(expecting: []).map(\.description)
            texts += answer.problems.map(\.message.text)
            if case .refusal(let refusal) = answer.content {
                texts +=
                    refusal.problems.map(\.message.text) + refusal.near.map(\.difference.text) + [refusal.title.text]
            }
            for text in texts { #expect(!text.contains("SEKRET") && !text.contains("U0VLUkVU"), "\(text)") }
        }
    }

    @Test("what `auth` names as the API key is masked", arguments: keys)
    func key(_ each: Case) throws { try Self.check(each) }

    @Test("a secret in a name is masked", arguments: openNames)
    func openName(_ each: Case) throws { try Self.check(each, Self.environment) }

    @Test("the environment's API key is masked for every request", arguments: ["/v1/a", "/v1/b", "/c"])
    func environmentKey(_ path: String) throws {
        try Self.check(
            Case(
                "", #""a": { "path": "a" }, "b": { "method": "POST", "path": "b" }"#, "GET \(path)?k=SEKRET",
                shown: #"["k","***"]"#),
            Self.keyEnvironment)
    }

    @Test("a secret param is masked, whether its value is valid or not", arguments: invalid)
    func invalidParameter(_ each: Case) throws { try Self.check(each) }

    @Test("a request that fits no endpoint shows no secret of one that it nearly fits", arguments: misses)
    func miss(_ each: Case) throws { try Self.check(each) }

    @Test("a secret outside of `auth` is masked", arguments: references)
    func reference(_ each: Case) throws { try Self.check(each) }

    @Test(
        "a secret is masked in what a problem quotes, and not in its words",
        arguments: ["missing", "query", "expected"])
    func words(_ secret: String) throws {
        var fixture = EngineFixture()
        fixture.environment = Self.environment
        let engine = MockEngine(
            try fixture.served(
                #""a": { "path": "a", "query": { "p": "{{secret.tok}}", "q": "1", "r": "2" } }"#), world: fixture.world)
        let request = IncomingRequest("GET /v1/a?p=\(secret)&q=\(secret)")
        let answer = engine.answer(request)
        #expect(
            answer.problems.map { answer.mask.text($0.message) } == [
                "the query item q is \"***\"; expected \"1\"", "the query item r is missing",
            ])
    }

    @Test("a secret as the name of a session is masked")
    func session() throws {
        var fixture = EngineFixture()
        fixture.environment = Self.environment
        let engine = MockEngine(
            try fixture.served(#""a": { "path": "a", "query": { "p": "{{secret.tok}}" } }"#), world: fixture.world)
        let sessions = [
            ("/v1/a?p=SEKRET", "SEKRET"), ("/v1/a?p=x", "ghp_0123456789abcdefghij0123456789abcdef"),
        ]
        for (target, session) in sessions {
            let request = IncomingRequest("GET \(target)", session: session)
            #expect(request.session == session)
            let mask = engine.answer(request).mask
            #expect(mask.session(of: request) == "***")
            #expect(engine.requests(session: session).map(\.json.compact).joined().contains(#""session":"***""#))
        }
        #expect(RequestMask.none.session(of: IncomingRequest("GET /")) == IncomingRequest.standardSession)
    }

    @Test("an endpoint without secrets has no mask of its own")
    func none() throws {
        let engine = try EngineFixture().engine()
        #expect(engine.answer(IncomingRequest("GET /v1/bare?a=1")).mask === RequestMask.none)
        #expect(engine.answer(IncomingRequest("GET /v1/nothing?a=1")).status == 404)
    }
}
