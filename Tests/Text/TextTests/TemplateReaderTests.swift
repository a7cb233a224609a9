import ReqcliText
import TestSupport
import Testing

@Suite("Reading templates")
struct TemplateReaderTests {
    /// The pieces of a text: `a`, `<name>` for a placeholder, `!2` for braces that are never closed.
    private static func shown(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return TemplateReader(bytes).map { piece in
            switch piece {
            case .literal(let text): text
            case .placeholder(let content): "<\(String(decoding: bytes[content], as: UTF8.self))>"
            case .unclosed(let start): "!\(start)"
            }
        }
    }

    @Test(
        "A text is taken apart at its placeholders",
        arguments: [
            ("", []), ("a", ["a"]), ("{{a}}", ["<a>"]), ("x{{ a }}y", ["x", "< a >", "y"]),
            ("{{a}}{{b}}", ["<a>", "<b>"]), ("{a}}", ["{a}}"]), ("{{{a}}}", ["<{a>", "}"]), ("{{}}", ["<>"]),
            (#"\{{a}}"#, ["{{a}}"]), (#"x\{{{{a}}"#, ["x{{", "<a>"]), (#"\\{{a}}"#, [#"\{{a}}"#]),
            ("x{{a", ["x", "!1", "{{a"]), (#"{{a \{{"#, ["!0", "{{a {{"]), ("a}}{{", ["a}}", "!3", "{{"]),
            ("é{{\u{301}}}", ["é", "<\u{301}>"]),
        ] as [(String, [String])])
    func pieces(_ text: String, _ expected: [String]) {
        #expect(Self.shown(text) == expected)
    }

    @Test(
        "A text in a placeholder hides closing braces, and nothing else does",
        arguments: [
            ("{{a | b '}}'}}", ["<a | b '}}'>"]), (#"{{a | b '\'}}'}}"#, [#"<a | b '\'}}'>"#]),
            ("{{file 'a}}b'}}", ["<file 'a}}b'>"]), ("{{$random.pick '}}' x}}y", ["<$random.pick '}}' x>", "y"]),
            ("{{file}}'}}", ["<file>", "'}}"]), ("{{file }}'}}", ["<file >", "'}}"]),
            // These meant the same before there were functions.
            ("{{request.query.it's}} {{that's}}", ["<request.query.it's>", " ", "<that's>"]),
            ("{{request.body.$[?@.a=='}}'||1]}}", ["<request.body.$[?@.a=='>", "'||1]}}"]),
            ("{{request.body.$['a | b '}}'", ["<request.body.$['a | b '>", "'"]),
            ("{{a|b '}}'", ["<a|b '>", "'"]),
            // A text that is never closed.
            ("{{a | b '}} {{c | d '}} {{e | f '}}", ["<a | b '}} {{c | d '>", " ", "<e | f '>"]),
        ] as [(String, [String])])
    func texts(_ text: String, _ expected: [String]) {
        #expect(Self.shown(text) == expected)
    }

    @Test(
        "Pipes between whitespace separate functions",
        arguments: [
            ("a | b | c 'x | y' }}", [2, 6]), ("a|b}}", []), ("a || b}}", []), ("a |b}}", []), ("a | b 'c}}", [2]),
            ("request.body.$['a | b'] | c}}", [24]), (#"request.body.$["a \" | b"] | c}}"#, [27]),
            ("$now | iso}}", [5]), (" | x}}", [1]), ("a |}}", []),
        ] as [(String, [Int])])
    func pipes(_ text: String, _ expected: [Int]) {
        #expect(PlaceholderScanner(Array(text.utf8), from: 0).pipes == expected)
    }

    @Test("What was valid before there were functions means the same")
    func before() {
        var random = SeededGenerator(seed: 11)
        let parts = [
            "{{", "}}", "{", "}", "\\", "\\{{", "'", "\"", "a", "file", "$now", ".", "$", "[", "]", "|", "||", "é",
            "\u{301}", " ",
            "request.body.$[?@.a=='x' || @.b==1]", "{{request.query.it's}}", "{{ name }}",
        ]
        for _ in 0..<RandomInputs.count(3_000) {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            .joined()
            // With these, a placeholder has functions now, and was invalid.
            if [" | ", "$now", "file "].contains(where: text.contains) { continue }
            #expect(Self.shown(text) == Self.shownBefore(text), "\(text)")
        }
    }

    /// The pieces of a text by the grammar without functions: a placeholder ends at the first closing braces.
    private static func shownBefore(_ text: String) -> [String] {
        var pieces: [String] = []
        var literal = ""
        var rest = text.unicodeScalars[...]
        var mayClose = true
        func starts(_ words: String) -> Bool { rest.starts(with: words.unicodeScalars) }
        func end() {
            if !literal.isEmpty { pieces.append(literal) }
            literal = ""
        }
        while let next = rest.first {
            if starts("\\{{") {
                literal += "{{"
                rest = rest.dropFirst(3)
            } else if mayClose, starts("{{") {
                let content = rest.dropFirst(2)
                end()
                if let close = content.firstRange(of: "}}".unicodeScalars) {
                    pieces.append("<\(String(String.UnicodeScalarView(content[..<close.lowerBound])))>")
                    rest = content[close.upperBound...]
                } else {
                    pieces.append("!\(text.utf8.distance(from: text.startIndex, to: rest.startIndex))")
                    mayClose = false
                }
            } else {
                literal.unicodeScalars.append(next)
                rest = rest.dropFirst()
            }
        }
        end()
        return pieces
    }

    @Test("Many texts of which the last is never closed are read in one pass")
    func unclosedTexts() {
        // If each placeholder looked for the end of the last text, this would take minutes.
        let bytes = Array((String(repeating: "{{a | b '}}' ", count: 100_000) + "'").utf8)
        #expect(TemplateReader(bytes).reduce(0) { count, _ in count + 1 } == 200_000)
    }
}
