import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

@Suite("Optional params that weren't given")
struct AbsentValueTests {
    private static let params =
        #""params": {"o": {"type": "string", "required": false}, "s": {"type": "string", "default": "x"}}"#

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let members: String
        let probe: Probe
        let expected: String?
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "a query item goes", members: #""query": {"a": "{{o}}", "b": "1"}"#, probe: .query, expected: "?b=1"),
        Row(name: "the only one leaves no ?", members: #""query": {"a": "{{o}}"}"#, probe: .url, expected: "http://h"),
        Row(name: "one of a list goes", members: #""query": {"a": ["{{o}}", "1"]}"#, probe: .query, expected: "?a=1"),
        Row(
            name: "a list of nothing else goes", members: #""query": {"a": ["{{o}}", "{{o}}"]}"#, probe: .url,
            expected: "http://h"),
        Row(name: "a header goes", members: #""headers": {"A": "{{o}}", "B": "1"}"#, probe: .headers, expected: "B: 1"),
        Row(
            name: "a segment leaves no trace", members: #""path": ["a", "{{o}}", "b"]"#, probe: .url,
            expected: "http://h/a/b"),
        Row(name: "the last one, too", members: #""path": ["a", "{{o}}"]"#, probe: .url, expected: "http://h/a"),
        Row(name: "and the only one", members: #""path": ["{{o}}"]"#, probe: .url, expected: "http://h"),
        Row(name: "a path that is nothing else", members: #""path": "{{o}}""#, probe: .url, expected: "http://h"),
        Row(
            name: "a member of a body goes", members: #""body": {"json": {"a": "{{o}}", "b": 1}}"#, probe: .body,
            expected: #"{"b":1}"#),
        Row(
            name: "a member deep down goes", members: #""body": {"json": {"a": {"b": "{{o}}"}}}"#, probe: .body,
            expected: #"{"a":{}}"#),
        Row(
            name: "an element of a body goes", members: #""body": {"json": ["{{o}}", 1]}"#, probe: .body,
            expected: "[1]"),
        Row(
            name: "a body that is nothing else goes", members: #""body": {"json": "{{o}}"}"#, probe: .body,
            expected: nil),
        Row(
            name: "its Content-Type goes with it", members: #""body": {"json": "{{o}}"}"#, probe: .headers, expected: ""
        ),
        Row(
            name: "a text that is nothing else goes", members: #""body": {"text": "{{o}}"}"#, probe: .body,
            expected: nil),
        Row(
            name: "a file that isn't named is none", members: #""body": {"file": "{{o}}"}"#, probe: .body, expected: nil
        ),
        Row(
            name: "a form field goes", members: #""body": {"form": {"a": "{{o}}", "b": "1"}}"#, probe: .body,
            expected: "b=1"),
        Row(
            name: "a $switch on it has no value", members: #""query": {"a": {"$switch": "{{o}}", "x": "1"}}"#,
            probe: .url, expected: "http://h"),
        Row(
            name: "a $switch on it takes $default",
            members: #""query": {"a": {"$switch": "{{o}}", "x": "1", "$default": "2"}}"#,
            probe: .query, expected: "?a=2"),
        Row(
            name: "a $switch that picks it has no value",
            members: #""query": {"a": {"$switch": "{{s}}", "x": "{{o}}"}}"#, probe: .url, expected: "http://h"),
        Row(
            name: "a client certificate that isn't named is none", members: #""tls": {"cert": "{{o}}"}"#, probe: .tls,
            expected: ""),
        Row(
            name: "a GraphQL variable goes",
            members: #""body": {"graphql": {"query": "{ a }", "variables": {"v": "{{o}}"}, "operationName": "{{o}}"}}"#,
            probe: .body, expected: #"{"query":"{ a }","variables":{}}"#),
    ]

    @Test("leave no trace", arguments: rows)
    func leftOut(_ row: Row) throws {
        #expect(row.probe.read(try Scenario("{\(Self.params), \(row.members)}").assembled()) == row.expected)
    }

    @Test("A part of a multipart body goes, be it text or file")
    func multipart() throws {
        let wire = try Scenario(
            #"{\#(Self.params), "body": {"multipart": {"a": "{{o}}", "b": {"file": "{{o}}"}, "c": "1"}}}"#
        ).wire()
        #expect(wire.body?.contains(#"name="c""#) == true)
        #expect(wire.body?.contains(#"name="a""#) == false)
        #expect(wire.body?.contains(#"name="b""#) == false)
    }

    @Test("let what an earlier layer said show through")
    func showThrough() throws {
        let environment = #"""
            {"baseURL": "http://h/api", "query": {"locale": "en"}, "headers": {"X": "env", "Content-Type": "text/x"}}
            """#
        let wire = try Scenario(
            #"""
            {\#(Self.params), "query": {"locale": "{{o}}"}, "headers": {"X": "{{o}}"}, "basePath": "{{o}}",
             "body": {"json": "{{o}}"}}
            """#, environment: environment
        ).wire()
        #expect(wire.url == "http://h/api?locale=en")
        // With no body, the Content-Type of the environment is not sent.
        #expect(wire.headers == ["X: env"])
        #expect(wire.body == nil)
    }

    @Test("What shows through is resolved after all, and once")
    func resolvedLate() throws {
        var scenario = Scenario(
            #"{\#(Self.params), "headers": {"X": "{{o}}"}}"#,
            environment: #"{"baseURL": "http://h", "headers": {"X": "{{$uuid}}", "Y": "{{$uuid}}"}}"#)
        scenario.stub = { world in
            let calls = Counter()
            world.uuid = { "uuid \(calls.next())" }
        }
        #expect(try Set(scenario.wire().headers.map { $0.dropFirst(3) }) == ["uuid 1", "uuid 2"])
    }

    @Test("What can't do without says so, with the place")
    func needed() throws {
        let cases: [(members: String, message: String)] = [
            (#""path": "/a/⟦⟧{{o}}/b""#, "\"o\" was not given, but the path needs a value for this segment"),
            (#""headers": {"A": "id-⟦⟧{{o}}"}"#, "\"o\" was not given, but this text needs a value for it"),
            (#""body": {"text": "hello ⟦⟧{{o}}"}"#, "\"o\" was not given, but this text needs a value for it"),
            (#""auth": {"bearer": ⟦⟧"{{o}}"}"#, "{{o}} was not given, but auth needs a value"),
            (#""host": "⟦⟧{{o}}.example.com""#, "\"o\" was not given, but this text needs a value for it"),
        ]
        for (members, message) in cases {
            let scenario = Scenario("{\(Self.params), \(members)}")
            let failure = try scenario.failure()
            #expect(failure.definitions.map(\.message) == [message])
            #expect(failure.places == scenario.marks)
        }
    }

    @Test("An empty value is a value, but not as a segment of a path")
    func empty() throws {
        let endpoint = #"{\#(Self.params), "query": {"a": "{{o}}"}, "headers": {"A": "{{o}}"}}"#
        let wire = try Scenario(endpoint, "o=").wire()
        #expect(wire.query == "?a=")
        #expect(wire.headers == ["A: "])
        for path in [#""/a/⟦⟧{{o}}/b""#, #"["a", ⟦⟧"{{o}}"]"#, #""/a/⟦⟧{{o}}{{o}}""#, #""⟦⟧{{o}}/a""#] {
            let scenario = Scenario(#"{\#(Self.params), "path": \#(path)}"#, "o=")
            #expect(try scenario.failure().places == scenario.marks, "\(path)")
        }
        #expect(try Scenario(#"{\#(Self.params), "path": "/a/v{{o}}/b"}"#, "o=").wire().target == "/a/v/b")
    }
}
