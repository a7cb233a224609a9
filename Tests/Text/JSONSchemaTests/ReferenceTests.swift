import ReqcliBasics
import ReqcliJSONSchema
import ReqcliText
import TestSupport
import Testing

struct ReferenceTests {
    /// A schema in place, the files of the folder, and the problems at the marked places.
    static let problems: [(name: String, schema: MarkedText, files: [String: String], problems: [String])] = [
        (
            "a URI that no file has", #"{"$ref": ⟦"https://example.com/user"⟧}"#, [:],
            ["error: no file of schemas/ has the $id https://example.com/user: save the schema there"]
        ),
        (
            "a file that is missing", #"{"$ref": ⟦"usr.json"⟧}"#, ["user.json": "{}"],
            ["error: schemas/ has no file usr.json | did you mean \"user.json\"?"]
        ),
        (
            "a path outside", #"{"$ref": ⟦"../secret.json"⟧}"#, [:],
            ["error: this reference leads outside schemas/ | copy the file into schemas/"]
        ),
        (
            "an escaped path outside", #"{"$ref": ⟦"%2e%2e/secret.json"⟧}"#, [:],
            ["error: this reference leads outside schemas/ | copy the file into schemas/"]
        ),
        (
            "an absolute path", #"{"$ref": ⟦"/etc/passwd"⟧}"#, [:],
            ["error: this reference leads outside schemas/ | copy the file into schemas/"]
        ),
        (
            "a pointer to nothing", ##"{"$ref": ⟦"#/$defs/usr"⟧, "$defs": {"user": {}}}"##, [:],
            ["error: user.json has nothing at /$defs/usr | did you mean \"user\"?"]
        ),
        (
            "a pointer to a number", ##"{"$ref": ⟦"#/minimum"⟧, "minimum": 1}"##, [:],
            ["error: expected a schema at /minimum: an object, true or false"]
        ),
        (
            "an anchor that is missing", ##"{"$ref": ⟦"#usr"⟧, "$defs": {"a": {"$anchor": "user"}}}"##, [:],
            ["error: user.json has no anchor \"usr\" | did you mean \"user\"?"]
        ),
        (
            "an unknown dialect", #"{"$schema": ⟦"http://json-schema.org/draft-03/schema#"⟧}"#, [:],
            [
                "error: unknown dialect \"http://json-schema.org/draft-03/schema#\" | expected "
                    + "https://json-schema.org/draft/2020-12/schema, https://json-schema.org/draft/2019-09/schema, "
                    + "http://json-schema.org/draft-07/schema, http://json-schema.org/draft-06/schema, "
                    + "http://json-schema.org/draft-04/schema"
            ]
        ),
        (
            "a circle", ##"{"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": ⟦"#/$defs/a"⟧}]}}}"##, [:],
            ["error: this schema refers to itself without going deeper into the value | its evaluation would never end"]
        ),
        (
            "a value of a wrong kind", #"{"minimum": ⟦"5"⟧}"#, [:], ["error: expected a number; found \"5\""]
        ),
        (
            "an unknown type", #"{"type": ⟦"strng"⟧}"#, [:],
            [
                "error: expected one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\"; "
                    + "found \"strng\""
            ]
        ),
        (
            "a backreference", #"{"pattern": "(a)⟦\\1⟧"}"#, [:],
            [
                "error: a backreference is not supported | reqcli leaves it out, because a match could then take very long"
            ]
        ),
        (
            "identifiers that are not unique",
            #"{"$defs": {"a": {"$id": "https://e.com/a"}, "b": {"$id": ⟦"https://e.com/a"⟧}}}"#, [:],
            ["error: another schema has the same identifier, https://e.com/a"]
        ),
    ]

    @Test("A mistake in a schema is reported at its place", arguments: problems)
    func problem(name: String, schema: MarkedText, files: [String: String], problems: [String]) throws {
        var compiler = SchemaCompiler(folder: folder(files))
        let found = compiler.compile(try value(schema.text, name: "user.json"))
        #expect(found.schema == nil, "\(name)")
        #expect(lines(found.problems) == problems, "\(name)")
        #expect(found.problems.map { $0.place?.range } == schema.ranges, "\(name)")
    }

    @Test("Only files that are reached are read, and each once")
    func lazily() throws {
        let read = Mutex<[String]>([])
        let files = [
            "user.json":
                ##"{"properties": {"order": {"$ref": "sub/order.json#/$defs/short"}, "self": {"$ref": "#"}}}"##,
            "sub/order.json": #"{"$defs": {"short": {"items": {"$ref": "item.json"}}}}"#,
            "sub/item.json": #"{"type": "string"}"#, "other.json": "{",
        ]
        let names = folder(files) { path in read.withLock { $0.append(path) } }
        var compiler = SchemaCompiler(folder: names)
        let reference = try value(#""user.json""#)
        for _ in 0..<2 {
            let (schema, problems) = compiler.compile(at: reference)
            #expect(lines(problems) == [])
            #expect(try #require(schema).accepts(try value(#"{"order": ["a"], "self": {"order": []}}"#)))
            #expect(try #require(schema).accepts(value(#"{"self": {"order": [1]}}"#)) == false)
        }
        #expect(read.withLock { $0 } == ["user.json", "sub/order.json", "sub/item.json"])
    }

    @Test("A URI leads to the file that has it as $id, and a path beside the file works as well")
    func identifiers() throws {
        var compiler = SchemaCompiler(
            folder: folder([
                "user.json": #"{"$id": "https://example.com/a/user", "items": {"$ref": "order.json"}}"#,
                "order.json": #"{"$ref": "https://example.com/deep#here"}"#,
                "bundle.json": #"{"$defs": {"x": {"$id": "https://example.com/deep", "$anchor": "here", "const": 1}}}"#,
            ]))
        let (schema, problems) = compiler.compile(at: try value(#""user.json""#))
        #expect(lines(problems) == [])
        #expect(try #require(schema).accepts(try value("[1]")))
        #expect(try #require(schema).accepts(value("[2]")) == false)
    }

    @Test("A metaschema of one's own chooses vocabularies")
    func vocabularies() throws {
        var compiler = SchemaCompiler(
            folder: folder([
                "meta.json": #"""
                {
                  "$id": "https://example.com/meta", "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "$vocabulary": {
                    "https://json-schema.org/draft/2020-12/vocab/core": true,
                    "https://json-schema.org/draft/2020-12/vocab/applicator": true
                  },
                  "allOf": [{"$ref": "https://json-schema.org/draft/2020-12/meta/core"}], "required": ["title"]
                }
                """#
            ]))
        let text = #"{"$schema": "https://example.com/meta", "title": "t", "items": {"type": "string", "not": {}}}"#
        let (schema, problems) = compiler.compile(try value(text))
        #expect(lines(problems) == [])
        let compiled = try #require(schema)
        #expect(try compiled.accepts(value("5")))
        #expect(try compiled.accepts(value(#"["a"]"#)) == false)
        let untitled = compiler.compile(try value(#"{"$schema": "https://example.com/meta"}"#))
        #expect(lines(untitled.problems) == ["error: expected a member \"title\"; found no member with this name"])
    }
}
