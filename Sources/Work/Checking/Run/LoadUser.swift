package import Calling
import Exchange
package import ReqcliAssembly
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

    /// Runs a case as `check` does, with its required calls, before the load begins.
    package func check(_ each: CheckCase) async -> CaseResult { await runner.run(.check(each)) }

    /// Makes the calls that a case requires.
    package func logIn(for each: CheckCase) async throws(Failure) {
        do throws(Obstacle) {
            _ = try await runner.prepare(each.checkedCall)
        } catch {
            var outcome = Outcome(.notRun)
            if case .blocked(let blocker) = error { (outcome.verdict, outcome.blocker) = (.blocked, blocker) }
            if case .problem(let problem) = error { (outcome.verdict, outcome.problem) = (.error, problem) }
            outcome = outcome.redacted(runner.secrets.redactor)
            let status = outcome.verdict == .notRun ? .interrupted : outcome.exitStatus
            let reasons = outcome.reasons.map(\.text).joined(separator: "; ")
            throw Failure(status, code: .needFailed, "\(each.id) can't be called: \(reasons)", at: each.place)
        }
    }

    /// Calls a case.
    ///
    /// - Parameter number: The number of the arrival. Each arrival has its own random values.
    package func call(_ each: CheckCase, arrival number: Int) async -> LoadedCall {
        // Secrets that a response contains are forgotten after the call, because there may be millions of them.
        let runner = runner.withOwnSecrets
        var call = each.checkedCall
        call.occasion = "\(each.id) arrival \(number)"
        call.isOfLoad = true
        var state = CallProgress()
        do throws(Obstacle) { try await runner.run(call, &state) } catch { state.end(error) }
        return LoadedCall(
            state, ended: state.ended ?? runner.clock.elapsed(), redactor: runner.secrets.redactor)
    }
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

    fileprivate init(_ state: CallProgress, ended: Duration, redactor: Redactor) {
        let exchanged = state.exchanged
        let timings = state.sendings == 1 && exchanged?.isChain == false ? exchanged?.timings : nil
        began = state.began.map { $0 + (timings?.queued ?? .zero) }
        service = timings?.service ?? ended - (began ?? ended)
        (self.ended, outcome, self.redactor) = (ended, state.outcome, redactor)
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
