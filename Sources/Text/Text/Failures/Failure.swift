/// An error that stops a command: the problems to report, and the exit status.
package struct Failure: Error {
    package let status: ExitStatus
    /// The problems. If only one line is shown, this line is the first problem.
    package let diagnostics: [Diagnostic]
    /// Lines that are shown below the problems for a person, such as the response that caused the failure.
    package let details: [String]

    package init(_ status: ExitStatus, _ diagnostics: [Diagnostic], details: [String] = []) {
        self.details = details
        self.status = status
        self.diagnostics = diagnostics
    }

    /// A failure with one problem. Without a place, the problem doesn't point into a file.
    package init(
        _ status: ExitStatus, code: Diagnostic.Code, _ wording: Wording, at place: Place? = nil, hint: Wording? = nil
    ) {
        self.init(status, [Diagnostic(code: code, wording, at: place, hint: hint)])
    }

    /// A failure with one problem, whose message may contain quoted values anywhere.
    @_disfavoredOverload
    package init(
        _ status: ExitStatus, code: Diagnostic.Code, _ message: String, at place: Place? = nil, hint: String? = nil
    ) {
        self.init(status, [Diagnostic(code: code, message, at: place, hint: hint)])
    }

    package var wording: Wording { diagnostics.map(\.wording).joined(separator: "; ") }

    package var message: String { wording.text }
}
