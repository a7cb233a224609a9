import ReqcliText
import Testing

/// Reads a text, as a test wants it.
func read(_ text: String, _ syntax: JSONSyntax = .strict, depth: Int = 512, problems: Int = 20) -> JSONDocument {
    read(Array(text.utf8), syntax, depth: depth, problems: problems)
}

func read(_ bytes: [UInt8], _ syntax: JSONSyntax = .strict, depth: Int = 512, problems: Int = 20) -> JSONDocument {
    JSONDocument.read(
        SourceFile(name: "test.json", bytes: bytes), syntax: syntax,
        limits: JSONReader.Limits(depth: depth, problems: problems))
}

extension JSONDocument {
    /// What the reader understood, written on one line; what it did not is null.
    var understood: String { root.map { OrderedJSON($0).compact } ?? "" }
}

/// A text and what it is an example of; the name is shown when the test fails.
struct Named<Value: Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let value: Value

    init(_ name: String, _ value: Value) {
        (testDescription, self.value) = (name, value)
    }
}
