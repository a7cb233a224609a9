import ReqcliJSONSchema
import ReqcliText
import TestSupport
import Testing

struct BoundsTests {
    @Test("A value of the greatest depth is evaluated against a schema inside itself")
    func depth() throws {
        let schema = try compiled(
            #"""
            {"$ref": "#/$defs/tree", "$defs": {"tree": {
              "allOf": [{"$ref": "#/$defs/items"}], "unevaluatedItems": false}, "items": {"items": {"$ref": "#/$defs/tree"}}}}
            """#)
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(schema.accepts(try value(deep)))
        #expect(schema.failures(of: try value(deep)) == nil)
    }

    @Test(
        "A number is held against the bits of its format",
        arguments: [
            ("int32", "2147483647", true), ("int32", "-2147483648", true), ("int32", "2147483648", false),
            ("int32", "-2147483649", false), ("int32", "1e3", true), ("int32", "1.5", false), ("int32", "\"x\"", true),
            ("int64", "9223372036854775807", true), ("int64", "9223372036854775808", false),
            ("int64", "-9223372036854775808", true), ("int64", "1e400", false), ("float", "1e400", true),
        ])
    func bits(_ format: String, _ number: String, _ isAccepted: Bool) throws {
        #expect(try compiled(#"{"format": "\#(format)"}"#).accepts(try value(number)) == isAccepted)
    }

    @Test("A long chain of references is given up, and not with a trap")
    func chain() throws {
        let links = (0..<8_000).map { ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 + 1)"}]}"## }
        let schema = try compiled(
            ##"{"$ref": "#/$defs/d0", "$defs": {\##(links.joined(separator: ",")), "d8000": {}}}"##)
        let failures = try #require(schema.failures(of: try value("1")))
        #expect(failures.shown.map(\.expected) == ["a schema that nests fewer than 2200 schemas"])
    }

    @Test("A schema that doubles its work at each step is given up")
    func doubling() throws {
        let links = (0..<60).map {
            ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 + 1)"}, {"$ref": "#/$defs/d\##($0 + 1)"}]}"##
        }
        let schema = try compiled(##"{"$ref": "#/$defs/d0", "$defs": {\##(links.joined(separator: ",")), "d60": {}}}"##)
        #expect(!schema.accepts(try value("1")))
    }

    @Test("Schemas that all lead to each other are built once if they are prepared together")
    func preparation() throws {
        func cost(_ count: Int) throws -> Double {
            let schemas = (0..<count).map {
                ##""d\##($0)": {"required": ["m\##($0)"], "items": {"$ref": "#/$defs/d\##(($0 + 1) % count)"}}"##
            }
            let file = ##"{"$defs": {\##(schemas.joined(separator: ","))}}"##
            let names = try (0..<count).map { try value(##""all.json#/$defs/d\##($0)""##) }
            return try Growth.cost {
                var compiler = SchemaCompiler(folder: folder(["all.json": file]))
                compiler.prepare(names)
                for (index, name) in names.enumerated() {
                    let schema = try #require(compiler.compile(at: name).schema)
                    #expect(schema.accepts(try value(#"{"m\#(index)": 1}"#)))
                    #expect(!schema.accepts(try value("{}")))
                }
            }
        }
        #expect(try cost(400) / cost(100) < 9)
    }

    @Test("A mistake in one of several prepared schemas is reported as it is without preparation")
    func preparationWithMistakes() throws {
        let names = try ["a", "b"].map { try value(##""all.json#/$defs/\##($0)""##) }
        let file = ##"{"$defs": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/c"}}}"##
        var compiler = SchemaCompiler(folder: folder(["all.json": file]))
        compiler.prepare(names)
        #expect(compiler.compile(at: names[0]).schema != nil)
        let (schema, problems) = compiler.compile(at: names[1])
        #expect(schema == nil)
        #expect(problems.map(\.message) == ["schemas/all.json has nothing at /$defs/c"])
    }

    @Test("A pattern with nested repetitions takes one pass")
    func pattern() throws {
        let schema = try compiled(#"{"pattern": "^(a+)+$"}"#)
        #expect(!schema.accepts(try value("\"\(String(repeating: "a", count: 200_000))!\"")))
    }

    @Test(
        "Time grows with the size, and not with its square",
        arguments: [
            "uniqueItems", "enum", "definitions", "required", "properties",
        ])
    func growth(of what: String) throws {
        let growth = try Growth.fourfold(1_000) { (size: Int) throws in
            let numbers = (0..<size).map(String.init)
            let names = numbers.map { "\"n\($0)\"" }
            let object = "{" + names.map { "\($0): 1" }.joined(separator: ",") + "}"
            let schema: String
            var answer = object
            switch what {
            case "uniqueItems":
                schema = #"{"uniqueItems": true}"#
                answer = "[" + names.joined(separator: ",") + "]"
            case "enum":
                answer = "[" + numbers.joined(separator: ",") + "]"
                schema = #"{"items": {"enum": "# + answer + "}}"
            case "required": schema = #"{"required": ["# + names.joined(separator: ",") + "]}"
            case "properties":
                schema =
                    #"{"properties": {"# + names.map { $0 + #": {"type": "integer"}"# }.joined(separator: ",") + "}}"
            default:
                let references = numbers.map { ##"{"$ref": "#/$defs/n\##($0)"}"## }.joined(separator: ",")
                let definitions = names.map { $0 + #": {"minProperties": 1}"# }.joined(separator: ",")
                schema = #"{"allOf": ["# + references + #"], "$defs": {"# + definitions + "}}"
            }
            #expect(try compiled(schema).accepts(try value(answer)))
        }
        #expect(growth < 8)
    }
}
