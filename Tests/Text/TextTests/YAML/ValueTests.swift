import ReqcliJSONSchema
import ReqcliText
import Testing

/// A value of a YAML text is used like one of a JSON text.
struct ValueTests {
    @Test("The text of a value is what the file says")
    func text() throws {
        let root = try #require(readYAML("version: 1.10\nid: 012\nhex: 0x1F\nday: 2020-01-01\nlines: |\n  a\n").root)
        #expect(
            ["version", "id", "hex", "day", "lines"].map { root[$0]?.text } == [
                "1.10", "012", "0x1F", "2020-01-01", "|\n  a",
            ])
        #expect(
            ["version", "id", "hex"].map { root[$0]?.number } == [JSONNumber("1.1"), JSONNumber(12), JSONNumber(31)])
        #expect(["version", "id", "hex"].map { root[$0]?.numberText } == ["1.10", "12", "31"])
        #expect(["day", "lines"].map { root[$0]?.string } == ["2020-01-01", "a\n"])
    }

    @Test("Keys and strings are found and compared in every style")
    func strings() throws {
        let root = try #require(readYAML("a b: x\n'it''s': 'x'\n\"\\u00e9\": \"\\x78\"\n? |-\n  c\n: >-\n  x\n").root)
        for key in ["a b", "it's", "é", "c"] {
            let value = try #require(root[key])
            #expect(value.string == "x" && value.equals("x") && !value.equals("y"))
        }
        #expect(root["it''s"] == nil)
        #expect(root.members.map(\.name) == ["a b", "it's", "é", "c"])
        #expect(root.members.map(\.value.hasEscapes) == [false, false, true, true])
        #expect(KeyNames(["é", "c", "it's"]).index(of: Array(root.members)[1].key) == 2)
        #expect(root.members.allSatisfy { !$0.value.isPlain })
    }

    @Test("Places are those of the text; of an alias, those of what it stands for")
    func places() throws {
        let root = try #require(readYAML("a: &x\n  - 'b c'\n  - d\n   e\nf: *x\ng:\n  <<: {h: 1}\n  i: {j: 2}\n").root)
        func place(_ value: JSONValue?) -> String? { value.map { $0.place.description + " " + $0.text } }
        #expect(place(root["a"]) == "test.yaml:2:3 - 'b c'\n  - d\n   e")
        #expect(place(root["f"]) == place(root["a"]))
        #expect(root["f"]?.elements.map { place($0) } == ["test.yaml:2:5 'b c'", "test.yaml:3:5 d\n   e"])
        #expect(place(root["g"]?["h"]) == "test.yaml:7:11 1")
        #expect(place(root["g"]?["i"]?["j"]) == "test.yaml:8:10 2")
        #expect(place(root.members.first { $0.name == "f" }?.key) == "test.yaml:5:1 f")
    }

    @Test("A part of a string has its place; in a text that is decoded, the place of the whole")
    func partPlaces() throws {
        let root = try #require(readYAML("- a {{b}}\n- 'a {{b}}'\n- \"a\\t{{b}}\"\n").root)
        #expect(root.elements.map { $0.place(ofText: 2..<7).range } == [4..<9, 15..<20, 25..<33])
    }

    @Test("Steps lead to where a value is written, also through merged keys")
    func steps() throws {
        let root = try #require(readYAML("a: [1, {b: 2}]\nc:\n  <<: {d: {e: 1}}\n  f: {g: 3}\n").root)
        #expect(root["a"]?["b"] == nil)
        let inner = try #require(root["a"]?.elements.dropFirst().first { _ in true }?["b"])
        #expect(inner.steps(from: root) == [.key("a"), .index(1), .key("b")])
        #expect(root["c"]?["f"]?["g"]?.steps(from: root) == [.key("c"), .key("f"), .key("g")])
        #expect(root["c"]?.steps(from: root) == [.key("c")])
        #expect(root["c"]?["d"]?["e"]?.steps(from: root) == [.key("c"), .key("<<"), .key("d"), .key("e")])
    }

    @Test("All values are visited, those of aliases each time")
    func descendants() throws {
        let root = try #require(readYAML("- &x [1, {a: 2}]\n- *x\n- <<: {b: 3}\n  c: [4]\n- 5\n").root)
        #expect(root.descendants.compactMap(\.number?.int) == [1, 2, 1, 2, 4, 3, 5])
        #expect(root.descendants.map(\.kind).count == 14)
        #expect(root.elements.map(\.count) == [2, 2, 2, 0])
        #expect(root.isEquivalent(to: try #require(readYAML(OrderedJSON(root).compact).root)))
    }

    static let judged: [(String, Bool)] = [
        ("{name: abc, tags: [a, 'b'], size: 0x1F}", true),
        ("{name: abcd}", false),
        ("{'name': 'abcd'}", false),
        ("{name: \"\\x61bc\"}", true),
        ("{name: a1}", false),
        ("{name: }", false),
        ("{name: abc, size: +31}", true),
        ("{name: abc, size: 32}", false),
        ("{name: abc, size: 1.5}", false),
        ("{name: abc, tags: [a, \"a\"]}", false),
        ("[&n abc, {name: *n , tags: [*n ]}]", false),
        ("<<: {name: abc}\nsize: 3\n", true),
        ("<<: {name: abcd}\nsize: 3\n", false),
        ("size: 3\n", false),
    ]

    @Test("A schema in YAML judges values in YAML", arguments: judged)
    func schema(_ text: String, _ isValid: Bool) throws {
        let schema = try #require(
            readYAML(
                """
                type: object
                required: [name]
                properties:
                  name: &text
                    type: string
                    maxLength: 0x3
                    pattern: ^[a-z]*$
                  tags:
                    type: array
                    items: *text
                    uniqueItems: true
                  size:
                    <<: {type: integer, maximum: +40}
                    maximum: 31
                """
            ).root)
        var compiler = SchemaCompiler()
        let compiled = try #require(compiler.compile(schema).schema)
        #expect(compiled.accepts(try #require(readYAML(text).root)) == isValid)
    }
}
