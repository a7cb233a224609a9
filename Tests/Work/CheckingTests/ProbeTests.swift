import Checking
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import Testing

/// Which changes the params of an endpoint lead to, and how the responses to them are judged.
struct ProbeTests {
    static func endpoint(_ parameter: String, rest: String = #""query": {"p": "{{p}}"}"#) throws -> LocatedEndpoint {
        try Workshop.required(
            Workshop.endpoints(
                #"{"path": "/x", "params": {"p": \#(parameter)}, \#(rest), "expect": {"status": 200}}"#
            ).first, "an endpoint with \(parameter)")
    }

    static func probes(
        of endpoint: LocatedEndpoint, values: [String: OrderedJSON] = [:], _ probing: Probing = .safeMethods
    ) -> EndpointProbes {
        EndpointProbes(endpoint, in: "development", values: values, probing, SchemaStore())
    }

    @Test(
        "A schema with a limit that no list can have makes no probe and no trap",
        arguments: ["maxLength", "maxItems", "maxProperties", "minLength", "minItems", "minProperties"],
        ["-9223372036854775808", "9223372036854775807", "-1", "0"])
    func limits(_ keyword: String, _ limit: String) throws {
        for value in [OrderedJSON.string("abc"), .array(["a"]), .object([.init("a", "b")])] {
            let endpoint = try Self.endpoint(#"{"type": "json", "schema": {"\#(keyword)": \#(limit)}}"#)
            _ = Self.probes(of: endpoint, values: ["p": value])
        }
    }

    private struct Row: Sendable {
        let parameter: String
        var value: OrderedJSON?
        let probes: [String]
    }

    private static let unnamed = "expects only members that the schema names (additionalProperties)"

    private static let rows = [
        Row(
            parameter: #"{"type": "integer", "minimum": 1, "maximum": 100}"#, value: .int(20),
            probes: [
                "p left out must be rejected: p is required",
                "p=20.5 must be rejected: p takes a whole number",
                "p=abc must be rejected: p takes a whole number",
                "p=0 must be rejected: p must be at least 1",
                "p=101 must be rejected: p must be at most 100",
                #"p=1 must pass: p may be 1"#,
                #"p=100 must pass: p may be 100"#,
            ]),
        // Of a schema, one value breaks each keyword of two levels; a keyword that nothing breaks is left out.
        Row(
            parameter: """
                {"type": "json", "required": false, "schema": {"type": "object", "required": ["id"], "title": "x",
                 "properties": {"id": {"type": "integer", "minimum": 1}, "tags": {"maxItems": 2, "uniqueItems": true},
                  "name": {"minLength": 2, "maxLength": 4, "pattern": "^[a-z]+$"}, "absent": {"minimum": 1},
                  "deep": {"properties": {"deeper": {"minimum": 1}}, "additionalProperties": false}},
                 "additionalProperties": false}}
                """,
            value: .object([
                .init("id", .int(5)), .init("tags", .array(["a"])), .init("name", "abc"),
                .init("deep", .object([.init("deeper", .int(1))])),
            ]),
            probes: [
                ("type", "$ expects an object"), ("required", "$ expects a member \"id\""),
                ("additionalProperties", "$['reqcli-probe'] \(unnamed)"),
                ("properties.id.type", "$.id expects a whole number"),
                ("properties.id.minimum", "$.id expects a number of at least 1"),
                ("properties.tags.maxItems", "$.tags expects at most 2 items"),
                (
                    "properties.tags.uniqueItems",
                    "$.tags[1] expects an item that differs from the item at [0] (uniqueItems)"
                ),
                ("properties.name.minLength", "$.name expects text of at least 2 characters"),
                ("properties.name.maxLength", "$.name expects text of at most 4 characters"),
                ("properties.name.pattern", "$.name expects text that matches /^[a-z]+$/"),
                ("properties.deep.additionalProperties", "$.deep['reqcli-probe'] \(unnamed)"),
            ].map { "p against \($0) must be rejected: p must match its schema, which at \($1)" }),
        // References are followed, each circle once.
        Row(
            parameter: """
                {"type": "json", "required": false, "schema": {"$ref": "#/$defs/filter", "$defs": {
                  "filter": {"type": "object", "required": ["id"],
                    "properties": {"id": {"$ref": "#number"}, "next": {"$ref": "#"}}},
                  "number": {"$anchor": "number", "type": "integer", "minimum": 1}}}}
                """,
            value: .object([.init("id", .int(5)), .init("next", .object([.init("id", .int(6))]))]),
            probes: [
                ("$ref.type", "$ expects an object"), ("$ref.required", "$ expects a member \"id\""),
                ("$ref.properties.id.$ref.type", "$.id expects a whole number"),
                ("$ref.properties.id.$ref.minimum", "$.id expects a number of at least 1"),
                ("$ref.properties.next.$ref.$ref.type", "$.next expects an object"),
                ("$ref.properties.next.$ref.$ref.required", "$.next expects a member \"id\""),
            ].map { "p against \($0) must be rejected: p must match its schema, which at \($1)" }),
        // A bound that the passing call has sent is not sent again.
        Row(
            parameter: #"{"type": "integer", "maximum": -3, "required": false}"#, value: .int(-3),
            probes: [
                "p=-3.5 must be rejected: p takes a whole number",
                "p=abc must be rejected: p takes a whole number",
                "p=-2 must be rejected: p must be at most -3",
            ]),
        Row(
            parameter: #"{"type": "number", "minimum": -0.5, "maximum": 0.25, "required": false}"#,
            probes: [
                "p=abc must be rejected: p takes a number",
                "p=-1.5 must be rejected: p must be at least -0.5",
                "p=1.25 must be rejected: p must be at most 0.25",
                #"p=-0.5 must pass: p may be -0.5"#,
                #"p=0.25 must pass: p may be 0.25"#,
            ]),
        Row(
            parameter: #"{"type": "integer", "maximum": 9223372036854775807, "required": false}"#,
            probes: [
                "p=1.5 must be rejected: p takes a whole number",
                "p=abc must be rejected: p takes a whole number",
                #"p=9223372036854775807 must pass: p may be 9223372036854775807"#,
            ]),
        Row(
            parameter: #"{"type": "boolean", "default": true}"#,
            probes: ["p=abc must be rejected: p takes true or false"]),
        Row(
            parameter: #"{"type": "string", "enum": ["abc", "b", "c"], "required": false}"#, value: .string("b"),
            probes: [
                #"p=abcx must be rejected: p takes one of "abc", "b", "c""#,
                #"p=abc must pass: p may be "abc""#,
                #"p=c must pass: p may be "c""#,
            ]),
        Row(
            parameter: #"{"type": "integer", "enum": [1, 2], "required": false}"#, value: .int(1),
            probes: [
                "p=1.5 must be rejected: p takes a whole number",
                "p=abc must be rejected: p takes a whole number",
                "p=3 must be rejected: p takes one of 1, 2",
                #"p=2 must pass: p may be 2"#,
            ]),
        Row(
            parameter: #"{"type": "string", "minLength": 2, "maxLength": 4, "required": false}"#, value: .string("ada"),
            probes: [
                "p=a must be rejected: p must have at least 2 characters",
                "p=adaaa must be rejected: p must have at most 4 characters",
                #"p=ad must pass: p may be "ad""#,
                #"p=adaa must pass: p may be "adaa""#,
            ]),
        // Every other length is one that the pattern doesn't match, either.
        Row(
            parameter: #"{"type": "string", "pattern": "[0-9]{4}", "maxLength": 4, "required": false}"#,
            value: .string("2026"),
            probes: [#"p=~~~~ must be rejected: p takes text that matches "[0-9]{4}""#]),
        Row(
            parameter: #"{"type": "string", "pattern": "~*", "maxLength": 50, "required": false}"#, value: .string("~"),
            probes: [
                "p=~~~~~~~~~~… (51 characters) must be rejected: p must have at most 50 characters",
                #"p=a must be rejected: p takes text that matches "~*""#,
                #"p=~~~~~~~~~~… (50 characters) must pass: p may be "\#(String(repeating: "~", count: 50))""#,
            ]),
        Row(
            parameter: #"{"type": "list", "items": {"type": "integer", "maximum": 9}, "required": false}"#,
            value: .array([.int(1), .int(2)]),
            probes: [
                "p=[1.5,2] must be rejected: p is wrong at item 1, which takes a whole number",
                #"p=["abc",2] must be rejected: p is wrong at item 1, which takes a whole number"#,
                "p=[10,2] must be rejected: p is wrong at item 1, which must be at most 9",
                #"p=[9,2] must pass: p may be [9,2]"#,
            ]),
        // A free text has no wrong type, and nothing is known of any JSON.
        Row(parameter: #"{"type": "string", "required": false}"#, probes: []),
        Row(parameter: #"{"type": "json", "required": false}"#, probes: []),
        // Values of secrets are not made up, but a secret can be missing.
        Row(
            parameter: #"{"type": "integer", "maximum": 3, "secret": true}"#,
            probes: ["p left out must be rejected: p is required"]),
        Row(parameter: #"{"type": "integer", "probe": false}"#, probes: []),
    ]

    @Test(
        "Each rule of a param leads to the changes that it forbids, and to those that it just allows",
        arguments: rows.indices)
    func changes(_ index: Int) throws {
        let row = Self.rows[index]
        let values = row.value.map { ["p": $0] } ?? [:]
        let found = Self.probes(of: try Self.endpoint(row.parameter), values: values)
        let expected =
            row.probes.filter { $0.contains("must be rejected") } + row.probes.filter { $0.contains("must pass") }
        #expect(found.probes.map { "\($0.label) \($0.demand)" } == expected)
        #expect(found.reason == (expected.isEmpty ? .noRules : nil))
    }

    @Test(
        "A param is left out only where the rest of the request stays as it is",
        arguments: [
            (#""query": {"p": "{{p}}"}"#, true), (#""headers": {"X-P": "{{p}}"}"#, true),
            (#""method": "POST", "body": {"form": {"p": "{{p}}"}}"#, true),
            (#""method": "POST", "body": {"json": {"a": {"p": "{{p}}"}}}"#, true),
            (#""method": "POST", "body": {"json": ["{{p}}"]}"#, false), (#""query": {"p": "a-{{p}}"}"#, false),
            (#""query": {"p": ["{{p}}", "b"]}"#, false), (#""query": "p={{p}}""#, false),
            (#""query": {"p": "{{p}}"}, "headers": {"X-P": "x{{p}}"}"#, false),
        ])
    func leftOut(_ rest: String, _ isLeftOut: Bool) throws {
        let probes = Self.probes(of: try Self.endpoint(#"{"type": "integer"}"#, rest: rest), .allMethods).probes
        #expect(probes.map(\.label) == (isLeftOut ? ["p left out"] : []) + ["p=1.5", "p=abc"])
    }

    @Test(
        "A param is not probed where its change says nothing about the endpoint",
        arguments: [
            #""query": {"q": "1"}"#, #""query": {"p": "{{p}}"}, "auth": {"bearer": "{{p}}"}"#,
            #""query": {"p": "{{p}}"}, "needs": {"a": {"endpoint": "a", "with": {"p": "{{p}}"}}}"#,
            #""body": {"graphql": {"query": "{ a }", "variables": {"p": "{{p}}"}}}"#,
            #""query": {"p": "{{p}}"}, "environments": {"development": {"query": {"p": "1"}}}"#,
        ])
    func notProbed(_ rest: String) throws {
        let found = Self.probes(of: try Self.endpoint(#"{"type": "integer"}"#, rest: rest), .allMethods)
        #expect(found.probes.isEmpty)
        #expect(found.reason == .noRules)
    }

    @Test("No segment of a path is left out or made empty")
    func path() throws {
        let endpoint = try Workshop.required(
            Workshop.endpoints(
                #"{"path": "/x/{{p}}", "params": {"p": {"type": "string", "minLength": 1}}, "expect": {"status": 200}}"#
            ).first, "an endpoint")
        let found = Self.probes(of: endpoint, values: ["p": .string("ab")])
        #expect(found.probes.map(\.label) == ["p=a"])
    }

    @Test("Of many changes 40 are made, first what must be rejected")
    func limit() throws {
        let words = (1...50).map { "\"w\($0)\"" }.joined(separator: ", ")
        let found = Self.probes(of: try Self.endpoint(#"{"type": "string", "enum": [\#(words)]}"#))
        #expect(found.probes.count == 40)
        #expect(found.probes.prefix(3).map(\.label) == ["p left out", "p=abc", "p=w1"])
        #expect(found.reason == .tooMany(52))
    }

    @Test("Methods that may change something are probed only if the policy allows it, and endpoints can be left out")
    func reasons() throws {
        let post = try Self.endpoint(#"{"type": "integer"}"#, rest: #""method": "POST", "query": {"p": "{{p}}"}"#)
        #expect(Self.probes(of: post).reason == .unsafe("POST"))
        #expect(Self.probes(of: post, .allMethods).probes.count == 3)
        let off = try Self.endpoint(#"{"type": "integer"}"#, rest: #""probe": false, "query": {"p": "{{p}}"}"#)
        #expect(Self.probes(of: off).reason == .switchedOff)
        let silent = try Workshop.required(Workshop.endpoints(#"{"path": "/x"}"#).first, "an endpoint")
        #expect(Self.probes(of: silent).reason == .nothingExpected)
    }

    // MARK: Runs

    private static let files = [
        "endpoints/a.json": """
        {"path": "/a", "query": {"n": "{{n}}"}, "expect": {"status": [200, 206], "json": {"$.id": 1}},
         "params": {"n": {"type": "integer", "maximum": 9, "example": 5}}}
        """,
        "endpoints/c.json": """
        {"path": "/c/{{n}}", "expect": {"status": 200},
         "params": {"n": {"type": "integer", "minimum": 1, "example": 5}}}
        """,
        "endpoints/b.json": #"{"path": "/b", "method": "PUT", "expect": {"status": 200}}"#,
    ]

    private static func request(
        _ selectors: [String], shard: Shard? = nil, data: String? = nil
    ) -> CheckPlan.Request {
        CheckPlan.Request(
            selectors: selectors.map { Selector($0) }, environment: "development",
            data: data.flatMap { DataTable.read(SourceFile(name: "rows.csv", text: $0)).value }, shard: shard,
            probing: .safeMethods)
    }

    private static func run(
        _ selectors: String..., data: String? = nil, options: RunOptions = RunOptions(),
        answer: @escaping @Sendable (OrderedJSON?) -> Int
    ) async throws -> (RunResult, Stage) {
        let plan = try CheckPlan.make(request(selectors, data: data), from: Catalogue(of: Workshop.workspace(files)))
        let stage = Stage { call, _ in
            guard let unchecked = call.unchecked else { return .answer(answer(.int(5)), #"{"id": 1}"#) }
            return .answer(answer(unchecked.value))
        }
        return (await CheckRun(plan, options: options, caller: stage.caller, clock: stage.clock).result(), stage)
    }

    @Test("A response is judged by its status alone, and 401, 403 and 429 prove nothing")
    func judgement() async throws {
        let (result, stage) = try await Self.run("a") { value in
            switch value {
            case .int(5): 200
            case nil: 401
            case .number("5.5"): 500
            case .string: 404
            case .int(10): 302
            default: 206
            }
        }
        #expect(
            result.lines == [
                "a: passed", "a/probe:n left out: notJudged", "a/probe:n=5.5: failed", "a/probe:n=abc: passed",
                "a/probe:n=10: failed", "a/probe:n=9: passed",
            ])
        #expect(result.outcome("a/probe:n left out")?.reason?.text.hasPrefix("the server responded with 401") == true)
        let failures = result.cases.flatMap(\.outcome.failures).map(\.message)
        #expect(failures[0].hasPrefix("n=5.5: expected 4xx, because n takes a whole number, found 500"))
        #expect(failures[1].hasPrefix("n=10: expected 4xx, because n must be at most 9, found 302"))
        #expect(result.exitStatus == .expectationFailed)
        #expect(stage.count("a") == 6)
        #expect(result.dependencies.isEmpty)
    }

    @Test("Probes are not sent if their endpoint's own case fails")
    func failedBase() async throws {
        let (result, stage) = try await Self.run("a") { _ in 404 }
        #expect(stage.count("a") == 1)
        #expect(
            result.cases.dropFirst().allSatisfy { $0.outcome.reason == "a did not pass" && $0.verdict == .notJudged })
        #expect(result.exitStatus == .expectationFailed)
    }

    @Test("A probe that is selected alone is sent after the call that it changes, which the report lists as needed")
    func selectedAlone() async throws {
        let (result, stage) = try await Self.run("a/probe:n=10") { $0 == .int(10) ? 400 : 200 }
        #expect(result.lines == ["a/probe:n=10: passed"])
        #expect(result.dependencies.map(\.endpointID) == ["a"])
        #expect(stage.count("a") == 2)
        let (refused, _) = try await Self.run("a/probe:n=10") { _ in 404 }
        #expect(
            refused.cases.first?.outcome.reason?.text.hasPrefix(
                "a did not pass: status: expected 200 or 206, found 404")
                == true)
        #expect(try await Self.run("a/probe:*") { $0 == .int(5) ? 200 : 403 }.0.exitStatus == .usage)
    }

    @Test("A bound in the path that leads to nothing is not judged")
    func nothingThere() async throws {
        let (result, _) = try await Self.run("c") { $0 == .int(5) ? 200 : 404 }
        #expect(
            result.lines == [
                "c: passed", "c/probe:n=5.5: passed", "c/probe:n=abc: passed", "c/probe:n=0: passed",
                "c/probe:n=1: notJudged",
            ])
        #expect(
            result.outcome("c/probe:n=1")?.reason?.text
                .hasSuffix(", which may only mean that there is no such resource") == true)
        #expect(result.exitStatus == .success)
    }

    @Test("With --fail-fast, a probe that fails stops the run, and one that is not judged does not")
    func failFast() async throws {
        let options = RunOptions(jobs: .fixed(1), failsFast: true)
        let (result, _) = try await Self.run("a", options: options) { value in
            switch value {
            case .int(5): 200
            case nil: 403
            default: 200
            }
        }
        #expect(
            result.lines[1...3] == ["a/probe:n left out: notJudged", "a/probe:n=5.5: failed", "a/probe:n=abc: notRun"])
    }

    @Test("With rows of data, the call with the first row is changed")
    func data() async throws {
        let (result, stage) = try await Self.run("a", data: "n\n7\n8\n") { value in
            value == .int(5) || value == .int(9) ? 200 : 400
        }
        #expect(result.lines.prefix(3) == ["a#1: passed", "a#2: passed", "a/probe:n left out: passed"])
        #expect(result.count(.passed) == result.cases.count)
        #expect(stage.calls.filter { $0 == "a n=7" }.count == 6)
        #expect(result.dependencies.isEmpty)
    }

    @Test("All probes of an endpoint are in the shard of its own case")
    func shards() throws {
        let catalogue = Catalogue(of: Workshop.workspace(Self.files))
        let ids = try (1...3).map { index in
            let shard = try Workshop.required(Shard("\(index)/3"), "a shard")
            return try CheckPlan.make(Self.request(["a"], shard: shard), from: catalogue).cases.map(\.id)
        }
        #expect(ids.map(\.count).sorted() == [0, 0, 6])
    }

    @Test("A run without probes is a mistake, and says why")
    func nothing() {
        let catalogue = Catalogue(of: Workshop.workspace(Self.files))
        let problem = PlanTests.failure(of: Self.request(["b"]), from: catalogue)
        #expect(problem?.status == .usage)
        #expect(
            problem?.diagnostics.map(\.message) == [
                "there is nothing to probe: b is PUT, which may change something"
            ])
        #expect(
            problem?.diagnostics.map(\.hint) == [#"to allow it, set "policy": {"probe": true} in the environment"#])
        let unknown = PlanTests.failure(of: Self.request(["a/probe:n=11"]), from: catalogue)
        #expect(unknown?.diagnostics.map(\.message) == [#"a has no probe "probe:n=11""#])
    }
}
