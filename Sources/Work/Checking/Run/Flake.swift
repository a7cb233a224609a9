import ReqcliRedaction
package import ReqcliText

/// Describes a case that passed only on a later attempt, after `--retry` or a `retry` in the files had repeated the request. A
/// request that was repeated with fresh captures counts as another request.
package struct Flake: Sendable, Equatable {
    /// The number of the attempt that passed, from 2.
    package internal(set) var attempt: Int
    /// The reasons why the first attempt did not pass.
    package internal(set) var reasons: [Wording]

    /// The flake in one sentence, such as `flaky: passed at attempt 2; at first status: expected 200, found 503`.
    var explanation: Wording {
        let first: Wording = reasons.isEmpty ? "" : "; at first \(reasons.joined(separator: "; "))"
        return "flaky: passed at attempt \(attempt)\(first)"
    }
}

extension CaseResult {
    /// The result with `--fail-on-flaky`: a flaky case has failed, in every report and for `--failed`.
    func failingIfFlaky() -> CaseResult {
        guard let flake = outcome.flake else { return self }
        var result = self
        result.outcome.verdict = .failed
        result.outcome.failures = [
            ExpectationFailure(
                "attempts", expected: "a pass at the first attempt, because of --fail-on-flaky",
                actual: flake.explanation, at: place)
        ]
        return result
    }
}
