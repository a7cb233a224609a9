import Calling
import Checking
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

/// Responses held against descriptions in OpenAPI.
@Suite struct DescriptionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What is below `get` of the path `/a`.
        let operation: String
        let response: ReceivedResponse
        let failures: [String]

        init(_ name: String, _ operation: String, _ response: ReceivedResponse, _ failures: String...) {
            (testDescription, self.operation, self.response, self.failures) = (name, operation, response, failures)
        }
    }

    private static func response(
        _ text: String = "{}", _ headers: HeaderFields = [:], status: Int = 200, type: String? = "application/json",
        method: String = "GET"
    ) -> ReceivedResponse {
        let type = type.map { [HeaderFields.Field("Content-Type", $0)] } ?? []
        return ReceivedResponse(
            status: status, headers: HeaderFields(type + Array(headers)), body: ReceivedBody(Array(text.utf8)),
            method: method, requestURL: "http://localhost/a")
    }

    private static func description(_ operation: String, version: String = "3.0.3", more: String = "") -> String {
        "openapi: \(version)\ninfo: {title: x, version: '1'}\npaths:\n  /a:\n    get: \(operation)\n\(more)"
    }

    private static let json = "responses: {'200': {content: {application/json: {schema: {type: object}}}}}"

    @Test(
        "The status has to be documented",
        arguments: [
            Case("as it is", "{\(json)}", response()),
            Case(
                "another one", "{operationId: getA, \(json)}", response("{}", status: 403),
                "status: expected a status documented for getA: 200, found 403"),
            Case(
                "none is", "{responses: {}}", response(),
                "status: expected a status documented for GET /a, which documents no status, found 200"),
            Case(
                "no responses", "{}", response(),
                "status: expected a status documented for GET /a, which documents no status, found 200"),
            Case("a range", "{responses: {4XX: {content: {'*/*': {}}}}}", response("{}", status: 404)),
            Case("a range in small letters", "{responses: {4xx: {content: {'*/*': {}}}}}", response("{}", status: 404)),
            Case(
                "another range", "{responses: {5XX: {}}}", response("{}", status: 404),
                "status: expected a status documented for GET /a: 5XX, found 404"),
            Case("the default", "{responses: {default: {content: {'*/*': {}}}}}", response("{}", status: 500)),
            Case(
                "a status beats a range, and a range the default",
                "{responses: {default: {}, 2XX: {content: {text/plain: {}}}, '200': {content: {application/json: {}}}}}",
                response()),
            Case(
                "a range beats the default", "{responses: {default: {}, 2XX: {content: {text/plain: {}}}}}", response(),
                "header Content-Type: expected text/plain, which GET /a documents for 2XX, found \"application/json\""),
            Case("a number of YAML", "{responses: {200: {content: {'*/*': {}}}}}", response()),
        ])
    func status(_ example: Case) throws { try judge(example) }

    private static func content(_ content: String) -> String { "{responses: {'200': {content: {\(content)}}}}" }

    @Test(
        "The Content-Type has to be one that is documented",
        arguments: [
            Case("with parameters", content("application/json: {}"), response(type: "Application/JSON; charset=utf-8")),
            Case(
                "two", content("application/json: {}, text/html: {}"),
                response("{}", ["Content-Type": "text/html"]),
                "header Content-Type: expected one media type, found \"application/json\" and \"text/html\""),
            Case(
                "the same twice", content("application/json: {}"), response("{}", ["Content-Type": "application/json"])),
            Case("a range", content("application/*: {}"), response()), Case("any", content("'*/*': {}"), response()),
            Case("any, without a type", content("'*/*': {}"), response("x", type: nil)),
            Case(
                "a documented parameter", content("text/csv; header=present: {}"), response("a", type: "text/csv"),
                "header Content-Type: expected text/csv; header=present, which GET /a documents for 200, found \"text/csv\""
            ),
            Case(
                "a documented parameter that is there", content("text/csv; header=present: {}"),
                response("a", type: "text/csv;header=\"present\"")),
            Case("JSON is UTF-8", content("application/json; charset=UTF-8: {}"), response()),
            Case(
                "the narrowest range counts",
                content(
                    "'*/*': {schema: {not: {}}}, application/*: {schema: {not: {}}}, application/json: {schema: {}}"),
                response()),
            Case(
                "another", content("application/json: {}, text/csv: {}"), response("<p>", type: "text/html"),
                "header Content-Type: expected application/json or text/csv, which GET /a documents for 200, found \"text/html\""
            ),
            Case(
                "none", content("application/json: {schema: {type: array}}"), response(type: nil),
                "header Content-Type: expected application/json, which GET /a documents for 200, found no such header",
                "$: expected an array, found {}"),
            Case(
                "none that can be read", content("application/json: {}"), response(type: "json"),
                "header Content-Type: expected application/json, which GET /a documents for 200, found \"json\""),
            Case(
                "a suffix", content("application/problem+json: {schema: {type: array}}"),
                response(type: "application/problem+json"),
                "$: expected an array, found {}"),
        ])
    func types(_ example: Case) throws { try judge(example) }

    @Test(
        "Nothing is green because the description or the response says little",
        arguments: [
            Case(
                "no content is documented", "{responses: {'200': {description: x}}}", response(),
                "body: expected no body: GET /a documents no content for 200, found 2 bytes of application/json"),
            Case("no content, no body", "{responses: {'200': {description: x}}}", response("", type: nil)),
            Case(
                "empty content", "{responses: {default: {content: {}}}}", response("x", type: nil),
                "body: expected no body: GET /a documents no content for other statuses, found 1 bytes"),
            Case(
                "JSON without a schema", content("application/json: {}"), response("{"),
                "body: expected JSON, found \"{\" (application/json); line 1, column 1: this \"{\" is never closed"),
            Case(
                "an empty body of JSON", content("application/json: {}"), response(""),
                "body: expected JSON, found an empty body"),
            Case(
                "an empty body without a type", content("application/json: {}"), response("", type: nil),
                "body: expected application/json, which GET /a documents for 200, found an empty body"),
            Case(
                "JSON where any type is", content("'*/*': {schema: {type: array}}"), response(),
                "$: expected an array, found {}"),
            Case(
                "a duplicate key", content("application/json: {schema: {type: object}}"),
                response(#"{"a": 1, "a": 2}"#),
                "$: expected an object without duplicate keys, found the key \"a\" more than once in $"),
            Case(
                "HEAD has no body", content("application/json: {schema: {type: array}}"), response("", method: "HEAD"),
                "request: expected an operation of api.yaml, found a HEAD request that matches no operation"),
            Case("204", "{responses: {'204': {description: x}}}", response("", status: 204, type: nil)),
            Case(
                "204 in a range with content", "{responses: {2XX: {content: {application/json: {}}}}}",
                response("", status: 204, type: nil)),
        ])
    func greenByAccident(_ example: Case) throws { try judge(example) }

    private func judge(_ example: Case) throws {
        let failures = try Workshop.failures(describedBy: Self.description(example.operation), example.response)
        #expect(failures.map(\.message) == example.failures)
    }

    @Test("A response to HEAD is held against the description without its body")
    func head() throws {
        let text = """
            openapi: 3.1.0
            paths: {/a: {head: {responses: {'200': {
              headers: {ETag: {required: true}}, content: {application/json: {schema: {type: array}}}}}}}}
            """
        let bare = try Workshop.failures(describedBy: text, Self.response("", type: nil, method: "HEAD"))
        #expect(
            bare.map(\.message) == [
                "header ETag: expected a value, which HEAD /a requires for 200, found no such header"
            ])
        let other = try Workshop.failures(
            describedBy: text, Self.response("", ["ETag": "x"], type: "text/html", method: "HEAD"))
        #expect(other.map(\.subject) == ["header Content-Type"])
    }

    // MARK: Headers

    private static func headers(_ headers: String) -> String {
        "{operationId: getA, responses: {'200': {content: {'*/*': {}}, headers: {\(headers)}}}}"
    }

    @Test(
        "Headers have to be there and fit their schemas",
        arguments: [
            Case(
                "a required one", headers("X-A: {required: true, schema: {type: string}}"), response(),
                "header X-A: expected a value, which getA requires for 200, found no such header"),
            Case("another one", headers("X-A: {schema: {type: integer}}"), response()),
            Case("names in any case", headers("x-a: {required: true}"), response("{}", ["X-A": ""])),
            Case(
                "a number", headers("X-A: {schema: {type: integer, maximum: 5}}"), response("{}", ["X-A": "7"]),
                "header X-A: expected a number of at most 5, found \"7\""),
            Case(
                "no number", headers("X-A: {schema: {type: integer}}"), response("{}", ["X-A": "many"]),
                "header X-A: expected a whole number, found \"many\""),
            Case(
                "text of digits", headers("X-A: {schema: {type: string, maxLength: 2}}"), response("{}", ["X-A": "12"])),
            Case("a boolean", headers("X-A: {schema: {type: boolean}}"), response("{}", ["X-A": "true"])),
            Case(
                "a list", headers("X-A: {schema: {type: array, items: {type: integer}, maxItems: 2}}"),
                response("{}", ["X-A": "1, 2"])),
            Case(
                "a list in several fields",
                headers("X-A: {schema: {type: array, items: {type: integer}, maxItems: 1}}"),
                response("{}", ["X-A": "1", "X-A": "2"]), "header X-A: expected at most 1 item, found \"1, 2\""),
            Case(
                "an object", headers("X-A: {explode: true, schema: {type: object, properties: {n: {type: integer}}}}"),
                response("{}", ["X-A": "n=x"]), "header X-A: expected a whole number, found \"n=x\""),
            Case(
                "JSON", headers("X-A: {content: {application/json: {schema: {required: [a]}}}}"),
                response("{}", ["X-A": "{}"]), "header X-A: expected a member \"a\", found \"{}\""),
            Case(
                "what is meant to be JSON", headers("X-A: {content: {application/json: {schema: {}}}}"),
                response("{}", ["X-A": "{"]), "header X-A: expected JSON, found \"{\""),
            Case("the media type says it already", headers("content-type: {schema: {enum: [x]}}"), response()),
            Case(
                "cookies, whose values are hidden", headers("Set-Cookie: {schema: {type: string, pattern: '^a='}}"),
                response("{}", ["Set-Cookie": "a=1", "Set-Cookie": "b=2"]),
                "header Set-Cookie: expected text that matches /^a=/, found \"b=***\""),
        ])
    func headerRules(_ example: Case) throws { try judge(example) }

    // MARK: Schemas

    struct Judged: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: String
        let schema: String
        let body: String
        let failures: [String]

        init(_ name: String, _ version: String, _ schema: String, _ body: String, _ failures: String...) {
            (testDescription, self.version, self.schema, self.body, self.failures) = (
                name, version, schema, body, failures
            )
        }
    }

    private static let components = """
        components:
          schemas:
            Ref: {type: object, required: [id], properties: {id: {type: integer}}}
            Secret: {type: string, writeOnly: true}
            Cat: {type: object, required: [kind, lives], properties: {kind: {type: string}, lives: {type: integer}}}
            Dog: {type: object, required: [kind, bark], properties: {kind: {type: string}, bark: {type: string}}}
            Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}, n: {type: integer}}}
        """
    private static let pets = "oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]"

    @Test(
        "Schemas are in the dialect of their version",
        arguments: [
            Judged("nullable", "3.0.3", "{type: string, nullable: true}", "null"),
            Judged("without nullable", "3.0.3", "{type: string}", "null", "$: expected text, found null"),
            Judged(
                "nullable beside allOf", "3.0.3", "{nullable: true, allOf: [{$ref: '#/components/schemas/Ref'}]}",
                "null",
                "$: expected an object (\"nullable\" has no effect next to \"allOf\" without \"type\"), found null"),
            Judged(
                "nullable beside a reference", "3.0.3", "{nullable: true, $ref: '#/components/schemas/Ref'}", "null",
                "$: expected an object (\"nullable\" has no effect next to \"$ref\"), found null"),
            Judged(
                "nullable beside enum", "3.0.3", "{type: string, nullable: true, enum: [a]}", "null",
                "$: expected \"a\" (\"nullable\" does not add null to \"enum\"), found null"),
            Judged(
                "nullable means nothing in 3.1", "3.1.0", "{type: string, nullable: true}", "null",
                "$: expected text, found null"),
            Judged("null as a type", "3.1.0", "{type: [string, 'null']}", "null"),
            Judged(
                "a flag beside a bound", "3.0.3", "{minimum: 1, exclusiveMinimum: true}", "1",
                "$: expected a number above 1, found 1"),
            Judged("a flag that is off", "3.0.3", "{maximum: 1, exclusiveMaximum: false}", "1"),
            Judged(
                "a bound of its own", "3.1.0", "{exclusiveMinimum: 1}", "1", "$: expected a number above 1, found 1"),
            Judged(
                "nothing counts beside a reference", "3.0.3", "{$ref: '#/components/schemas/Ref', required: [x]}",
                #"{"id": 1}"#),
            Judged(
                "beside a reference in 3.1", "3.2.0", "{$ref: '#/components/schemas/Ref', required: [x]}",
                #"{"id": 1}"#,
                "$: expected a member \"x\", found no member with this name"),
            Judged(
                "an identifier is no keyword in 3.0", "3.0.3",
                "{type: object, id: 'http://x/#y', properties: {id: {type: integer}}}", #"{"id": "a"}"#,
                "$.id: expected a whole number, found \"a\""),
            Judged(
                "JSON Schema in 3.1", "3.1.0", "{unevaluatedProperties: false, allOf: [{properties: {a: {const: 1}}}]}",
                #"{"a": 1, "b": 2}"#,
                "$.b: expected only members that the schema names (unevaluatedProperties), found 2"),
            Judged(
                "an anchor in 3.1", "3.1.0", "{$defs: {b: {$anchor: b, type: 'null'}}, properties: {a: {$ref: '#b'}}}",
                #"{"a": 1}"#, "$.a: expected null, found 1"),
            Judged(
                "a schema inside itself", "3.0.3", "{$ref: '#/components/schemas/Node'}",
                #"{"next": {"next": {"n": "x"}}}"#,
                "$.next.next.n: expected a whole number, found \"x\""),
        ])
    func dialects(_ example: Judged) throws { try judge(example) }

    @Test(
        "Members that only requests have must not come, and are not required",
        arguments: [
            Judged(
                "not required", "3.0.3",
                "{type: object, required: [a], properties: {a: {type: string, writeOnly: true}}}", "{}"),
            Judged(
                "also not by 3.1", "3.1.0",
                "{type: object, required: [a], properties: {a: {type: string, writeOnly: true}}}", "{}"),
            Judged(
                "by reference", "3.0.3", "{required: [a], properties: {a: {$ref: '#/components/schemas/Secret'}}}", "{}"
            ),
            Judged(
                "required elsewhere", "3.0.3", "{allOf: [{required: [a, b]}, {properties: {a: {writeOnly: true}}}]}",
                "{}",
                "$: expected a member \"b\", found no member with this name"),
            Judged(
                "required by a branch", "3.0.3", "{properties: {a: {writeOnly: true}}, oneOf: [{required: [a]}]}", "{}"),
            Judged(
                "required by a branch, with another branch for requests", "3.0.3",
                "{oneOf: [{required: [a], properties: {b: {}}}, {required: [c], properties: {a: {writeOnly: true}}}]}",
                "{}", "$: expected a member \"a\", or 1 other schema, found no member with this name"),
            Judged(
                "not for another object", "3.0.3", "{properties: {a: {writeOnly: true}, in: {required: [a]}}}",
                #"{"in": {}}"#,
                "$.in: expected a member \"a\", found no member with this name"),
            Judged(
                "a false one", "3.0.3", "{required: [a], properties: {a: {writeOnly: false}}}", "{}",
                "$: expected a member \"a\", found no member with this name"),
            Judged(
                "one that comes", "3.1.0", "{properties: {a: {type: string, writeOnly: true}}}", #"{"a": "x"}"#,
                "$.a: expected no such member, because only requests have it (writeOnly), found \"x\""),
            Judged(
                "one that comes, by reference", "3.0.3", "{properties: {a: {$ref: '#/components/schemas/Secret'}}}",
                #"{"a": "x"}"#,
                "$.a: expected no such member, because only requests have it (writeOnly), found \"x\""),
            Judged(
                "readOnly members come", "3.0.3", "{required: [a], properties: {a: {readOnly: true, type: integer}}}",
                #"{"a": 1}"#),
        ])
    func writeOnly(_ example: Judged) throws { try judge(example) }

    @Test(
        "A discriminator picks the branch that is explained",
        arguments: [
            Judged(
                "by the schema's name", "3.0.3", "{\(pets), discriminator: {propertyName: kind}}",
                #"{"kind": "Dog", "lives": "x"}"#,
                "$: expected a member \"bark\", found no member with this name"),
            Judged(
                "by a mapping", "3.1.0",
                "{\(pets), discriminator: {propertyName: kind, mapping: {tom: '#/components/schemas/Cat'}}}",
                #"{"kind": "tom", "bark": 1}"#, "$: expected a member \"lives\", found no member with this name"),
            Judged(
                "by a name in a mapping", "3.0.3",
                "{\(pets), discriminator: {propertyName: kind, mapping: {tom: Cat}}}",
                #"{"kind": "tom"}"#, "$: expected a member \"lives\", found no member with this name"),
            Judged(
                "no such name", "3.0.3", "{\(pets), discriminator: {propertyName: kind}}", #"{"kind": "bird"}"#,
                "$: expected \"kind\" to name a schema: one of \"Cat\", \"Dog\", found \"bird\""),
            Judged(
                "no name", "3.0.3", "{\(pets), discriminator: {propertyName: kind}}", "{}",
                "$: expected \"kind\" to name a schema: one of \"Cat\", \"Dog\", found no member \"kind\""),
            Judged(
                "it decides nothing by itself", "3.0.3", "{\(pets), discriminator: {propertyName: kind}}",
                #"{"kind": "bird", "bark": "x"}"#),
            Judged(
                "without one, the schema that got furthest", "3.0.3", "{\(pets)}", #"{"kind": "Cat", "lives": "x"}"#,
                "$.lives: expected a whole number, or 1 other schema, found \"x\""),
        ])
    func discriminators(_ example: Judged) throws { try judge(example) }

    private func judge(_ example: Judged) throws {
        let operation = "{responses: {'200': {content: {application/json: {schema: \(example.schema)}}}}}"
        let text = Self.description(operation, version: example.version, more: Self.components)
        let failures = try Workshop.failures(describedBy: text, Self.response(example.body))
        #expect(failures.map(\.message) == example.failures)
    }

    @Test("A failure has its place in the description, in another file too, and in the response")
    func places() throws {
        let marked = MarkedText(#"{"list": {"type": "array", "items": {"properties": {"id": {"type": ⟦"integer"⟧}}}}}"#)
        let operation = "{responses: {'200': {content: {application/json: {schema: {$ref: 'parts/list.json#/list'}}}}}}"
        let failures = try Workshop.failures(
            describedBy: Self.description(operation), Self.response(#"[{"id": 1}, {"id": "x"}]"#),
            files: ["parts/list.json": marked.text])
        #expect(failures.map(\.subject) == ["$[1].id"])
        #expect(
            failures.map(\.place.description) == [
                "parts/list.json:1:\(marked.text.prefix(marked.ranges[0].lowerBound).count + 1)"
            ])
        #expect(failures.first?.path == "$[1]['id']")
    }

    @Test("A message shows no secret")
    func secrets() throws {
        let operation = """
            {responses: {'200': {headers: {X-A: {schema: {type: integer}}}, content: {application/json: {schema: {properties: {a: {type: integer}}}}}}}}
            """
        let failures = try Workshop.failures(
            describedBy: Self.description(operation), Self.response(#"{"a": "hunter2!"}"#, ["X-A": "hunter2!"]),
            redactor: Redactor([Redactor.Secret(label: "secret.pin", value: "hunter2!")]))
        #expect(failures.map(\.actual) == [#""<secret.pin>""#, #""<secret.pin>""#])
    }

    @Test("Other conditions count as before, except that the description decides on the status")
    func besides() throws {
        let text = Self.description("{responses: {'404': {description: x}}}")
        let missing = Self.response("", status: 404, type: nil)
        #expect(try Workshop.failures(describedBy: text, missing).isEmpty)
        let stated = #"{"openapi": "api.yaml", "status": 200, "body": {"empty": true}}"#
        #expect(try Workshop.failures(describedBy: text, missing, expecting: stated).map(\.subject) == ["status"])
    }
}
