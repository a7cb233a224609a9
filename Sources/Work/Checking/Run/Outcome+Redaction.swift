import ReqcliRedaction
import ReqcliText

extension CaseResult {
    /// Redacts the result again, because a secret that was found later may occur in strings that were made earlier. Ids and names
    /// of cases, steps and checks stay unchanged, because they are from the workspace files.
    func redacted(_ redactor: Redactor) -> CaseResult { Self.table.masked(self, redactor) }

    mutating func redact(_ redactor: Redactor) { if !redactor.isEmpty { Self.table.mask(&self, redactor) } }
}

extension DependencyResult {
    func redacted(_ redactor: Redactor) -> DependencyResult { Self.table.masked(self, redactor) }
}

extension Outcome {
    func redacted(_ redactor: Redactor) -> Outcome { Self.table.masked(self, redactor) }
}

extension ExchangeRecord {
    func redacted(_ redactor: Redactor) -> ExchangeRecord { Self.table.masked(self, redactor) }
}

extension Failure {
    /// Redacts the diagnostics. The details stay unchanged, because they are excerpts of a record that is already redacted.
    func redacted(_ redactor: Redactor) -> Failure {
        Failure(status, diagnostics.map { $0.mappingTexts(redactor.redact) }, details: details)
    }
}

extension Redactor {
    /// The text with a mask in place of an incomplete secret at its end. A secret is incomplete if the text was cut before the
    /// secret became known.
    func withoutCutSecret(_ text: String) -> String {
        let end = Array(text.utf8.suffix(4096))
        for secret in secrets {
            let value = Array(secret.value.utf8)
            let longest = min(value.count - 1, end.count)
            guard longest >= 4,
                let length = (4...longest).last(where: { end.suffix($0).elementsEqual(value.prefix($0)) })
            else { continue }
            return String(decoding: text.utf8.dropLast(length), as: UTF8.self) + "<\(secret.label)>"
        }
        return text
    }
}
