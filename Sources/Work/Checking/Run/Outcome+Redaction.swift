import ReqcliRedaction
import ReqcliText

extension CaseResult {
    /// Redacts the result again, because a secret that was found later may occur in strings that were made earlier. Ids and names
    /// of cases, steps and checks stay unchanged, because they are from the workspace files.
    func redacted(_ redactor: Redactor) -> CaseResult {
        if redactor.isEmpty { return self }
        var result = self
        result.outcome = outcome.redacted(redactor)
        for index in steps.indices {
            result.steps[index].outcome = steps[index].outcome.redacted(redactor)
        }
        return result
    }
}

extension DependencyResult {
    func redacted(_ redactor: Redactor) -> DependencyResult {
        if redactor.isEmpty { return self }
        var result = self
        result.callWording.redact(redactor)
        result.outcome = outcome.redacted(redactor)
        return result
    }
}

extension Outcome {
    func redacted(_ redactor: Redactor) -> Outcome {
        if redactor.isEmpty { return self }
        var result = self
        result.failures = failures.map { $0.redacted(redactor) }
        result.problem = problem.map { $0.redacted(redactor) }
        result.reason?.redact(redactor)
        result.flake = flake?.redacted(redactor)
        result.blocker?.reason.redact(redactor)
        result.blocker?.hint?.redact(redactor)
        result.blocker?.exchange = blocker?.exchange?.redacted(redactor)
        result.exchange = exchange.map { $0.redacted(redactor) }
        result.snapshot?.note(secretsOf: redactor)
        return result
    }
}

extension Failure {
    /// Redacts the diagnostics. The details stay unchanged, because they are excerpts of a record that is already redacted.
    func redacted(_ redactor: Redactor) -> Failure {
        Failure(status, diagnostics.map { $0.mappingTexts(redactor.redact) }, details: details)
    }
}

extension ExpectationFailure {
    fileprivate func redacted(_ redactor: Redactor) -> ExpectationFailure {
        var result = self
        result.wordings.subject.redact(redactor)
        result.wordings.path?.redact(redactor)
        result.wordings.title.redact(redactor)
        result.wordings.expected.redact(redactor)
        result.wordings.actual.redact(redactor)
        result.difference = difference.map { DifferenceLine($0.kind, redactor.redact($0.wording)) }
        return result
    }
}

extension Wording {
    fileprivate mutating func redact(_ redactor: Redactor) { self = redactor.redact(self) }
}

extension ExchangeRecord {
    func redacted(_ redactor: Redactor) -> ExchangeRecord {
        var result = self
        result.request = request.map {
            Exchanged.Request(
                method: $0.method, url: redactor.redact($0.url), curl: redactor.redact($0.curl))
        }
        result.head = redactor.redact(head)
        result.body = body.map { text in
            let masked = redactor.redact(text)
            return bodyIsWhole ? masked : redactor.withoutCutSecret(masked)
        }
        return result
    }
}

extension Redactor {
    /// The text with a mask in place of an incomplete secret at its end. A secret is incomplete if the text was cut before the
    /// secret was known.
    fileprivate func withoutCutSecret(_ text: String) -> String {
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
