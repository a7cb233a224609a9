import TestSupport
import Testing

/// Variants that depend on the request: `when`, `fill` and `bodyTime`.
@Suite struct ConditionalVariantTests {
    private static let endpoint = #"""
        { "method": "POST", "path": "user/{{id}}", "query": { "q": "{{q}}" }, "headers": { "X-Kind": "{{kind}}" },
          "params": { "id": { "type": "integer" }, "q": { "type": "string", "required": false },
            "kind": { "type": "string", "default": "usual" }, "name": { "type": "string", "default": "Ada" } },
          "body": { "json": { "name": "{{name}}", "tags": [1, 2] } },
          "stubs": { "variants": {
            "large": { "when": { "params": { "id": { ">": 1000 } } }, "text": "large" },
            "asked": { "when": { "query": { "q": { "startsWith": "a" } } }, "text": "asked" },
            "odd": { "when": { "headers": { "X-Kind": "odd" } }, "text": "odd" },
            "bob": { "when": { "json": { "$.name": "Bob", "$.tags[*]": { "<": 3 } } }, "text": "bob" },
            "long": { "when": { "body": { "contains": "Wolfeschlegelstein" } }, "text": "long" },
            "standard": { "text": "standard" } } } }
        """#

    @Test(
        "the first variant whose conditions hold responds, else the one without conditions",
        arguments: [
            (["id=1001"], "large"), (["id=1000"], "standard"), (["id=1", "q=abc"], "asked"),
            (["id=1", "q=b"], "standard"),
            (["id=1", "kind=odd"], "odd"), (["id=1", "name=Bob"], "bob"),
            (["id=1", "name=Wolfeschlegelstein"], "long"),
            (["id=1001", "name=Bob"], "large"),
        ])
    func chosen(_ params: [String], _ variant: String) async throws {
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
        let run = await InProcess().run(["send", "a"] + params + ["--stub"], in: workspace)
        #expect(run.outputText == variant, "\(run.errors)")
        let named = await InProcess().run(["send", "a"] + params + ["--stub", "asked"], in: workspace)
        #expect(named.outputText == "asked", "a name wins over all conditions")
    }

    @Test("the environment's variant for all endpoints ranks below conditions, and its own one above them")
    func environment() async throws {
        for (stubs, expected) in [(#""*": "bob""#, "bob"), (#""a": "odd""#, "odd")] {
            let workspace = try TemporaryFolder.workspace([
                "endpoints/a.json": Self.endpoint,
                "environments/development.json": #"{ "baseURL": "http://a.test", "stubs": { \#(stubs) } }"#,
            ])
            let small = await InProcess().run("send", "a", "id=1", in: workspace)
            let large = await InProcess().run("send", "a", "id=2000", in: workspace)
            #expect(small.outputText == expected)
            #expect(large.outputText == (expected == "odd" ? "odd" : "large"))
        }
    }

    @Test("without a variant for the request, the error names the conditions that don't hold")
    func none() async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"""
                { "path": "/{{id}}", "params": { "id": { "type": "integer" } },
                  "stubs": { "variants": { "x": { "when": { "params": { "id": 1 } }, "text": "x" } } } }
                """#)
        let run = await InProcess().run("send", "a", "id=2", "--stub", in: workspace)
        #expect(run.status == 2)
        #expect(
            run.errors.contains(
                "no stub variant of a responds to this request: the \"when\" of x is not met by the param id"))
    }

    @Test(
        "placeholders of a filled variant take values of the request, with their types",
        arguments: [
            (
                #""json": { "id": "{{id}}", "text": "no. {{id}}", "gone": "{{q}}", "v": "{{tenant}}" }"#,
                #"{"id":7,"text":"no. 7","v":"acme"}"#
            ),
            (
                #""json": ["{{q}}", "{{request.method}}", "{{request.path}}", "\\{{id}}"]"#,
                #"["POST","/user/7","{{id}}"]"#
            ),
            (#""json": "{{request.body.$.name}}""#, #""Ada""#),
            (#""json": { "tags": "{{request.body.$.tags}}" }"#, #"{"tags":[1,2]}"#),
            (#""text": "{{request.header.X-Kind}} {{request.query.q}}.""#, "usual ."),
            (#""text": "{{request.body}}""#, #"{"name":"Ada","tags":[1,2]}"#), (#""text": "{{$count}}""#, "1"),
        ])
    func filled(_ body: String, _ expected: String) async throws {
        let endpoint = Self.endpoint.replacing(
            #""standard": { "text": "standard" }"#, with: #""standard": { \#(body), "fill": true }"#)
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json": endpoint,
            "environments/development.json": #"{ "baseURL": "http://a.test", "variables": { "tenant": "acme" } }"#,
        ])
        let run = await InProcess().run("send", "a", "id=7", "--stub", in: workspace)
        #expect(
            run.outputText.trimmingPrefix("\n").replacing("\n", with: "") == expected.replacing("\n", with: ""),
            "\(run.errors)")
    }

    @Test("a header is filled, or left out where its value is missing")
    func headers() async throws {
        let endpoint = Self.endpoint.replacing(
            #""standard": { "text": "standard" }"#,
            with:
                #""standard": { "text": "x", "fill": true, "headers": { "X-A": "{{request.header.X-Kind}}", "X-B": "{{q}}" } }"#
        )
        let workspace = try TemporaryFolder.workspace(endpoint: endpoint)
        let run = await InProcess().run("send", "a", "id=7", "--stub", "-i", in: workspace)
        #expect(run.outputText.contains("X-A: usual"))
        #expect(!run.outputText.contains("X-B"))
    }

    @Test(
        "secrets, variables of the process and unknown names are errors",
        arguments: ["{{secret.token}}", "{{$env.HOME}}", "{{idd}}", "{{request.body.$..a}}", "{{request.body.$[}}"])
    func unresolved(_ placeholder: String) async throws {
        let endpoint = Self.endpoint.replacing(
            #""standard": { "text": "standard" }"#, with: #""standard": { "text": "\#(placeholder)", "fill": true }"#)
        let workspace = try TemporaryFolder.workspace(
            endpoint: endpoint.replacing(#""tags": [1, 2]"#, with: #""a": [{"a": 1}]"#))
        let run = await InProcess().run("send", "a", "id=7", "--stub", in: workspace)
        #expect(run.status == 3)
        #expect(run.errors.contains("the stub variant standard cannot be filled"))
    }

    @Test("a body comes in parts over its time")
    func slow() async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "path": "/", "stubs": { "variants": { "x": { "text": "0123456789", "bodyTime": "2s" } } } }"#)
        let program = InProcess()
        let run = await program.run("send", "a", "--stub", in: workspace)
        #expect(run.outputText == "0123456789")
        #expect(program.sleeps.durations == Array(repeating: .milliseconds(200), count: 10))
    }

    @Test(
        "validate reports conditions that can't hold",
        arguments: [
            (#"{ "params": { "idd": 1 } }"#, "a has no param \"idd\""),
            (#"{ "json": { "$[": 1 } }"#, "expected a name in quotes"),
            (#"{ "query": { "q": "{{id}}" } }"#, "\"when\" takes no placeholders"), (#"{}"#, "\"when\" needs one of"),
            (#"{ "body": { "matches": "(" } }"#, "("),
        ])
    func invalid(_ condition: String, _ message: String) async throws {
        let endpoint = Self.endpoint.replacing(#""standard": {"#, with: #""standard": { "when": \#(condition),"#)
        let workspace = try TemporaryFolder.workspace(endpoint: endpoint)
        let run = await InProcess().run("validate", in: workspace)
        #expect(run.status == 3)
        #expect((run.outputText + run.errors).contains(message))
    }
}
