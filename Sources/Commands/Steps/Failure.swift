package import CommandLineKit
package import Definitions
package import SourceText

/// Why a command can't go on: what the person is told, and what the program ends with.
package struct Failure: Error {
    package let status: ExitStatus
    package let diagnostics: [Diagnostic]

    package init(_ status: ExitStatus, _ diagnostics: [Diagnostic]) {
        self.status = status
        self.diagnostics = diagnostics
    }

    /// A problem that is in no file.
    package init(_ status: ExitStatus, code: Diagnostic.Code, _ message: String, hint: String? = nil) {
        self.init(status, [Diagnostic(code: code, message, at: nil, hint: hint)])
    }

    /// Something named on the command line that isn't there.
    package init(_ missing: NotFound, code: Diagnostic.Code) {
        self.init(.usage, code: code, missing.message, hint: missing.hint)
    }
}

extension Listed {
    /// The value, if nothing is wrong with the files that it comes from; warnings are told.
    package func sound(in context: Context) throws(Failure) -> Value {
        if diagnostics.contains(where: { $0.severity == .error }) { throw Failure(.broken, diagnostics) }
        context.tell(diagnostics)
        return value
    }
}
