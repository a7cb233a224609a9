import ReqcliText
import Testing

/// What is refused, and where: line and column are those of the mistake.
struct RefusalTests {
    static let tags = [
        Case("a tag of its own", "a: !foo 1", "1:4: the tag !foo is not supported"),
        Case("a tag of a collection", "!!set {a, b}", "1:1: the tag !!set is not supported"),
        Case(
            "a verbatim tag", "!<tag:example.org,2000:x> a", "1:1: the tag !<tag:example.org,2000:x> is not supported"),
        Case("an unknown handle", "!e!x a", "1:1: no %TAG directive defines !e!"),
        Case("a tag without a name", "!! a", "1:1: this tag has no name"),
        Case("a tag never closed", "!<a b", "1:1: this tag is never closed"),
        Case("a tag that doesn't fit", "a: !!int x", "1:4: !!int can't be \"x\""),
        Case("a tag of another kind of value", "!!str [a]", "1:1: !!str can't be a list"),
        Case("a list with the tag of a mapping", "!!map [a]", "1:1: !!map can't be a list"),
        Case("a scalar with the tag of a list", "!!seq a", "1:1: !!seq can't be \"a\""),
        Case("a whole number with a fraction", "!!int 1.5", "1:1: !!int can't be \"1.5\""),
    ]

    static let keys = [
        Case("a list as a key", "[a]: b", "1:1: a list or mapping can't be a key"),
        Case("a mapping as a key in flow", "{{a: b}: c}", "1:2: a list or mapping can't be a key"),
        Case("a list as a key in a flow list", "[[a]: b]", "1:2: a list or mapping can't be a key"),
        Case("an explicit key that is a list", "? - a\n: b", "1:3: a list or mapping can't be a key"),
        Case("an explicit key that is a mapping", "? a: b\n: c", "1:3: a list or mapping can't be a key"),
        Case("an alias to a list as a key", "- &a [1]\n- *a : x", "2:3: a list or mapping can't be a key"),
        Case("an explicit list in its key's column", "?\n- a\n:\n- b", "2:1: a list or mapping can't be a key"),
    ]

    static let structure = [
        Case("a second document", "a: 1\n---\nb: 2", "2:1: a second document begins here; expected one"),
        Case("a second document without a marker", "a\n...\nb", "3:1: a second document begins here; expected one"),
        Case("an empty second document", "a: 1\n---\n", "2:1: a second document begins here; expected one"),
        Case("a tab as indentation", "a:\n\tb: 1", "2:1: a tab can't be used as indentation"),
        Case("a tab before a key", "a: 1\n\tb: 2", "2:1: a tab can't be used as indentation"),
        Case("a tab behind a dash", "-\t- a", "1:3: a list can't begin here"),
        Case("a tab in the indentation of a literal", "a: |\n\tb", "2:1: a tab can't be used as indentation"),
        Case("a tab inside brackets", "a: [\n\tb]", "2:1: a tab can't be used as indentation"),
    ]

    static let references = [
        Case("no alias", "a: *x", "1:4: there is no anchor &x before this alias"),
        Case("an alias before its anchor", "- *x\n- &x 1", "1:3: there is no anchor &x before this alias"),
        Case("a circle", "&x [*x]", "1:5: the alias *x is inside the value that it refers to"),
        Case(
            "a circle through a mapping", "a: &x\n  b: {c: *x }",
            "2:10: the alias *x is inside the value that it refers to"),
        Case("an anchor of an alias", "- &a 1\n- &b *a", "2:3: an alias can't have an anchor or a tag"),
        Case("an anchor without a name", "& a", "1:2: an anchor needs a name"),
        Case("two anchors", "&a &b c", "1:4: a value can have only one anchor, found a second one"),
        Case("two tags", "!!str !!str a", "1:7: a value can have only one tag, found a second one"),
        Case("an anchor before a list on the same line", "&a - b", "1:4: a list can't begin here"),
        Case("<< with a text", "{<<: a}", "1:2: \"<<\" needs a mapping or a list of mappings"),
        Case(
            "<< with a list of texts", "a: &x 1\nb:\n  <<: [*x ]", "3:3: \"<<\" needs a mapping or a list of mappings"),
        Case("two <<", "<<: {}\n<<: {}", "2:1: a mapping can have only one \"<<\", found a second one"),
    ]

    static let numbers = [
        Case("infinity", ".inf", "1:1: JSON has no number .inf"),
        Case("not a number", "a: [-.INF, .NaN]", "1:5: JSON has no number -.INF\n1:12: JSON has no number .NaN"),
        Case(
            "a hexadecimal number of 257 digits", "0x" + String(repeating: "1", count: 257),
            "1:1: a number in base 16 has at most 256 digits"),
    ]

