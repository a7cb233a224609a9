import Calling
import Checking
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMatching
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

/// Whole expectations held against answers.
struct ExpectationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let expectation: String
        let answer: ReceivedResponse
        let told: [String]

        init(_ name: String, _ expectation: String, _ answer: ReceivedResponse, _ told: String...) {
            (self.name, self.expectation, self.answer, self.told) = (name, expectation, answer, told)
        }

        var testDescription: String { name }
    }

    static let heads: [Case] = [
        Case("the status itself", #"{"status": 200}"#, .text("")),
        Case("a hundred of statuses", #"{"status": "2xx"}"#, .text("", status: 204)),
        Case("one of several statuses", #"{"status": [200, 404]}"#, .text("", status: 404)),
        Case(
            "another status", #"{"status": [200, "3xx"]}"#,
            ReceivedResponse(status: 404, reason: "Not Found"), "status: expected 200 or 3xx, found 404 Not Found"),
        Case(
            "an error where no status is named", #"{"maxTime": "1s"}"#, ReceivedResponse(status: 500),
            "status: expected 2xx (the default), found 500"),
        Case(
            "a redirect where no status is named", #"{"headers": {"Location": {"exists": true}}}"#,
            ReceivedResponse(status: 302, headers: ["Location": "/login"]),
            "status: expected 2xx (the default), found 302"),
        Case("a redirect that is expected", #"{"status": "3xx"}"#, .text("", status: 302)),
        Case("in time", #"{"maxTime": "12ms"}"#, .text("")),
        Case("too late", #"{"maxTime": "11ms"}"#, .text(""), "maxTime: expected at most 11ms, found 12ms"),
        Case(
            "a header in another case", #"{"headers": {"content-type": {"startsWith": "application/json"}}}"#,
            .json("{}")),
        Case(
            "a header that isn't there", #"{"headers": {"X-A": {"contains": "b"}}}"#, .json("{}"),
            "header X-A: expected something that contains \"b\", found no such header"),
        Case(
            "a repeated header: one value is enough", #"{"headers": {"Via": "b"}}"#,
            .text("", headers: ["Via": "a", "via": "b"])),
        Case(
            "a repeated header, joined", #"{"headers": {"Via": "a, b"}}"#,
            .text("", headers: ["Via": "a", "via": "b"])),
        Case(
            "a repeated header under not: every value counts", #"{"headers": {"Via": {"not": {"equals": "b"}}}}"#,
            .text("", headers: ["Via": "a", "via": "b"]),
            "header Via: expected anything but \"b\", found \"a\", \"b\""),
        Case(
            "a cookie stands alone, whatever the next one has",
            #"{"headers": {"set-cookie": {"matches": "sid=.*HttpOnly"}}}"#,
            .text("", headers: ["Set-Cookie": "sid=1; Path=/", "Set-Cookie": "theme=x; HttpOnly"]),
            "header set-cookie: expected text that matches /sid=.*HttpOnly/, "
                + #"found "sid=***; Path=/", "theme=***; HttpOnly""#),
        Case(
            "one cookie has to be all that is wanted",
            #"{"headers": {"set-cookie": {"startsWith": "sid=", "contains": "HttpOnly"}}}"#,
            .text("", headers: ["Set-Cookie": "sid=1; Path=/", "Set-Cookie": "theme=x; HttpOnly"]),
            #"header set-cookie: expected something that contains "HttpOnly", found "sid=***; Path=/""#),
        Case(
            "the second cookie is all that is wanted",
            #"{"headers": {"set-cookie": {"startsWith": "theme=", "contains": "HttpOnly", "not": {"contains": "Max"}}}}"#,
            .text("", headers: ["Set-Cookie": "sid=1; Path=/", "Set-Cookie": "theme=x; HttpOnly"])),
        Case(
            "no cookie at all is like that",
            #"{"headers": {"set-cookie": {"not": {"contains": "Path"}}}}"#,
            .text("", headers: ["Set-Cookie": "sid=1; Path=/", "Set-Cookie": "theme=x; HttpOnly"]),
            "header set-cookie: expected something that doesn't contain \"Path\", "
                + #"found "sid=***; Path=/", "theme=***; HttpOnly""#),
        Case(
            "one cookie of several", #"{"headers": {"Set-Cookie": {"endsWith": "HttpOnly"}}}"#,
            .text("", headers: ["set-cookie": "sid=1; Path=/", "set-cookie": "theme=x; HttpOnly"])),
        Case("a header as a number", #"{"headers": {"Age": 7}}"#, .text("", headers: ["Age": "7"])),
        Case("a header that must not be there", #"{"headers": {"Server": {"exists": false}}}"#, .text("")),
        Case(
            "a header that is there and must not be", #"{"headers": {"Server": {"not": {"exists": true}}}}"#,
            .text("", headers: ["server": "x"]), "header Server: expected no value, found \"x\""),
        Case(
            "a header that must be there", #"{"headers": {"Server": {"exists": true, "startsWith": "y"}}}"#,
            .text("", headers: ["server": "x"]),
            "header Server: expected text that starts with \"y\", found \"x\""),
    ]

    static let bodies: [Case] = [
        Case("a body's text", #"{"body": "pong"}"#, .text("pong")),
        Case("another text", #"{"body": "pong"}"#, .text("ping"), "body: expected \"pong\", found \"ping\""),
        Case("a literal {{ in it", #"{"body": {"contains": "\\{{name}}"}}"#, .text("Hello {{name}}")),
        Case(
            "a literal {{ that must stand nowhere", #"{"json": {"$..*": {"not": {"contains": "\\{{"}}}}"#,
            .json(#"{"greeting": "Dear {{name}}"}"#),
            "$..* at $.greeting: expected something that doesn't contain \"{{\", found \"Dear {{name}}\""),
        Case(
            "a literal {{ inside a value", #"{"json": {"$": {"a": ["\\{{b}}"]}}}"#, .json(#"{"a": ["{{b}}"]}"#)),
        Case("a body as a number", #"{"body": 1}"#, .text("1.0")),
        Case("a body as JSON", #"{"body": {"equals": {"a": 1, "b": 2}}}"#, .json(#"{"b": 2, "a": 1.0}"#)),
        Case(
            "a body that should be JSON", #"{"body": {"equals": {"a": 1}}}"#, .text("<a>"),
            #"body: expected {"a":1}, found "<a>", which is not JSON"#),
        Case("no body", #"{"body": {"empty": true}}"#, .text("")),
        Case("some body", #"{"body": {"empty": true}}"#, .text("x"), "body: expected an empty value, found \"x\""),
        Case(
            "not no body", #"{"body": {"not": {"empty": true}}}"#, .text(""),
            "body: expected a value that is not empty, found \"\""),
        Case(
            "several at once", #"{"body": {"contains": "a", "startsWith": "b", "length": {"<": 3}}}"#, .text("xyz"),
            "body: expected something that contains \"a\", found \"xyz\"",
            "body: expected text that starts with \"b\", found \"xyz\"",
            "body: expected a length of less than 3, found 3: \"xyz\""),
        Case(
            "one failure for a body that is not JSON", #"{"json": {"$.a": 1, "$.b": 2, "$.c": {"exists": false}}}"#,
            .text("<html>", headers: ["Content-Type": "text/html"]),
            "body: expected JSON, found \"<html>\" (text/html); line 1, column 1: \"<html>\" can't start a value"),
        Case("JSON out of nothing", #"{"json": {"$": {}}}"#, .text(""), "body: expected JSON, found an empty body"),
        Case(
            "control characters", #"{"body": "a"}"#, .text("\u{1B}[2J\u{202E}"),
            "body: expected \"a\", found \"\\u001b[2J\u{FFFD}\""),
        Case(
            "bytes that are no text", #"{"body": {"contains": "a"}}"#,
            ReceivedResponse(status: 200, body: ReceivedBody([0xFF, 0xFE, 0x62])),
            "body: expected something that contains \"a\", found a body that can't be checked: "
                + "it is not valid UTF-16, and its Content-Type names no charset"),
    ]

    static let paths: [Case] = [
        Case("every value", #"{"json": {"$.a[*]": {"type": "integer"}}}"#, .json(#"{"a": [1, 2, 3]}"#)),
        Case(
            "each value at fault, by its own path", #"{"json": {"$.a[*].id": {">": 1}}}"#,
            .json(#"{"a": [{"id": 1}, {"id": 2}, {"id": "3"}]}"#),
            "$.a[*].id at $.a[0].id: expected a number above 1, found 1",
            "$.a[*].id at $.a[2].id: expected a number above 1, found \"3\", which is not a number"),
        Case(
            "a path as it was written", #"{"json": {"$[\"a\"] [0]['x y']": 1, "$.b": {"equals": {"c d": [1]}}}}"#,
            .json(#"{"a": [{"x y": 2}], "b": {"c d": [2]}}"#), #"$["a"] [0]['x y']: expected 1, found 2"#,
            #"$.b: expected {"c d":[1]}, found {"c d":[2]}"#),
        Case(
            "a value's own path, with quotes where its names need them", #"{"json": {"$..v": 1}}"#,
            .json(#"{"a b": {"v": 2}, "ö": {"v": 2}, "1a": {"v": 2}, "_a1": {"v": 2}}"#),
            "$..v at $['a b'].v: expected 1, found 2", "$..v at $['ö'].v: expected 1, found 2",
            "$..v at $['1a'].v: expected 1, found 2", "$..v at $._a1.v: expected 1, found 2"),
        Case(
            "no more than some of many", #"{"json": {"$[*]": 0}}"#, .json("[1,0,1,1,1,1,1,1]"),
            "$[*] at $[0]: expected 0, found 1", "$[*] at $[2]: expected 0, found 1",
            "$[*] at $[3]: expected 0, found 1", "$[*] at $[4]: expected 0, found 1",
            "$[*] at $[5]: expected 0, found 1",
            "$[*]: expected 0, each of 8 values, found 2 more values that do not meet the condition"),
        Case(
            "nothing selected", #"{"json": {"$.b": {"type": "string", "length": 2}}}"#, .json("{}"),
            "$.b: expected text, found nothing: the path selects no value"),
        Case(
            "nothing selected, under not", #"{"json": {"$.b": {"not": {"equals": 2}}}}"#, .json("{}"),
            "$.b: expected anything but 2, found nothing: the path selects no value"),
        Case("nothing selected, as it should be", #"{"json": {"$.b": {"exists": false}}}"#, .json("{}")),
        Case(
            "something selected that should not be", #"{"json": {"$..b": {"exists": false}}}"#,
            .json(#"{"a": {"b": 1}, "b": 2}"#), "$..b at $.b: expected no value, found 2 and 1 more"),
        Case(
            "existence alone", #"{"json": {"$.b": {"exists": true}}}"#, .json("{}"),
            "$.b: expected a value, found nothing: the path selects no value"),
        Case(
            "existence and more", #"{"json": {"$.b": {"exists": true, "equals": 1}}}"#, .json("{}"),
            "$.b: expected 1, found nothing: the path selects no value"),
    ]

    @Test("What an answer fails is told", arguments: heads + bodies + paths)
    func judged(_ each: Case) throws {
        let told = try Workshop.failures(each.expectation, each.answer).map(\.message)
        #expect(told == each.told)
    }

    @Test("A mistake in a path or pattern is told at its place inside it")
    func mistakes() throws {
        let text: MarkedText =
            #"{"json": {"$.\u0061[⟦⟧": 1, "$.b": {"matches": "\t⟦\\d⟧+"}, "$.c": {"equals": 2}}}"#
        let problems = Workshop.expectation(text.text).diagnostics.sorted {
            ($0.place?.range.lowerBound ?? 0) < ($1.place?.range.lowerBound ?? 0)
        }
        #expect(problems.count == 2)
        #expect(
            problems.map { $0.place?.range.lowerBound }
                == text.ranges.map { $0.lowerBound + "{\"expect\": ".utf8.count })
    }

    @Test("Paths that differ in the spelling of an accent alone are two paths, whichever was read first")
    func spellings() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let answer = ReceivedResponse.json(#"{"\#(composed)": 1, "\#(decomposed)": 2}"#)
        for (name, value) in [(composed, 1), (decomposed, 2), (composed, 1)] {
            #expect(try Workshop.failures(#"{"json": {"$.\#(name)": \#(value)}}"#, answer).isEmpty)
        }
    }

    @Test("What is expected is told without the comments and line breaks that stand in it")
    func commented() throws {
        let workspace = Workshop.workspace([
            "endpoints/a.jsonc": """
            {"expect": {"json": {"$": {"includes": {
                "a": [1, /* not 2 */ 3],
                // nor this
                "b": "é"
            }}}}}
            """
        ])
        let entry = try #require(workspace.endpointEntries().value.first)
        let endpoint = try #require(workspace.load(endpointFile: entry).value?.located.first)
        let source = try #require(endpoint.definition.request.expectation?.set)
        let compiled = try #require(CompiledExpectation.compile(source, SchemaStore()).value)
        let failures = try compiled.filled(with: []).failures(of: .json("{}"))
        #expect(failures.map(\.expected) == [#"something that includes {"a":[1,3],"b":"é"}"#])
    }

    @Test("A condition whose expected value is not known is not met, and neither is its negation")
    func openOperands() throws {
        let text = #"{"json": {"$.id": "{{id}}", "$.n": {"not": {"<": "{{max}}"}}}}"#
        let compiled = try Workshop.required(Workshop.expectation(text).value, "an expectation")
        #expect(
            compiled.failures(of: .json(#"{"id": 7, "n": 8}"#)).map(\.message) == [
                "$.id: expected {{id}}, found 7, and the expected value is not known",
                "$.n: expected anything but {{max}}, found 8, and the expected value is not known",
            ])
    }

    @Test("Values fill the operands that wait for them, in the order of the file")
    func operands() throws {
        let text =
            #"{"headers": {"X-Id": "{{id}}"}, "body": {"contains": "v"}, "json": {"$.id": "{{id}}", "$.n": {"<": "{{max}}"}}}"#
        let compiled = try Workshop.required(Workshop.expectation(text).value, "an expectation")
        #expect(compiled.templates.map(\.source) == ["{{id}}", "{{id}}", "{{max}}"])
        let ready = try compiled.filled(with: [7, 7, "9"])
        let answer = ReceivedResponse(
            status: 200, headers: ["x-id": "7"], body: ReceivedBody(Array(#"{"id": 7, "n": 8, "v": 1}"#.utf8)))
        #expect(ready.failures(of: answer) == [])
        #expect(
            try compiled.filled(with: [8, 8, 8]).failures(of: answer).map(\.message) == [
                "header X-Id: expected 8, found \"7\"", "$.id: expected 8, found 7",
                "$.n: expected a number below 8, found 8",
            ])
    }

    @Test(
        "An operand that can't be compared with is a problem, not a failure",
        arguments: [
            (#"{"json": {"$.n": {"<": "{{max}}"}}}"#, "nine", "\"<\" takes a number; found \"nine\""),
            (
                #"{"json": {"$.n": {"startsWith": "{{max}}"}}}"#, nil,
                "the expected value is missing: \"{{max}}\" has no value"
            ),
        ] as [(String, OrderedJSON?, String)])
    func operandProblem(_ text: String, _ value: OrderedJSON?, _ message: String) throws {
        let compiled = try Workshop.required(Workshop.expectation(text).value, "an expectation")
        let problem = #expect(throws: Failure.self) { try compiled.filled(with: [value]) }
        #expect(problem?.message == message)
        #expect(problem?.status == .broken)
        #expect(problem?.diagnostics.first?.place?.description.hasPrefix("endpoints/a.json:1:") == true)
    }

    @Test("Of a cookie that is set its name and attributes are told, and not its value")
    func cookies() throws {
        let failures = try Workshop.failures(
            #"{"headers": {"Set-Cookie": {"contains": "Secure"}}}"#,
            .text("", headers: ["Set-Cookie": "sid=abcdef; Path=/", "set-cookie": "abcdef"]))
        #expect(failures.map(\.actual) == [#""sid=***; Path=/", "***""#])
    }

    @Test("No secret shows in a failure, however it is cut")
    func secrets() throws {
        let redactor = Redactor([.init(label: "secret.pin", value: "correct horse battery")])
        for padding in 60..<110 {
            let text =
                String(repeating: "x", count: padding) + "correct horse battery" + String(repeating: "y", count: 5000)
            let failures = try Workshop.failures(
                #"{"body": {"equals": "z"}, "json": {"$.a": "correct horse battery!"}}"#,
                .json("{\"a\": \"\(text)\"}"), redactor: redactor)
            let shown = failures.flatMap { [$0.message] + $0.difference.map(\.plain) }.joined()
            #expect(!shown.contains("correct"), "after \(padding) characters")
            #expect(failures.count == 2)
        }
    }

    @Test("A cut leaves no part of a secret behind, also where the masks before it are shorter")
    func cutSecrets() {
        let value = "correct horse battery staple"
        let redactor = Redactor([.init(label: "s", value: value)])
        for limit in 1..<400 {
            let start = redactor.redactedStart(of: Array(String(repeating: value, count: 100).utf8), limit: limit)
            let text = String(decoding: start.bytes, as: UTF8.self)
            #expect(!text.contains("corr") && !text.contains("taple"), "\(limit): \(text)")
            #expect(!start.isWhole && start.bytes.count <= limit)
        }
    }

    @Test("A failure stays short, however large the body")
    func bounded() throws {
        let large = String(repeating: "0123456789", count: 1 << 17)
        let failures = try Workshop.failures(
            #"{"body": {"equals": "z", "matches": "^a"}, "json": {"$.a": "0", "$": {"equals": {"a": "1"}}}}"#,
            .json("{\"a\": \"\(large)\"}"))
        #expect(failures.count == 4)
        let size = failures.reduce(0) {
            $0 + $1.message.utf8.count + $1.difference.reduce(0) { $0 + $1.plain.utf8.count }
        }
        #expect(size < 4000)
    }
}
