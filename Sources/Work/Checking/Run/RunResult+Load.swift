package import ReqcliText

/// A condition on a whole load, and what was measured.
package struct LoadCondition: Sendable {
    package let text: String
    package let isMet: Bool
    package let found: String
    package let place: Place

    package init(_ text: String, isMet: Bool, found: String, at place: Place) {
        (self.text, self.isMet, self.found, self.place) = (text, isMet, found, place)
    }
}

extension RunResult {
    /// The conditions of a load as cases, for the reports that a load has in common with `check`.
    ///
    /// - Parameter gaps: The reasons why the load proves nothing.
    package init(
        conditions: [LoadCondition], gaps: [Diagnostic], environment: String, startedAt: Double, duration: Duration,
        endOnInterruption: ExitStatus?
    ) {
        let cases = conditions.enumerated().map { index, condition in
            var outcome = Outcome(condition.isMet ? .passed : .failed)
            outcome.duration = duration
            if !condition.isMet {
                outcome.failures = [
                    ExpectationFailure(
                        "load", expected: Wording(own: condition.text), actual: Wording(own: condition.found),
                        at: condition.place)
                ]
            }
            return CaseResult(
                number: index + 1, id: condition.text, endpointID: "reqcli load", checkName: nil, row: nil,
                summary: nil, tags: [],
                place: condition.place, probe: nil,
                outcome: outcome)
        }
        self.init(
            environment: environment, shard: nil, selectedCount: cases.count, cases: cases, dependencies: [],
            startedAt: startedAt, duration: duration, wasInterrupted: endOnInterruption != nil)
        self.gaps = gaps
        self.endOnInterruption = endOnInterruption ?? .interrupted
        gapSource = "reqcli load"
    }
}