    static let blocks = [
        Case("a mapping on the line of a key", "a: b: c", "1:5: a mapping is not allowed here"),
        Case("a list on the line of a key", "a: - b", "1:4: a list can't begin here"),
        Case("a mapping behind ---", "--- a: b", "1:6: a mapping is not allowed here"),
        Case("a key over two lines", "a\nb: c", "1:1: a key must be on one line"),
        Case(
            "a key of 1025 characters", String(repeating: "é", count: 1025) + ": a",
            "1:1: a key has at most 1024 characters"),
        Case("a key without a colon", "a: 1\nb\nc: 2", "2:1: a colon is missing after this key"),
        Case("text behind a value", "a: 'b' c", "1:8: unexpected text after a value: \"c\""),
        Case("a comment without a space", "a: 'b'#c", "1:7: unexpected text after a value: \"#c\""),
        Case("too little indentation", "a:\n    b: 1\n  c: 2", "3:3: this line is not part of the value above"),
        Case("too much indentation", "a: 1\n  b: 2", "2:4: a mapping is not allowed here"),
        Case("a list item between keys", "a: 1\n- b", "2:1: expected a key, found a list item"),
        Case("a key between list items", "- a\nb: 1", "2:1: this line is not part of the value above"),
    ]

    static let flows = [
        Case("a list never closed", "a: [1, 2", "1:4: this \"[\" is never closed"),
        Case("a mapping never closed", "{a: 1\n", "1:1: this \"{\" is never closed"),
        Case("a wrong bracket", "[a}", "1:3: expected \",\" or \"]\", found \"}\""),
        Case("two commas", "[a,,b]", "1:4: expected a value, found \",\""),
        Case("a comma first", "{,a: 1}", "1:2: expected a key, found \",\""),
        Case("no comma", "['a' b]", "1:6: expected \",\" or \"]\", found \"b\""),
        Case("a bracket too many", "a: ]", "1:4: text can't begin with \"]\""),
        Case("too little indentation in brackets", "a:\n  b: [\n c]", "3:2: this line isn't indented enough"),
        Case("a marker in brackets", "[a\n---\n]", "1:1: this \"[\" is never closed"),
        Case("a colon without a key", "[:]", "1:2: a key is missing before this colon"),
        Case(
            "a question mark before quotes in brackets", "[?\"a\"]", "1:2: text inside brackets can't begin with ?\""
        ),
    ]

    static let texts = [
        Case("a text never closed", "a: \"b\n  c", "1:4: this text is never closed"),
        Case("a text in single quotes never closed", "'a", "1:1: this text is never closed"),
        Case("a text not indented enough", "a: \"b\nc\"", "2:1: this line isn't indented enough"),
        Case("a marker in quotes", "\"a\n---\nb\"", "2:1: the document ends inside a text in quotes"),
        Case("an unknown escape", "\"a\\qb\"", "1:3: \"\\q\" is not an escape in YAML"),
        Case("too few digits", "\"\\x4\"", "1:2: \\x takes 2 hexadecimal digits"),
        Case("half a surrogate pair", "\"\\ud83d\"", "1:2: \\ud83d is not a character"),
        Case("beyond Unicode", "\"\\U00110000\"", "1:2: \\U00110000 is not a character"),
        Case("a text that begins with %", "a: %b", "1:4: text can't begin with \"%\""),
        Case("a text that begins with @", "@a", "1:1: text can't begin with \"@\""),
        Case("a text that begins with a backquote", "- `a`", "1:3: text can't begin with \"`\""),
        Case("only a dash in brackets", "[-]", "1:2: \"-\" is not allowed here"),
        Case("text behind |", "a: | b", "1:6: found text on the same line as \"|\" or \">\""),
        Case(
            "two indentation indicators", "a: |12\n  b",
            "1:6: expected the end of the line, \"+\", \"-\" or a digit from 1 to 9 after \"|\" or \">\""),
        Case(
            "a blank line with more spaces", "a: |\n    \n  b",
            "2:1: a blank line has more spaces than the first line of text below"),
        Case("a list as the text of |", "a: |\n- b", "2:1: expected a key, found a list item"),
    ]

    static let documents = [
        Case("a directive without ---", "%YAML 1.2\na: 1", "2:1: expected \"---\" after the directives"),
        Case("a second %YAML", "%YAML 1.2\n%YAML 1.2\n---\na", "2:1: a second %YAML directive"),
        Case("YAML 2", "%YAML 2.0\n---\na", "1:1: expected %YAML 1.2"),
        Case("a broken %TAG", "%TAG ! \n---\na", "1:1: expected one %TAG !HANDLE! PREFIX for each handle"),
        Case("a directive inside", "a: 1\n%YAML 1.2\n---\nb", "2:1: text can't begin with \"%\""),
        Case("nothing but comments", "# a\n", "1:1: the text is empty; expected a YAML value"),
        Case("only ...", "...\n", "1:1: the text is empty; expected a YAML value before \"...\""),
        Case("a control character", "a: \u{1}b", "1:4: YAML does not allow control characters (U+0001)"),
        Case("a form feed", "a:\u{C}b", "1:3: YAML does not allow control characters (U+000C)"),
    ]

