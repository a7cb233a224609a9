import ReqcliJSONPath
import ReqcliText

extension Keyword {
    static let strings = [
        Keyword("pattern", .pattern, for: .string) { value, program in program.pattern(value) }
            .broken { _, _, value in
                ["~", "a", "0", "-"].map { .string(String(repeating: $0, count: max(value.plainText.count, 1))) }
            },
        Keyword(
            ["format": .text], for: [.string, .number], in: ["format", "format-annotation", "format-assertion"]
        ) { value, program in
            guard program.formats == .assert || program.schema.dialect.assertsFormats else { return nil }
            return value.string.flatMap(Format.named)
        },
    ]
}

/// A regular expression of a schema.
struct Pattern: Rule {
    let text: String
    private let expression: IRegexp

    init(_ text: String) throws(IRegexpProblem) {
        self.text = text
        expression = try IRegexp(ecma: text)
    }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        isFound(in: value, &run) || run.fail(at, value, "text that matches /\(text)/")
    }

    /// Whether the expression matches somewhere in a string.
    func isFound(in text: JSONCursor, _ run: inout SchemaEvaluator) -> Bool {
        expression.run(on: text, isAnchored: false, steps: &run.steps) ?? run.giveUp(.steps)
    }
}

extension ProgramBuilder {
    /// The pattern in a schema. A pattern with mistakes is reported.
    mutating func pattern(_ value: JSONValue) -> Pattern? {
        guard let text = value.string else { return nil }
        do throws(IRegexpProblem) {
            return try Pattern(text)
        } catch {
            library.report(
                Diagnostic(
                    code: .schemaPattern, error.message, at: value.place(ofText: error.range), hint: error.hint))
            return nil
        }
    }
}
