import Calling
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension FlowRunner {
    /// Calls the endpoint until the condition is met or cannot be met any more, or until the time is over.
    func poll(_ checkedCall: CheckedCall, _ step: PlannedStep, _ scope: Call) async -> CheckedCallOutcome {
        guard let poll = step.poll, rehearsal == nil else { return await perform(checkedCall) }
        // The time is that of the requests, so that a recording of them is polled as often as the server was.
        var began: Duration?
        var total = Outcome(.notRun)
        var last: CheckedCallOutcome?
        while true {
            var each = checkedCall
            each.occasion += " after \(total.attempts)"
            var result = await perform(each)
            total.attempts += result.outcome.attempts
            if total.started == .zero { total.started = result.outcome.started }
            result.outcome.attempts = total.attempts
            result.outcome.started = total.started
            let ended = result.ended ?? clock.elapsed()
            let start = began ?? min(origin + result.outcome.started, ended)
            began = start
            result.outcome.duration = ended - start
            let left = poll.definition.within - (ended - start)
            switch result.outcome.verdict {
            case .passed:
                return await judged(result, step, scope)
            case .failed where result.outcome.stub?.mustFail == true: return result
            case .failed:
                if await givesUp(result, poll, step, scope) {
                    result.outcome.failures = result.outcome.failures.map { $0.givenUp(poll.definition) }
                    return result
                }
            case .error where result.outcome.problem?.isAboutTheNetwork == true: break
            case .error, .blocked, .notJudged: return result
            // The end of the run keeps the verdict of the last response, whether it comes before the next call or while waiting.
            case .notRun: return last ?? result
            }
            let mayGoOn = left > .zero ? await wait(min(left, poll.definition.every), checkedCall) : false
            result.outcome.failures = result.outcome.failures.map { $0.within(poll.definition.within) }
            if !mayGoOn { return result }
            last = result
        }
    }

    /// Waits between two calls; false if the run ends meanwhile.
    private func wait(_ time: Duration, _ checkedCall: CheckedCall) async -> Bool {
        let end = clock.elapsed() + time
        while true {
            if isOver(for: checkedCall) { return false }
            let left = end - clock.elapsed()
            if left <= .zero { return true }
            if (try? await clock.sleep(min(left, .milliseconds(100)))) == nil { return false }
        }
    }

    private func givesUp(
        _ result: CheckedCallOutcome, _ poll: PlannedStep.Poll, _ step: PlannedStep, _ scope: Call
    ) async -> Bool {
        var scope = scope
        guard let response = result.response,
            let giveUp = try? await filled(poll.giveUp, &scope, at: step.place)
        else { return false }
        return giveUp.failures(of: response).isEmpty
    }

    /// The result, after the step's own "expect" has checked the response that ended the poll.
    private func judged(_ result: CheckedCallOutcome, _ step: PlannedStep, _ scope: Call) async -> CheckedCallOutcome {
        guard step.hasOwnExpectation, let response = result.response else { return result }
        var result = result
        var scope = scope
        do throws(Obstacle) {
            let redactor = secrets.redactor
            let expectation = try await filled(step.expectation, &scope, at: step.place)
            result.outcome.failures = (expectation?.failures(of: response, redactor: redactor) ?? []).map {
                $0.hiding(result.captured.hiddenParts)
            }
            result.outcome.answer = expectation?.openAPI?.answer(of: response)
            if !result.outcome.failures.isEmpty { result.outcome.verdict = .failed }
        } catch {
            let ended = Outcome(error)
            result.outcome.verdict = ended.verdict
            result.outcome.problem = ended.problem
        }
        return result
    }
}

extension ExpectationFailure {
    fileprivate func within(_ time: Duration) -> ExpectationFailure {
        var result = self
        result.wordings.expected = "\(wordings.expected) within \(own: time.text)"
        return result
    }

    fileprivate func givenUp(_ poll: StepPoll) -> ExpectationFailure {
        var result = within(poll.within)
        let isNamed = poll.giveUp?.json.contains { $0.name == subject } == true
        result.wordings.actual = wordings.actual + (isNamed ? ", which meets \"giveUp\"" : ", and \"giveUp\" is met")
        return result
    }
}