    @Test("A tag is refused where JSON has nothing for it", arguments: tags)
    func refusedTags(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("A collection can't be a key", arguments: keys)
    func refusedKeys(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("A second document and tabs as indentation are refused", arguments: structure)
    func refusedStructure(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("An anchor, alias or merged key that makes no sense is refused", arguments: references)
    func refusedReferences(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("A number that JSON doesn't have is refused", arguments: numbers)
    func refusedNumbers(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("A block with a mistake is refused", arguments: blocks)
    func refusedBlocks(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("A flow collection with a mistake is refused", arguments: flows)
    func refusedFlows(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("A scalar with a mistake is refused", arguments: texts)
    func refusedTexts(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("A document with a mistake is refused", arguments: documents)
    func refusedDocuments(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("Mistakes of values are all reported, and the rest is read")
    func several() {
        let document = readYAML("a: !x 1\nb: *y\nc: .nan\nd: 4\n")
        #expect(
            document.outcome == """
                1:4: the tag !x is not supported
                2:4: there is no anchor &y before this alias
                3:4: JSON has no number .nan
                """)
        #expect(document.problems.map(\.code) == [.yamlUnsupported, .yamlAlias, .yamlUnsupported])
        #expect(document.root.map { OrderedJSON($0).compact } == #"{"a":null,"b":null,"c":null,"d":4}"#)
    }

    @Test("What stands before a mistake of syntax is read")
    func partial() {
        let document = readYAML("a: 1\nb: [1, {c: 2\n---\n")
        #expect(document.problems.map(\.code) == [.yamlSyntax])
        #expect(document.root.map { OrderedJSON($0).compact } == #"{"a":1,"b":[1,{"c":2}]}"#)
        #expect(readYAML("a: 1\nb: @x").root.map { OrderedJSON($0).compact } == #"{"a":1,"b":null}"#)
    }

    @Test("A message says what to do, and shows the place that explains it")
    func advice() {
        let problem = readYAML("<<: {}\n<<: {}").diagnostics.first
        #expect(problem?.hint == "write one \"<<\" with a list of aliases")
        #expect(problem?.notes.map { "\($0.place.description): \($0.message)" } == ["test.yaml:1:1: the first one"])
    }

    static let files: [(String, [UInt8], String)] = [
        ("nothing", [], "the file is empty; expected a YAML value"),
        ("UTF-16 with a mark", [0xFF, 0xFE, 0x61, 0x00], "the file is UTF-16"),
        ("UTF-16 without a mark", [0x00, 0x61, 0x00, 0x3A], "the file is UTF-16"),
        ("UTF-16, little end first", [0x61, 0x00, 0x3A, 0x00], "the file is UTF-16"),
        ("a program", [0x7F, 0x45, 0x4C, 0x46, 0x02, 0x01, 0x00], "this is a binary file, not YAML (byte 6 is zero)"),
        ("Latin-1", [0x61, 0x3A, 0x20, 0xE9], "the file is not valid UTF-8 (byte 0xE9)"),
        ("a sequence cut short", [0x61, 0xE2, 0x82], "the file is not valid UTF-8 (byte 0xE2)"),
        ("an overlong slash", [0x22, 0xC0, 0xAF, 0x22], "the file is not valid UTF-8 (byte 0xC0)"),
        ("a surrogate", [0x23, 0xED, 0xA0, 0x80], "the file is not valid UTF-8 (byte 0xED)"),
    ]

    @Test("A file that is no text is one problem", arguments: files)
    func file(_ name: String, _ bytes: [UInt8], _ message: String) {
        let document = YAMLDocument.read(SourceFile(name: "test.yaml", bytes: bytes))
        #expect(document.problems.map(\.message) == [message])
        #expect(document.root == nil)
    }

    @Test("A key given twice is a warning; the last one counts")
    func duplicates() {
        let document = readYAML("a: 1\nb: {c: 1, 'c': 2}\na: 3\nx: &x {d: 1, d: 2}\ny: *x\n")
        #expect(document.problems == [])
        #expect(document.root?["a"]?.number?.int == 3)
        let warnings = YAMLDocument.duplicateKeys(in: document)
        #expect(
            warnings.map { "\($0.severity) \($0.place?.description ?? "") \($0.message)" } == [
                "warning test.yaml:3:1 the key \"a\" occurs twice; the last one counts",
                "warning test.yaml:2:11 the key \"c\" occurs twice; the last one counts",
                "warning test.yaml:4:14 the key \"d\" occurs twice; the last one counts",
            ])
        #expect(warnings.first?.notes.map(\.place.description) == ["test.yaml:1:1"])
    }
}
