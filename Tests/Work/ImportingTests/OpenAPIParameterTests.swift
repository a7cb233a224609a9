import Importing
import ReqcliText
import Testing

@Suite("Params of an OpenAPI description")
struct OpenAPIParameterTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let operation: String
        let path: String
        let json: String
        let notes: [String]

        init(_ description: String, _ operation: String, path: String = "/things", _ json: String, _ notes: String...) {
            testDescription = description
            self.operation = operation
            self.path = path
            self.json = json
            self.notes = notes
        }
    }

    static let cases = [
        Case(
            "a path parameter is called by an example",
            "parameters:\n- { name: id, in: path, schema: { type: integer, minimum: 5 } }",
            path: "/things/{id}",
            #"{"path":"/things/{{id}}","params":{"id":{"type":"integer","minimum":5,"example":5}},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "parameters inside a segment, one of them not declared",
            "parameters:\n- { name: a, in: path, schema: { type: string, enum: [x, y] } }", path: "/t/{a}..{b}",
            #"{"path":"/t/{{a}}..{{b}}","params":{"a":{"type":"string","enum":["x","y"],"example":"x"},"b":{"type":"string","example":"example"}},"expect":{"status":"2xx"}}"#,
            "6:5 approximated: a path parameter isn't declared: it becomes a string (b)"),
        Case(
            "a wire name that is none of ours stays on the wire",
            "parameters:\n- { name: $top, in: query, schema: { type: integer, maximum: 9, exclusiveMinimum: 0 } }",
            #"{"path":"/things","params":{"top":{"type":"integer","minimum":1,"maximum":9,"required":false}},"query":{"$top":"{{top}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "a list repeats its name",
            "parameters:\n- { name: tag, in: query, schema: { type: array, items: { type: string, minLength: 2 }, maxItems: 3 } }",
            #"{"path":"/things","params":{"tag":{"type":"list","items":{"type":"string","minLength":2},"maxItems":3,"required":false}},"query":{"tag":"{{tag}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "a list with pipes",
            "parameters:\n- { name: tag, in: query, required: true, style: pipeDelimited, explode: false, schema: { type: array, items: { type: integer } } }",
            #"{"path":"/things","params":{"tag":{"type":"list","items":{"type":"integer"},"join":"|","example":[1]}},"query":{"tag":"{{tag}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "a list that isn't exploded",
            "parameters:\n- { name: tag, in: query, explode: false, schema: { type: array, items: { type: string } } }",
            #"{"path":"/things","params":{"tag":{"type":"list","items":{"type":"string"},"join":",","required":false}},"query":{"tag":"{{tag}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "a deep object has a param for each member",
            "parameters:\n- { name: at, in: query, style: deepObject, schema: { type: object, properties: { gt: { type: integer }, in: { type: array, items: { type: string } } } } }",
            #"{"path":"/things","params":{"at_gt":{"type":"integer","required":false},"at_in":{"type":"list","items":{"type":"string"},"required":false}},"query":{"at[gt]":"{{at_gt}}","at[in][]":"{{at_in}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "a list as a deep object",
            "parameters:\n- { name: expand, in: query, style: deepObject, schema: { type: array, items: { type: string } } }",
            #"{"path":"/things","params":{"expand":{"type":"list","items":{"type":"string"},"required":false}},"query":{"expand[]":"{{expand}}"},"expect":{"status":"2xx"}}"#,
            "8:9 approximated: the style deepObject is not defined for a value that is not an object (expand)"),
        Case(
            "an exploded object is its members",
            "parameters:\n- { name: page, in: query, schema: { type: object, properties: { size: { type: integer, default: 20 } } } }",
            #"{"path":"/things","params":{"size":{"type":"integer","required":false,"example":20}},"query":{"size":"{{size}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "JSON in a query",
            "parameters:\n- { name: filter, in: query, content: { application/json: { schema: { type: object } } } }",
            #"{"path":"/things","params":{"filter":{"type":"json","schema":{"type":"object"},"required":false}},"query":{"filter":"{{filter}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "headers, but not those that body and auth say",
            "parameters:\n- { name: X-Trace, in: header, schema: { type: string, default: a } }\n- { name: Accept, in: header, schema: { type: string } }",
            #"{"path":"/things","params":{"X-Trace":{"type":"string","default":"a"}},"headers":{"X-Trace":"{{X-Trace}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "cookies that are required",
            "parameters:\n- { name: theme, in: cookie, required: true, schema: { type: string } }\n- { name: other, in: cookie, schema: { type: string } }",
            #"{"path":"/things","params":{"theme":{"type":"string","example":"example"}},"headers":{"Cookie":"theme={{theme}}"},"expect":{"status":"2xx"}}"#,
            "9:9 lost: optional cookies are not converted (other)"),
        Case(
            "anchors of a pattern go, since ours matches the whole text",
            #"parameters:\#n- { name: a, in: query, schema: { type: string, pattern: '^\d{2}[\w$]$' } }"#,
            #"{"path":"/things","params":{"a":{"type":"string","pattern":"[0-9]{2}[A-Za-z0-9_$]","required":false}},"query":{"a":"{{a}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "formats of dates and what is deprecated",
            "parameters:\n- { name: a, in: query, deprecated: true, schema: { type: string, format: date } }\n- { name: b, in: query, schema: { type: string, format: date-time, deprecated: true, default: '2026' } }",
            #"{"path":"/things","params":{"a":{"type":"string","format":"date","required":false,"deprecated":true},"b":{"type":"string","format":"date-time","required":false,"deprecated":true}},"query":{"a":"{{a}}","b":"{{b}}"},"expect":{"status":"2xx"}}"#
        ),
        Case(
            "a pattern that looks around is lost",
            "parameters:\n- { name: a, in: query, schema: { type: string, pattern: '^(?=a)b' } }",
            #"{"path":"/things","params":{"a":{"type":"string","required":false}},"query":{"a":"{{a}}"},"expect":{"status":"2xx"}}"#,
            "8:64 lost: a pattern can't be converted to a pattern of a param (^(?=a)b)"),
        Case(
            "an example that its type doesn't take is left out",
            "parameters:\n- { name: a, in: query, required: true, example: many, schema: { type: integer, maximum: -2 } }",
            #"{"path":"/things","params":{"a":{"type":"integer","maximum":-2,"example":-2}},"query":{"a":"{{a}}"},"expect":{"status":"2xx"}}"#
        ),
    ]

    @Test("Parameters become params", arguments: cases)
    func parameters(_ example: Case) throws {
        let made = try ImportedOpenAPI.endpoint(ImportedOpenAPI.description(example.operation, path: example.path))
        #expect(made.json == example.json)
        #expect(made.notes == example.notes)
    }

    @Test("A parameter of the operation replaces that of its path")
    func pathParameters() throws {
        let made = try ImportedOpenAPI.endpoint(
            """
            openapi: 3.0.0
            servers: [ { url: https://shop.example } ]
            paths:
              /a:
                parameters: [ { $ref: '#/components/parameters/Page' }, { name: b, in: query, schema: { type: boolean } } ]
                get: { parameters: [ { name: page, in: query, schema: { type: string } } ] }
            components: { parameters: { Page: { name: page, in: query, schema: { type: integer } } } }
            """)
        #expect(made.json.contains(#""params":{"b":{"type":"boolean","required":false},"page":{"type":"string""#))
    }
}
