import Calling
import ReqcliAssembly
import ReqcliText

extension Context {
    /// Warns if `send` would refuse a request that is only shown, because it would carry a secret to an origin that must not get it.
    func warnOfStrayingSecrets(in assembled: AssembledRequest) {
        do throws(Failure) {
            try SecretOrigins(assembled.call.environment)?.check(assembled.request, of: assembled)
        } catch {
            report(
                error.diagnostics.map {
                    Diagnostic(.warning, code: $0.code, $0.message, at: $0.place, hint: $0.hint)
                })
        }
    }
}
