import ReqcliAssembly
import ReqcliBasics
import ReqcliRedaction
import ReqcliText

extension Context {
    /// Warns about secrets that are short or ordinary words, and are therefore masked only as whole words. Warns once in a run.
    func warn(ofCommonSecrets secrets: [ResolvedSecret]) {
        let common = secrets.filter { $0.origin != .cookie && !$0.isStandIn && $0.redacted.isCommon }
        guard !common.isEmpty, givenWarnings.isFirst(.secretCommon) else { return }
        let phrases = Set(common.map(\.phrase)).sorted()
        let explanation =
            phrases.count == 1
            ? "is short or an ordinary word, so it is masked only as a whole word"
            : "are short or ordinary words, so each is masked only as a whole word"
        report(
            .warning, code: .secretCommon,
            "\(phrases.joined(separator: ", ")) \(explanation)",
            hint: "secrets of at least four characters that are not ordinary words are masked everywhere")
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
