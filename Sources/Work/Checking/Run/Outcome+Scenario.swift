import Calling
import ReqcliDefinitions
import ReqcliText

extension Verdict {
    /// Whether something was wrong, with the response or before it.
    var isFailure: Bool { [.failed, .error, .blocked].contains(self) }
}

extension StepResult {
    init(_ step: PlannedStep, _ outcome: Outcome) {
        self.init(
            name: step.label, endpointID: step.endpoint.id, isCleanup: step.isCleanup, place: step.place,
            outcome: outcome)
    }
}

extension Outcome {
    init(_ obstacle: Obstacle) {
        var state = CallProgress()
        state.end(obstacle)
        self = state.outcome
    }

    init(failed failure: ExpectationFailure) {
        self.init(.failed)
        failures = [failure]
    }

    /// The outcome of a scenario.
    init(of steps: [StepResult], at place: Place) {
        self.init(.passed)
        attempts = steps.reduce(0) { $0 + $1.outcome.attempts }
        let flow = steps.filter { !$0.isCleanup }
        if let first = steps.first(where: \.verdict.isFailure) {
            verdict = first.verdict
        } else if flow.allSatisfy({ $0.verdict == .notJudged }) {
            verdict = .failed
            failures = [
                ExpectationFailure(
                    "steps", expected: "at least one step that runs",
                    actual: flow.count == 1
                        ? "that the only step was skipped" : "that all \(flow.count) steps were skipped",
                    at: place)
            ]
        } else if steps.contains(where: { $0.verdict == .notRun }),
            !flow.contains(where: { $0.outcome.stub?.mustFail == true })
        {
            verdict = .notRun
        }
        if verdict == .passed { flake = steps.lazy.compactMap(\.outcome.flake).first }
    }

    /// The outcome of a loop: the first of the worst outcomes of its elements.
    init(joining outcomes: [Outcome]) {
        let rank: [Verdict] = [.error, .failed, .blocked, .notRun]
        let worst = rank.lazy.compactMap { verdict in outcomes.first { $0.verdict == verdict } }.first
        let passed = outcomes.last { $0.verdict == .passed }
        self = worst ?? passed ?? outcomes.last ?? Outcome(.notRun)
        attempts = outcomes.reduce(0) { $0 + $1.attempts }
        let sent = outcomes.filter { $0.attempts > 0 }
        started = sent.first?.started ?? started
        duration = sent.last.map { $0.started + $0.duration - started } ?? .zero
    }

    /// The outcome of one element of a loop, with failures that name the element.
    func naming(element index: Int, of count: Int) -> Outcome {
        guard count > 1 else { return self }
        var result = self
        for position in result.failures.indices {
            let title = result.failures[position].wordings.title
            result.failures[position].wordings.title = "element \(index + 1): \(title)"
        }
        return result
    }
}
