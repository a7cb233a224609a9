package import Calling
import Exchange
package import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText

/// A user of a load: makes the calls of a plan's cases again and again. Each user makes the required calls once, and has their captures
/// and cookies.
package struct LoadUser: Sendable {
    private let runner: FlowRunner

    /// - Parameters:
    ///   - number: The number of the user.
    ///   - most: The maximum number of requests at the same time.
    package init(_ plan: CheckPlan, number: Int, most: Int, caller: Caller, clock: WorldClock) {
        var options = RunOptions(jobs: .fixed(most))
        (options.recordsPassed, options.exchanges, options.listsRequired) = (false, .nothing, false)
        options.user = number
        runner = FlowRunner(plan, options, caller, clock)
    }

    /// Runs a flow as `check` does, with its required calls, before the load begins.
    package func check(_ flow: Flow) async -> CaseResult { await runner.run(flow) }

    /// Makes the calls that a flow requires, unless they were made before. For a scenario, these are the calls that don't depend on
    /// earlier steps.
    ///
    /// - Returns: Whether a call was made.
    package func logIn(for flow: Flow) async throws(Failure) -> Bool {
        let before = runner.dependencies.count
        do throws(Obstacle) {
            switch flow {
            case .check(let each):
                if !each.endpoint.needs.isEmpty { _ = try await runner.prepare(each.checkedCall) }
            case .scenario(let each):
                for step in each.allSteps {
                    let needs = step.endpointWithUnmetNeeds.needs.filter(\.value.parameters.isEmpty).map(\.name)
                    if needs.isEmpty { continue }
                    _ = try await runner.gather(runner.caller.call(step.endpoint.needing(needs.contains)))
                }
            }
            return runner.dependencies.count > before
        } catch {
            var outcome = Outcome(.notRun)
            if case .blocked(let blocker) = error { (outcome.verdict, outcome.blocker) = (.blocked, blocker) }
            if case .problem(let problem) = error { (outcome.verdict, outcome.problem) = (.error, problem) }
            outcome = outcome.redacted(runner.secrets.redactor)
            let status = outcome.verdict == .notRun ? .interrupted : outcome.exitStatus
            let reasons = outcome.reasons.map(\.text).joined(separator: "; ")
            throw Failure(status, code: .needFailed, "\(flow.id) can't be called: \(reasons)", at: flow.place)
        }
    }

    /// Lets no step begin any more, except those that clean up.
    package func stop() { runner.halt.set() }

    /// Cancels the required calls, which are not cancelled with the flows that wait for them.
    package func cancel() { runner.dependencies.cancelAll() }

    /// Runs a flow.
    ///
    /// - Parameters:
    ///   - number: The number of the arrival. Each arrival has its own random values.
    ///   - pause: Waits between two steps.
    ///   - note: Takes each call, with the position of its row in `LoadEntry.labels`.
    package func run(
        _ flow: Flow, arrival number: Int, pausing pause: @escaping @Sendable () async -> Void,
        note: @escaping @Sendable (_ row: Int, LoadedCall) -> Void
    ) async {
        guard case .scenario(var each) = flow else {
            if case .check(let each) = flow { note(0, await call(each, arrival: number)) }
            return
        }
        let runner = runner.withOwnSecrets
        let (secrets, clock) = (runner.secrets, runner.clock)
        each.occasion = "\(each.id) arrival \(number)"
        let labels = LoadEntry.labels(of: each.scenario)
        let noted = Mutex((any: false, failure: false))
        let observer = StepObserver(pause: pause) { step, began, result in
            noted.withLock { $0 = (true, $0.failure || result.outcome.verdict.isFailure) }
            let row = labels.firstIndex(of: step.label) ?? 0
            note(
                row,
                LoadedCall(
                    began: began, ended: result.ended ?? clock.elapsed(), timings: result.timings,
                    outcome: result.outcome, redactor: secrets.redactor))
        }
        let outcome = await runner.observed(by: observer).run(each).outcome
        let lacks = noted.withLock { outcome.verdict.isFailure ? !$0.failure : outcome.verdict == .notRun && !$0.any }
        if lacks {
            note(0, LoadedCall(began: nil, ended: clock.elapsed(), outcome: outcome, redactor: secrets.redactor))
        }
    }

    private func call(_ each: CheckCase, arrival number: Int) async -> LoadedCall {
        // Secrets that a response contains are forgotten after the call, because there may be millions of them.
        let runner = runner.withOwnSecrets
        var call = each.checkedCall
        call.occasion = "\(each.id) arrival \(number)"
        call.isOfLoad = true
        var state = CallProgress()
        do throws(Obstacle) { try await runner.run(call, &state) } catch { state.end(error) }
        return LoadedCall(
            began: state.began, ended: state.ended ?? runner.clock.elapsed(), timings: state.timings,
            outcome: state.outcome, redactor: runner.secrets.redactor)
    }
}

/// Measures the steps of a scenario in a load.
struct StepObserver: Sendable {
    /// Waits before a step that is not the first.
    let pause: @Sendable () async -> Void
    /// Takes a call of a step, with the time at which it began; nil if it was not sent.
    let note: @Sendable (PlannedStep, _ began: Duration?, CheckedCallOutcome) -> Void
}

/// The result of a call of a load.
package struct LoadedCall: Sendable {
    /// The time at which the transfer of the request began; nil if it was not sent.
    package let began: Duration?
    /// The time at which the response had been read.
    package let ended: Duration
    /// The time from the first byte of the request to the last byte of the response. If there were several requests, it begins with
    /// the first one.
    package let service: Duration
    private let outcome: Outcome
    private let redactor: Redactor

    /// - Parameter began: The time at which the request was handed to the network.
    fileprivate init(
        began: Duration?, ended: Duration, timings: Timings? = nil, outcome: Outcome, redactor: Redactor
    ) {
        let start = began.map { $0 + (timings?.queued ?? .zero) }
        self.began = start
        service = timings?.service ?? ended - (start ?? ended)
        (self.ended, self.outcome, self.redactor) = (ended, outcome, redactor)
    }

    package var isPassed: Bool { outcome.verdict == .passed }

    /// Whether this machine had no descriptor, local port or memory left for the request.
    package var lackedResources: Bool { outcome.problem?.diagnostics.contains { $0.code == .exhausted } ?? false }

    /// The cause of the failure. It has no part of the response, so that equal failures have equal causes.
    package var cause: String {
        switch outcome.verdict {
        case .passed, .notRun, .notJudged: "not finished"
        case .blocked: "\(outcome.blocker?.id ?? "a required call") failed"
        case .failed:
            outcome.refusedStatus.map { "status \($0)" } ?? "response not as expected"
        case .error:
            switch outcome.problem?.status {
            case ExitStatus.timedOut: "timed out"
            case ExitStatus.noAnswer: lackedResources ? "no descriptor or local port left" : "no response"
            case ExitStatus.refusedByPolicy: "not allowed"
            default: "cannot be sent"
            }
        }
    }

    /// The reasons of the failure, without secrets. Making them takes longer than the call.
    package var reasons: String? {
        let reasons = outcome.redacted(redactor).reasons.map(\.text)
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }
}
