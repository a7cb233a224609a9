import ReqcliText
import Testing

struct ReadingTests {
    static let collections = [
        Case("a mapping", "a: 1\nb: x y\n", #"{"a":1,"b":"x y"}"#),
        Case("a list", "- 1\n-   x\n", #"[1,"x"]"#),
        Case("nested mappings", "a:\n  b:\n    c: 1\n  d: 2\ne: 3\n", #"{"a":{"b":{"c":1},"d":2},"e":3}"#),
        Case("a list below its key, indented", "a:\n  - 1\n  - 2\nb: 3\n", #"{"a":[1,2],"b":3}"#),
        Case("a list in the column of its key", "a:\n- 1\n- b: 2\n  c: 3\nd: 4\n", #"{"a":[1,{"b":2,"c":3}],"d":4}"#),
        Case("a list in a list on one line", "- - 1\n  - 2\n- - 3\n", "[[1,2],[3]]"),
        Case("a mapping behind a dash", "-   a: 1\n    b: 2\n", #"[{"a":1,"b":2}]"#),
        Case("empty values", "a:\nb:\n- \n-\nc:\n", #"{"a":null,"b":[null,null],"c":null}"#),
        Case("an empty document behind its marker", "---\n", "null"),
        Case("explicit keys", "? a\n: 1\n? |\n  b\n: - 2\n? c\n", #"{"a":1,"b\n":[2],"c":null}"#),
        Case("an empty key", ": 1\n", #"{"":1}"#),
        Case(
            "keys as they are written", "200: a\n1.10: b\n0x1F: c\ntrue: d\n~: e\n",
            #"{"200":"a","1.10":"b","0x1F":"c","true":"d","~":"e"}"#),
        Case("keys in quotes", #""a\tb": 1"# + "\n'it''s' : 2\n", #"{"a\tb":1,"it's":2}"#),
        Case("a space before the colon", "a : 1\n", #"{"a":1}"#),
        Case(
            "flow collections", "{a: [1, 2, ], b: {}, c, 'd':e, ? f : g, h: }",
            #"{"a":[1,2],"b":{},"c":null,"d":"e","f":"g","h":null}"#),
        Case("flow over lines with comments", "a: [ # one\n  1, # two\n  2\n  ]\n", #"{"a":[1,2]}"#),
        Case(
            "a closing bracket in the column of the key", "a: [\n  1\n]\nb: {\n  c: 1\n}\n", #"{"a":[1],"b":{"c":1}}"#),
        Case("pairs in a flow list", #"[a: 1, "b":2, ? c : 3, : 4]"#, #"[{"a":1},{"b":2},{"c":3},{"":4}]"#),
        Case("a key over two lines in a flow mapping", "{a\n b: 1}", #"{"a b":1}"#),
        Case("text with a colon in flow", "[http://a.b/c, a:1, ::x]", #"["http://a.b/c","a:1","::x"]"#),
        Case("JSON", #"{"a": [1, -2.5e3, "\u00e9\ud83d\ude00\/", true, null]}"#, #"{"a":[1,-2.5e3,"é😀/",true,null]}"#),
    ]

    static let scalars = [
        Case("plain text over lines", "a: b\n  c\n\n  d\n   e\nf: 1", #"{"a":"b c\nd e","f":1}"#),
        Case(
            "plain text with odd characters", "- a#b\n- a:b\n- -1x\n- ?x\n- it's \"a\"\n- a, [b]\n",
            ##"["a#b","a:b","-1x","?x","it's \"a\"","a, [b]"]"##),
        Case("plain text that goes on with a dash", "a: b\n  - c\n", #"{"a":"b - c"}"#),
        Case("single quotes over lines", "a: 'b \n\n  c''\n  d'\n", #"{"a":"b\nc' d"}"#),
        Case("double quotes over lines", "a: \"b \n   c\\\n   d\\n\n\n  e \\\n  f\"\n", #"{"a":"b cd\n\ne f"}"#),
        Case(
            "all escapes", #""\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P\x41\u00e9\U0001F600""#,
            "\"\\u0000\\u0007\\u0008\\u0009\\u000A\\u000B\\u000C\\u000D\\u001B \\\"/\\\\\u{85}\u{A0}\u{2028}\u{2029}Aé😀\""
        ),
        Case("an escaped tab before a line break stays", "\"a\\t\n b\"", #""a\t b""#),
        Case("a literal", "a: |\n  b\n   c\n\n  d\n\ne: 1\n", #"{"a":"b\n c\n\nd\n","e":1}"#),
        Case("a literal without its last break", "a: |-\n  b\n\n", #"{"a":"b"}"#),
        Case("a literal with all breaks", "a: |+\n  b\n\n\nc: 1", #"{"a":"b\n\n\n","c":1}"#),
        Case("a literal at the end of a file without a line break", "|\n a", #""a""#),
        Case("an empty literal", "- |\n- >-\n- |+\n\n", #"["","","\n"]"#),
        Case("an indentation indicator", "- |1\n  a\n- |2-\n   b\n", #"[" a\n"," b"]"#),
        Case("folded text", ">\n a\n b\n\n c\n  d\n e\n\n\n f\n", #""a b\nc\n d\ne\n\nf\n""#),
        Case("a comment behind the indicator", "a: > # b\n c # d\n", ##"{"a":"c # d\n"}"##),
        Case("a tab as the first text of a literal", "- |\n \ta\n", #"["\ta\n"]"#),
        Case("a line of tabs inside a literal", "a: |\n  b\n\t\n  c\n", #"{"a":"b\n\nc\n"}"#),
        Case(
            "markers inside of text", "a: |\n  ---\nb: \"x\n  ...\"\nc: ---\n", #"{"a":"---\n","b":"x ...","c":"---"}"#),
    ]

    static let types = [
        Case("null", "[~, null, Null, NULL, nULL, ]", #"[null,null,null,null,"nULL"]"#),
        Case("bool", "[true, True, TRUE, false, False, FALSE, tRue]", #"[true,true,true,false,false,false,"tRue"]"#),
        Case("what YAML 1.1 calls bool", "[yes, no, on, off, y, n]", #"["yes","no","on","off","y","n"]"#),
        Case(
            "whole numbers", "[0, -1, +12, 012, -007, 0o17, 0x1F, 0xdeadBEEFdeadBEEFdeadBEEF]",
            "[0,-1,12,12,-7,15,31,68915718021581205938132336367]"),
        Case(
            "numbers with a point", "[1.10, .5, -.5, +1.5, 1., 1.e2, 1e3, 00.5, -0]",
            "[1.10,0.5,-0.5,1.5,1.0,1.0e2,1e3,0.5,-0]"),
        Case(
            "what looks like a number", "[1_000, 0b1, 0o8, 0xg, 1.2.3, 12:30, 2020-01-01, 1e, '.', +, -x, 0x]",
            #"["1_000","0b1","0o8","0xg","1.2.3","12:30","2020-01-01","1e",".","+","-x","0x"]"#),
        Case("quotes make text", #"["1", '1', "null"]"#, #"["1","1","null"]"#),
        Case(
            "tags", "[!!str 1, !!str , ! 1, !!int '12', !!int \"0x1F\", !!float 1, !!bool 'true', !!null '', !!null ~]",
            #"["1","","1",12,31,1,true,null,null]"#),
        Case("tags of collections", "!!map\na: !!seq\n- !!map {}\n- ! []\n", #"{"a":[{},[]]}"#),
        Case(
            "a verbatim tag and a handle", "%TAG !y! tag:yaml.org,2002:\n---\n[!<tag:yaml.org,2002:str> 1, !y!str 2]",
            #"["1","2"]"#),
    ]

    static let references = [
        Case("an alias to a scalar", "a: &x 012\nb: *x\n", #"{"a":12,"b":12}"#),
        Case(
            "an alias to a list", "- &x [1, {a: 2}]\n- *x\n- {b: *x }\n",
            #"[[1,{"a":2}],[1,{"a":2}],{"b":[1,{"a":2}]}]"#),
        Case("an alias as a key", "&k 1: a\nb: *k\n*k : c\n", #"{"1":"a","b":1,"1":"c"}"#),
        Case("an anchor before a mapping and before its key", "&a\n&b k: 1\n", #"{"k":1}"#),
        Case("an anchor given again", "[&a 1, *a , &a 2, *a ]", "[1,1,2,2]"),
        Case("an anchor given again inside of its value", "- &a [&a 1, *a ]\n- *a\n", "[[1,1],1]"),
        Case("an anchor of nothing", "a: &x\nb: *x\n", #"{"a":null,"b":null}"#),
        Case(
            "a merged mapping", "- &x {a: 1, b: 2}\n- <<: *x\n  b: 3\n  c: 4\n",
            #"[{"a":1,"b":2},{"b":3,"c":4,"a":1}]"#),
        Case(
            "the first of several merged mappings counts",
            "- &x {a: 1}\n- &y {a: 2, b: 3}\n- {<<: [*x , *y , {c: 4}]}\n",
            #"[{"a":1},{"a":2,"b":3},{"a":1,"b":3,"c":4}]"#),
        Case(
            "merged mappings merged again", "- &x {a: 1}\n- &y {<<: *x , b: [2]}\n- {<<: *y , a: 3}\n- *y\n",
            #"[{"a":1},{"b":[2],"a":1},{"a":3,"b":[2]},{"b":[2],"a":1}]"#),
        Case("a key << in quotes", "{'<<': 1}", #"{"<<":1}"#),
        Case(
            "a merged mapping with a key given twice", "- &x {a: 1, a: 2}\n- {<<: *x }\n", #"[{"a":1,"a":2},{"a":2}]"#),
    ]

    static let lines = [
        Case("comments everywhere", "# a\na: # b\n  # c\n  1 # d\n# e\n", #"{"a":1}"#),
        Case("CR LF", "a: b\r\n  c\r\nd: |\r\n  e\r\n  f\r\n", #"{"a":"b c","d":"e\nf\n"}"#),
        Case("CR alone", "a: 1\rb: 2\r", #"{"a":1,"b":2}"#),
        Case("a byte order mark", "\u{FEFF}a: 1\n", #"{"a":1}"#),
        Case("directives and markers", "%YAML 1.2 # c\n%FOO bar\n---\na: 1\n...\n# end\n", #"{"a":1}"#),
        Case("a value behind the marker", "--- |\n a\n...\n", #""a\n""#),
        Case("tabs between words, and before comments", "a:\tb\tc\t# d\n\t\n", #"{"a":"b\tc"}"#),
    ]

    @Test("Collections are read", arguments: collections)
    func collection(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("Scalars of the five styles are read", arguments: scalars)
    func scalar(_ example: Case) {
        #expect(readYAML(example.text).root.map { readYAML(example.outcome).root?.isEquivalent(to: $0) } == true)
    }

    @Test("Types are those of the core schema", arguments: types)
    func type(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("Aliases and merged keys are what they stand for", arguments: references)
    func reference(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }

    @Test("Comments, line breaks and markers don't matter", arguments: lines)
    func line(_ example: Case) { #expect(readYAML(example.text).outcome == example.outcome) }
}
