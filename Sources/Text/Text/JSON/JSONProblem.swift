/// A syntax error in a text that is read as JSON. The error becomes a `Diagnostic` when the file is known.
package struct JSONProblem: Sendable, Equatable {
    package let code: Diagnostic.Code
    package let message: String
    package let range: Range<Int>
    package let hint: String?
    /// An earlier place that explains this problem, such as the opening bracket that a closing bracket should match.
    package let related: (message: String, range: Range<Int>)?

    package init(
        _ code: Diagnostic.Code, _ message: String, at range: Range<Int>, hint: String? = nil,
        related: (message: String, range: Range<Int>)? = nil
    ) {
        self.code = code
        self.message = message
        self.range = range
        self.hint = hint
        self.related = related
    }

    package static func == (one: JSONProblem, other: JSONProblem) -> Bool {
        one.code == other.code && one.message == other.message && one.range == other.range
    }

    package func diagnostic(in file: SourceFile) -> Diagnostic {
        Diagnostic(
            code: code, message, at: Place(file, range), hint: hint,
            notes: related.map { [Diagnostic.Note($0.message, at: Place(file, $0.range))] } ?? [])
    }
}

extension Diagnostic.Code {
    package static let jsonSyntax: Self = "json.syntax"
    package static let jsonEncoding: Self = "json.encoding"
    package static let jsonDepth: Self = "json.depth"
}
