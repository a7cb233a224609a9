package import CommandLineKit
package import Definitions
package import SourceText

extension Failure {
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
