package import SourceText

/// Why something can't go on: the problems to report, and the status that the program ends with.
package struct Failure: Error {
    package let status: ExitStatus
    /// The first is the one that a single line shows.
    package let diagnostics: [Diagnostic]

    package init(_ status: ExitStatus, _ diagnostics: [Diagnostic]) {
        self.status = status
        self.diagnostics = diagnostics
    }

    /// One problem; without a place it is in no file.
    package init(
        _ status: ExitStatus, code: Diagnostic.Code, _ message: String, at place: Place? = nil, hint: String? = nil
    ) {
        self.init(status, [Diagnostic(code: code, message, at: place, hint: hint)])
    }

    package var message: String { diagnostics.map(\.message).joined(separator: "; ") }
}
