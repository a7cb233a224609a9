import ReqcliAssembly
import ReqcliBasics
import ReqcliRedaction
import ReqcliText

extension Context {
    /// Warns about secrets that are short or ordinary words, and are therefore masked only as whole words. Warns once in a run.
    func warn(ofCommonSecrets secrets: [ResolvedSecret]) {
        let common = secrets.filter { $0.origin != .cookie && !$0.isStandIn && $0.redacted.isCommon }
        guard !common.isEmpty, givenWarnings.isFirst(.secretCommon) else { return }
        let labels = Set(common.map(\.label)).sorted().joined(separator: ", ")
        report(
            .warning, code: .secretCommon,
            "secrets that are short or ordinary words are masked only as a whole word: \(labels)",
            hint: "use secrets of at least four characters that are not ordinary words")
    }
}

/// Warnings that were given in this run.
package final class GivenWarnings: Sendable {
    private let codes = Mutex<Set<Diagnostic.Code>>([])

    /// Whether a warning was not given before. From now on, the warning counts as given.
    func isFirst(_ code: Diagnostic.Code) -> Bool { codes.withLock { $0.insert(code).inserted } }
}

extension Diagnostic.Code {
    fileprivate static let secretCommon: Self = "secret.common"
}
