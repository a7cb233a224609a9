import ReqcliJSONSchema
import ReqcliText
import TestSupport
import Testing

struct FindingTests {
    static let findings: [(name: String, schema: MarkedText, findings: [String])] = [
        (
            "a keyword near a known one", #"{"type": "object", ⟦"requred"⟧: ["id"]}"#,
            ["error: unknown keyword \"requred\" | did you mean \"required\"?"]
        ),
        (
            "a reference without its sign", ##"{"items": {⟦"ref"⟧: "#"}, "type": "array"}"##,
            ["error: unknown keyword \"ref\" | did you mean \"$ref\"?"]
        ),
        (
            "an unknown keyword", #"{"type": "string", ⟦"enumNames"⟧: [], "x-order": 1}"#,
            ["warning: unknown keyword \"enumNames\": it has no effect"]
        ),
        (
            "a keyword of another draft",
            #"{"$schema": "http://json-schema.org/draft-07/schema", "type": "array", ⟦"prefixItems"⟧: []}"#,
            [
                "warning: \"prefixItems\" is not a keyword of this dialect: it has no effect | this schema is draft-07; "
                    + "the keyword belongs to 2020-12"
            ]
        ),
        (
            "an unknown format", #"{"type": "string", "format": ⟦"datetime"⟧}"#,
            ["warning: unknown format \"datetime\": it has no effect | did you mean \"date-time\"?"]
        ),
        (
            "a schema of notes", #"⟦{⟧"title": "User", "properties": {"a": {}}}"#,
            ["warning: this schema accepts everything"]
        ),
        ("true", "⟦t⟧rue", ["warning: this schema accepts everything"]),
        (
            "no type", #"{"required": ⟦["id"]⟧, "properties": {"id": {"type": "integer"}}}"#,
            ["warning: a list passes this schema: \"required\" applies only to objects | add \"type\": \"object\""]
        ),
        (
            "no type behind a reference", ##"{"$ref": "#/$defs/a", "$defs": {"a": {"required": ⟦["id"]⟧}}}"##,
            ["warning: a list passes this schema: \"required\" applies only to objects | add \"type\": \"object\""]
        ),
        (
            "a sibling of $ref",
            #"""
            {"$schema": "http://json-schema.org/draft-07/schema", "type": "array",
             "items": {"$ref": "#/definitions/a", ⟦"minLength"⟧: 1, "description": "d"},
             "definitions": {"a": {"type": "string"}}}
            """#,
            [
                "warning: \"minLength\" has no effect next to \"$ref\" | draft-07 ignores the keyword; put both into \"allOf\""
            ]
        ),
        (
            "a keyword that is there twice", #"{"type": "object", ⟦"type"⟧: "array"}"#,
            ["error: this keyword occurs twice"]
        ),
        (
            "a part that nothing refers to", ##"{"type": "null", "$defs": {"a": {"$ref": ⟦"#/$defs/b"⟧}}}"##,
            ["error: user.json has nothing at /$defs/b"]
        ),
        ("a sound schema", #"{"type": "object", "required": ["id"], "$comment": "c"}"#, []),
        (
            "siblings in later drafts", ##"{"$ref": "#/$defs/a", "minLength": 1, "$defs": {"a": {"type": "string"}}}"##,
            []
        ),
    ]

    @Test("What judges less than it seems to is found at its place", arguments: findings)
    func finding(name: String, schema: MarkedText, findings: [String]) throws {
        var compiler = SchemaCompiler()
        let found = compiler.findings(in: try value(schema.text, name: "user.json"))
        #expect(lines(found) == findings, "\(name)")
        #expect(found.map { $0.place?.range } == schema.ranges, "\(name)")
    }
}
