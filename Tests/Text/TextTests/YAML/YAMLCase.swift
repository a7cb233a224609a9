import ReqcliText
import Testing

func readYAML(_ text: String) -> JSONDocument { YAMLDocument.read(SourceFile(name: "test.yaml", text: text)) }

extension JSONDocument {
    /// What was read, as JSON on one line, or the problems with their places.
    var outcome: String {
        if problems.isEmpty { return root.map { OrderedJSON($0).compact } ?? "" }
        return diagnostics.map { "\($0.place.map { "\($0.start.line):\($0.start.column)" } ?? ""): \($0.message)" }
            .joined(separator: "\n")
    }
}

/// A YAML text and what comes of it.
struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let outcome: String

    init(_ name: String, _ text: String, _ outcome: String) {
        (testDescription, self.text, self.outcome) = (name, text, outcome)
    }
}
