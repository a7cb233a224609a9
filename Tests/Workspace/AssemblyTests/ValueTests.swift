import ReqcliAssembly
import RequestBuilding
import TestSupport
import Testing

@Suite("Values and placeholders")
struct ValueTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let written: String
        let expected: String

        init(_ written: String, _ expected: String) { (self.written, self.expected) = (written, expected) }

        var testDescription: String { written }
    }

    private static let parameters = #"""
        "params": {"age": {"type": "integer"}, "ratio": {"type": "number"}, "flag": {"type": "boolean"},
                   "name": {"type": "string"}, "data": {"type": "json"}}
        """#
    private static let environment = #"""
        {"baseURL": "http://h", "variables": {
          "tenant": "acme", "pageSize": 50, "exact": 1.50, "none": null, "tags": ["a", "b"], "on": true,
          "nested": {"tenant": "{{tenant}}", "size": "{{pageSize}}"}, "url": "{{tenant}}.example.com/{{pageSize}}",
          "alias": "{{tenant}}", "name": "shadowed by the param",
          "literal": "\\{{tenant}}"}}
        """#

    static let bodies = [
        Row(#""{{age}}""#, "42"), Row(#""{{ratio}}""#, "0.50"), Row(#""{{flag}}""#, "true"),
        Row(#""{{name}}""#, "\"Ada\""),
        Row(#""{{data}}""#, #"{"b":1,"a":[null]}"#),
        Row(#""{{ age }}""#, "42"),
        Row(#""age: {{age}}""#, #""age: 42""#), Row(#""{{age}} ""#, #""42 ""#), Row(#""{{age}}{{age}}""#, #""4242""#),
        Row(#""{{flag}}/{{ratio}}/{{data}}""#, #""true/0.50/{\"b\":1,\"a\":[null]}""#),
        Row(#""{{tenant}}""#, #""acme""#), Row(#""{{pageSize}}""#, "50"), Row(#""{{exact}}""#, "1.50"),
        Row(#""{{tags}}""#, #"["a","b"]"#), Row(#""{{on}}""#, "true"), Row(#""{{url}}""#, #""acme.example.com/50""#),
        Row(#""{{nested}}""#, #"{"tenant":"acme","size":50}"#), Row(#""{{alias}}""#, #""acme""#),
        Row(#""\\{{age}}""#, #""{{age}}""#), Row(#""\\{{{{age}}}}""#, #""{{42}}""#),
        Row(#""{{literal}}""#, #""{{tenant}}""#),
        Row(#""{age}""#, #""{age}""#), Row(#""}}""#, #""}}""#),
        Row(#"[1.0, null, true, "{{age}}", {"a": "{{age}}"}]"#, #"[1.0,null,true,42,{"a":42}]"#),
        Row(#"{"$switch": "{{flag}}", "true": {"a": "{{age}}"}, "false": 0}"#, #"{"a":42}"#),
        Row(#"{"x": {"$switch": "{{age}}", "41": "no", "42": "yes"}}"#, #"{"x":"yes"}"#),
        Row(#"{"x": {"$switch": "{{age}}", "41": "no", "$default": ["{{age}}"]}}"#, #"{"x":[42]}"#),
        Row(#"{"$switch": "{{name}}-{{age}}", "Ada-42": null, "$default": 0}"#, "null"),
        Row(#"{"$switch": "{{name}}", "Ada": {"$switch": "{{flag}}", "true": 1}}"#, "1"),
        // Line breaks and quotes of a value stay inside its string.
        Row(#""\"{{name}}\"""#, #""\"Ada\"""#),
    ]

    @Test("A string that is one placeholder takes the value's type, inside longer text it is text", arguments: bodies)
    func body(_ row: Row) throws {
        let scenario = Scenario(
            #"{\#(Self.parameters), "body": {"json": \#(row.written)}}"#, environment: Self.environment,
            "age=42", "ratio=0.50", "flag=true", "name=Ada", #"data={"b": 1, "a": [null]}"#)
        #expect(try scenario.wire().body == row.expected)
    }

    @Test("What an environment says of a request is its own, too")
    func environmentsAndParameters() throws {
        let scenario = Scenario(
            #"{"params": {"id": {"type": "integer"}}, "headers": {"I": "{{id}}"}}"#,
            environment: #"{"baseURL": "http://h", "variables": {"id": "prod"}, "headers": {"E": "{{id}}"}}"#, "id=5")
        #expect(try scenario.wire().headers == ["E: prod", "I: 5"])
    }

    @Test("A variable's value is the environment's: a param of the same name doesn't get into it")
    func variablesAndParameters() throws {
        let scenario = Scenario(
            #"{"params": {"id": {"type": "integer"}}, "headers": {"A": "{{audience}}", "I": "{{id}}"}}"#,
            environment: #"{"baseURL": "http://h", "variables": {"id": "prod", "audience": "svc-{{id}}"}}"#, "id=5")
        #expect(try scenario.wire().headers == ["A: svc-prod", "I: 5"])
    }

    @Test("A list repeats a header, a query item and a form field, also where it comes from a value")
    func lists() throws {
        let wire = try Scenario(
            #"""
            {"query": {"a": "{{tags}}", "b": ["x", "{{tags}}"], "c": []}, "headers": {"A": "{{tags}}"},
             "body": {"form": {"f": "{{tags}}", "g": ["1", 2, true]}}}
            """#, environment: Self.environment
        ).wire()
        #expect(wire.query == "?a=a&a=b&b=x&b=a&b=b")
        #expect(wire.headers == ["Content-Type: application/x-www-form-urlencoded", "A: a", "A: b"])
        #expect(wire.body == "f=a&f=b&g=1&g=2&g=true")
    }

    @Test("Numbers, truth values and $switch stand anywhere that a value may")
    func scalars() throws {
        let wire = try Scenario(
            #"""
            {"params": {"up": {"type": "boolean", "default": true}}, "path": ["v", 3, "{{up}}"],
             "query": {"n": 1.0, "b": false, "order": {"$switch": "{{up}}", "true": "asc", "false": "desc"}},
             "headers": {"N": 5, "O": {"$switch": "{{up}}", "false": "x", "$default": "y"}}}
            """#
        ).wire()
        #expect(wire.target == "/v/3/true?n=1.0&b=false&order=asc")
        #expect(wire.headers == ["N: 5", "O: y"])
    }

    /// Elements of a path, and what they are on the wire where `p` is `a%2F/b` and `o` isn't given.
    static let segments = [
        (#""a%2Fb", "c""#, "/a%2Fb/c"),
        (#""a/b", "c d", "é?#""#, "/a%2Fb/c%20d/%C3%A9%3F%23"),
        (#""a:b@c", "100%", "%zz""#, "/a:b@c/100%25/%25zz"),
        (#""%2F{{p}}%2f""#, "/%2Fa%252F%2Fb%2F"),
        (#""{{p}}", "{{o}}""#, "/a%252F%2Fb"),
        (#"{"$switch": "{{p}}", "x": "y", "$default": "%2F/{{p}}"}"#, "/%2F%2Fa%252F%2Fb"),
        (#""a", {"$switch": "{{o}}", "x": "y"}, "b""#, "/a/b"),
        (#""..", "%2e%2E", ".", "...", "x..""#, "/%2E%2E/%2E%2E/%2E/.../x.."),
    ]

    @Test(
        "An element of a path is one segment: its own escapes stay, its slashes and those of values are escaped",
        arguments: segments)
    func isOneSegment(_ elements: String, _ target: String) throws {
        let wire = try Scenario(
            #"""
            {"params": {"p": {"type": "string"}, "o": {"type": "string", "required": false}}, "path": [\#(elements)]}
            """#, "p=a%2F/b"
        ).wire()
        #expect(wire.target == target)
    }

    @Test("What is made anew for a request comes from the world")
    func generated() throws {
        var scenario = Scenario(
            #"{"body": {"json": ["{{$uuid}}", "{{$timestamp}}", "{{$isoTimestamp}}", "{{$randomInt}}", "{{$env.HOST}}", "t{{$timestamp}}"]}}"#
        )
        scenario.stub = { world in
            world.uuid = { "u-u-i-d" }
            world.clock.date = { 1_772_368_200.75 }
            world.randomInt = { 7 }
            world.stub(variables: ["HOST": "box"])
        }
        #expect(
            try scenario.wire().body
                == #"["u-u-i-d",1772368200,"2026-03-01T12:30:00Z",7,"box","t1772368200"]"#)
    }

    @Test("A request happens at one time, and a variable has one value in it")
    func once() throws {
        var scenario = Scenario(
            #"{"headers": {"A": "{{trace}}", "B": "{{trace}}", "C": "{{$uuid}}", "T": "{{$timestamp}}", "U": "{{$timestamp}}"}}"#,
            environment: #"{"baseURL": "http://h", "variables": {"trace": "t-{{$uuid}}"}}"#)
        scenario.stub = { world in
            let (uuids, seconds) = (Counter(), Counter())
            world.uuid = { "\(uuids.next())" }
            world.clock.date = { Double(seconds.next()) }
        }
        #expect(try scenario.wire().headers == ["A: t-2", "B: t-2", "C: 1", "T: 1", "U: 1"])
    }

    @Test(
        "A request tells how long it is the right one",
        arguments: [
            ("x", Repeatability.repeatable), ("{{$uuid}}", .unique), ("{{$randomInt}}", .unique),
            ("{{$timestamp}}", .momentary), ("{{$isoTimestamp}}", .momentary), ("{{$timestamp}} {{$uuid}}", .momentary),
            ("{{later}}", .momentary),
        ])
    func durability(_ header: String, _ durability: Repeatability) throws {
        var scenario = Scenario(
            #"{"headers": {"A": "\#(header)"}}"#,
            environment: #"{"baseURL": "http://h", "variables": {"later": "{{$timestamp}}"}}"#)
        scenario.stub = { world in
            world.uuid = { "u-u-i-d" }
            world.clock.date = { 0 }
            world.randomInt = { 7 }
        }
        #expect(try scenario.assembled().durability == durability)
    }

    @Test(
        "Seconds become a time of the calendar",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199.9, "2024-02-29T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ])
    func time(_ seconds: Double, _ text: String) {
        #expect(Timestamp.iso8601(seconds) == text)
    }

    @Test("A param beats a variable of its name; an optional one that isn't given hides it")
    func parameterFirst() throws {
        let environment = #"{"baseURL": "http://h", "variables": {"v": "variable"}}"#
        let endpoint = #"{"params": {"v": {"type": "string", "required": false}}, "headers": {"V": "{{v}}"}}"#
        #expect(try Scenario(endpoint, environment: environment, "v=param").wire().headers == ["V: param"])
        #expect(try Scenario(endpoint, environment: environment).wire().headers == [])
    }

    @Test("What variables make of each other nests no deeper than a file may", arguments: ["{{v79}}", "{{v0}}{{v79}}"])
    func depth(value: String) throws {
        func nested(_ inner: String) -> String {
            String(repeating: "[", count: 500) + "\"\(inner)\"" + String(repeating: "]", count: 500)
        }
        let variables = (0..<80).map { "\"v\($0)\": \(nested($0 == 0 ? "x" : "{{v\($0 - 1)}}"))" }
        let environment = #"{"baseURL": "http://h", "variables": {\#(variables.joined(separator: ", "))}}"#
        for part in [#""body": {"json": "\#(value)"}"#, #""query": {"a": "\#(value)"}"#] {
            let failure = try Scenario("{\(part)}", environment: environment).failure()
            #expect(failure.messages.contains { $0.contains("nests more than 512 levels deep") }, "\(failure.messages)")
        }
        let one = try Scenario(#"{"body": {"json": "{{v0}}"}}"#, environment: environment).wire()
        #expect(one.body == nested("x"))
    }

    @Test(
        "Variables that double are an error before the memory is taken, as text and as lists",
        arguments: ["\"{{v%}}{{v%}}\"", "[\"{{v%}}\", \"{{v%}}\"]"])
    func doubling(_ pattern: String) throws {
        let variables = (1...60).map { "\"v\($0)\": \(pattern.replacing("%", with: "\($0 - 1)"))" }
        let all = (["\"v0\": \"0123456789\""] + variables).joined(separator: ",\n")
        let environment = #"{"baseURL": "http://h", "variables": {\#(all)}}"#
        let failure = try Scenario(#"{"body": {"json": "{{v60}}"}}"#, environment: environment).failure()
        #expect(failure.messages.count == 1)
        #expect(
            failure.messages.allSatisfy {
                $0.contains("with the placeholders filled in, the variable") && $0.contains("larger than 16 MiB")
            }, "\(failure.messages)")
    }

    @Test("All values of a request together have a limit, too: one large variable in many places")
    func manyTimes() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let environment = #"{"baseURL": "http://h", "variables": {"v": "\#(text)"}}"#
        let items = Array(repeating: #""{{v}}""#, count: 300).joined(separator: ", ")
        let failure = try Scenario(#"{"body": {"json": [\#(items)]}}"#, environment: environment).failure()
        #expect(failure.messages.first?.contains("the values of the request are larger than 256 MiB") == true)
    }
}
