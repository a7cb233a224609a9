import Foundation
import Importing
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite("Descriptions in OpenAPI and Swagger")
struct OpenAPIFormatTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let operation: String
        let method: String
        let rest: String
        let json: String
        let notes: [String]

        init(
            _ description: String, _ operation: String, method: String = "post", rest: String = "", _ json: String,
            _ notes: String...
        ) {
            testDescription = description
            self.operation = operation
            self.method = method
            self.rest = rest
            self.json = json
            self.notes = notes
        }
    }

    static let bodies = [
        Case(
            "writable members of JSON become params, required ones first",
            """
            requestBody: { content: { application/json: { schema: { type: object, required: [b], properties: {
              id: { type: integer, readOnly: true }, a: { type: integer, default: 1 }, b: { type: string, example: x },
              c: { type: array, items: { type: string } } } } } } }
            """,
            #"{"method":"POST","path":"/things","params":{"b":{"type":"string","example":"x"},"a":{"type":"integer","required":false,"example":1},"c":{"type":"json","schema":{"type":"array","items":{"type":"string"}},"required":false}},"body":{"json":{"b":"{{b}}","a":"{{a}}","c":"{{c}}"}}}"#
        ),
        Case(
            "another value than an object is one param",
            "requestBody: { required: true, content: { application/json: { schema: { type: array, items: { type: integer } } } } }",
            #"{"method":"POST","path":"/things","params":{"body":{"type":"json","schema":{"type":"array","items":{"type":"integer"}},"example":[1]}},"body":{"json":"{{body}}"}}"#
        ),
        Case(
            "JSON goes before a form, and its own type is a header",
            """
            requestBody: { content: { application/x-www-form-urlencoded: {}, application/merge-patch+json: {
              schema: { type: object, required: [op], properties: { op: { const: add } } } } } }
            """,
            #"{"method":"POST","path":"/things","headers":{"Content-Type":"application/merge-patch+json"},"body":{"json":{"op":"add"}}}"#,
            "7:33 lost: a body has several media types: only one is used (application/x-www-form-urlencoded)"),
        Case(
            "a form with the members of an object",
            """
            requestBody: { content: { application/x-www-form-urlencoded: {
              schema: { type: object, properties: { card: { type: object, required: [n], properties: { n: { type: string } } },
                list: { type: array, items: { type: string } } } },
              encoding: { card: { style: deepObject }, list: { style: deepObject } } } } }
            """,
            #"{"method":"POST","path":"/things","params":{"card_n":{"type":"string","required":false},"list":{"type":"list","items":{"type":"string"},"required":false}},"body":{"form":{"card[n]":"{{card_n}}","list[]":"{{list}}"}}}"#,
            "9:11 approximated: a list in the style deepObject repeats its name with [] (list)"),
        Case(
            "files and JSON in parts",
            """
            requestBody: { content: { multipart/form-data: { schema: { type: object, required: [f], properties: {
              f: { type: string, format: binary }, meta: { type: object } } } } } }
            """,
            #"{"method":"POST","path":"/things","params":{"f":{"type":"file"},"meta":{"type":"json","schema":{"type":"object"},"required":false}},"body":{"multipart":{"f":{"file":"{{f}}"},"meta":{"text":"{{meta}}","contentType":"application/json"}}}}"#
        ),
        Case(
            "bytes are a file", "requestBody: { required: true, content: { image/png: {} } }",
            #"{"method":"POST","path":"/things","params":{"body":{"type":"file"}},"headers":{"Content-Type":"image/png"},"body":{"file":"{{body}}"}}"#
        ),
    ]

    static let responses = [
        Case(
            "statuses and a schema that is referred to",
            """
            responses: { 201: { content: { application/json: { schema: { $ref: '#/components/schemas/T' } } } },
              200: { content: { application/json: { schema: { $ref: '#/components/schemas/T' } } } }, 404: {} }
            """, method: "get", rest: "components: { schemas: { T: { type: object } } }",
            #"{"path":"/things","expect":{"status":[201,200],"schema":"shop.json#/$defs/T"}}"#),
        Case(
            "the response of a request that may change something is described, not expected",
            "responses: { 201: { content: { application/json: { schema: { type: object } } } }, 400: {} }",
            #"{"method":"POST","path":"/things","response":{"status":201,"schema":{"type":"object"}}}"#),
        Case(
            "no schema where a good response may be empty",
            "responses: { 200: { content: { application/json: { schema: { type: object } } } }, 204: {} }",
            method: "get",
            #"{"path":"/things","expect":{"status":[200,204]}}"#,
            "6:5 approximated: a response has no schema, because a successful response may have no JSON (#/paths/~1things/get)"
        ),
        Case(
            "examples become variants",
            """
            responses:
              404: { description: 'Not there', content: { application/json: { example: { e: 1 } } } }
              200: { content: { application/json: { examples: { Full One: { value: [1] }, empty: { value: [] } } } } }
              422: { content: { text/plain: { examples: { a: { value: A }, b: { externalValue: b.txt } } } } }
            """,
            method: "get",
            #"{"path":"/things","expect":{"status":200},"stubs":{"variants":{"standard":{"json":[1]},"200-empty":{"json":[]},"404":{"description":"Not there","status":404,"json":{"e":1}},"422":{"status":422,"headers":{"Content-Type":"text/plain"},"text":"A"}}}}"#,
            "10:90 lost: an external example is not read (b)"),
        Case(
            "an error with an example is not the default: a success is made from its schema",
            """
            responses:
              422: { content: { application/json: { example: { e: 1 } } } }
              201: { content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: integer } } } } } }
            """,
            method: "post",
            #"{"method":"POST","path":"/things","response":{"status":201,"schema":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}},"stubs":{"variants":{"standard":{"status":201,"json":{"id":1}},"422":{"status":422,"json":{"e":1}}}}}"#
        ),
        Case(
            "a success without a schema has the status alone",
            "responses: { 204: {}, 404: { content: { application/json: { example: { e: 1 } } } } }",
            method: "delete",
            #"{"method":"DELETE","path":"/things","stubs":{"variants":{"standard":{"status":204},"404":{"status":404,"json":{"e":1}}}}}"#
        ),
        Case(
            "an operation that has only an error gets a success",
            "responses: { 404: { content: { application/json: { example: { e: 1 } } } } }",
            method: "delete",
            #"{"method":"DELETE","path":"/things","stubs":{"variants":{"standard":{},"404":{"status":404,"json":{"e":1}}}}}"#
        ),
        Case(
            "a success that no sample fits has the status alone before an error",
            """
            responses:
              200: { content: { application/json: { schema: { type: object, not: {} } } } }
              404: { content: { application/json: { example: { e: 1 } } } }
            """,
            method: "get",
            #"{"path":"/things","expect":{"status":200,"schema":{"type":"object","not":{}}},"stubs":{"variants":{"standard":{},"404":{"status":404,"json":{"e":1}}}}}"#,
            "6:5 lost: no sample response could be made that matches the schema"),
        Case(
            "a second success with an example is the default",
            "responses: { 200: {}, 201: { content: { application/json: { example: { a: 1 } } } }, 404: { content: { application/json: { example: { e: 1 } } } } }",
            method: "post",
            #"{"method":"POST","path":"/things","stubs":{"variants":{"201":{"status":201,"json":{"a":1}},"404":{"status":404,"json":{"e":1}}}}}"#
        ),
        Case(
            "a variant has the type of its example",
            """
            responses:
              200: { content: { application/json; charset=utf-8: { example: {} } } }
              400: { content: { application/problem+json: { example: { title: No } } } }
            """,
            method: "get",
            #"{"path":"/things","expect":{"status":200},"stubs":{"variants":{"standard":{"json":{}},"400":{"status":400,"headers":{"Content-Type":"application/problem+json"},"json":{"title":"No"}}}}}"#
        ),
        Case(
            "headers that every good response has are expected",
            """
            responses:
              200: { headers: { X-Id: { required: true }, ETag: { required: true }, X-Free: {} } }
              202: { headers: { x-id: { $ref: '#/components/headers/Id' } } }
              400: { headers: { Retry-After: { required: true } } }
            """, method: "get", rest: "components: { headers: { Id: { required: true } } }",
            #"{"path":"/things","expect":{"status":[200,202],"headers":{"X-Id":{"exists":true}}}}"#,
            "8:53 lost: a header is not expected, because not every successful response requires it (ETag)"),
        Case(
            "summary, further tags and that it is deprecated",
            "summary: Make one\ndescription: Long\ntags: [Thing Makers, Other One]\ndeprecated: true",
            method: "get",
            #"{"description":"Make one","tags":["other-one","deprecated"],"path":"/things","expect":{"status":"2xx"}}"#
        ),
        Case(
            "what no endpoint has is noted with its place",
            "callbacks: { done: {} }\nresponses: { 200: { links: { next: {} } } }", method: "get",
            rest: "webhooks: { new: {} }",
            #"{"path":"/things","expect":{"status":200}}"#,
            "8:27 lost: links are not converted (#/paths/~1things/get/responses/200/links)",
            "7:7 lost: callbacks are not converted (#/paths/~1things/get/callbacks)",
            "9:13 lost: webhooks are not converted (new)"),
    ]

    @Test("Bodies and responses", arguments: bodies + responses)
    func operations(_ example: Case) throws {
        let made = try ImportedOpenAPI.endpoint(
            ImportedOpenAPI.description(example.operation, method: example.method, example.rest))
        #expect(made.json == example.json)
        #expect(made.notes == example.notes)
    }

    @Test("Tags say what their groups are about, and a UUID is one")
    func groups() throws {
        let made = try ImportedOpenAPI.run(
            ImportedOpenAPI.description(
                "tags: [Things]\nparameters: [ { name: id, in: query, required: true, schema: { type: string, format: uuid } } ]",
                "tags: [ { name: Things, description: \"All things.\\n\\nMore.\" } ]"))
        #expect(
            made.text["shop.things"]
                == #"{"description":"All things.","endpoints":{"list":{"path":"/things","params":{"id":{"type":"string","pattern":"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}","example":"00000000-0000-4000-8000-000000000000"}},"query":{"id":"{{id}}"},"expect":{"status":"2xx"}}}}"#
        )
    }

    @Test("The values of a server's variable are noted")
    func serverChoices() throws {
        let made = try ImportedOpenAPI.run(
            """
            openapi: 3.1.0
            info: { title: Shop }
            servers: [ { url: 'https://{region}.shop.example', variables: { region: { default: eu, enum: [eu, us] } } } ]
            paths: { /a: { get: {} } }
            """)
        #expect(
            made.notes.map(\.shown) == [
                "3:94 lost: the allowed values of a server variable are not converted (region: eu, us)"
            ])
    }

    @Test("Without schemas, none is expected")
    func noSchemas() throws {
        let text = ImportedOpenAPI.description(
            "responses: { 200: { content: { application/json: { schema: { type: object } } } } }")
        let made = try ImportedOpenAPI.run(text) { $0.hasSchemas = false }
        #expect(made.text["shop"]?.contains("schema") == nil || made.text.values.allSatisfy { !$0.contains("schema") })
    }

    @Test("Stubs are made from schemas on request, and recursion ends")
    func stubs() throws {
        let text = ImportedOpenAPI.description(
            "responses: { 200: { content: { application/json: { schema: { $ref: '#/components/schemas/T' } } } } }",
            """
            components: { schemas: { T: { type: object, required: [id], properties: {
              id: { type: integer, minimum: 3 }, at: { type: string, format: date }, code: { type: string, pattern: '^[A-Z]{2}-\\d$' },
              next: { $ref: '#/components/schemas/T' }, all: { type: array, items: { $ref: '#/components/schemas/T' } } } } } }
            """)
        let made = try ImportedOpenAPI.run(text) { $0.stubs = .all }
        #expect(
            made.text.values.contains {
                $0.contains(##""standard":{"json":{"id":3,"at":"2026-01-01","code":"AA-1","all":[]}}"##)
            })
    }
}
