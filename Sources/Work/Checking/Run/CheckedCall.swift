import Calling
import Exchange
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A call to send until its response is as expected: the call of a case, or a call that a case requires.
struct CheckedCall: Sendable {
    let endpoint: LocatedEndpoint
    let parameters: [CaseParameter]
    /// Params whose values are not known yet, in a rehearsal.
    var awaited: Set<String> = []
    /// The expectation; nil for a required call without an expectation.
    let expectation: CompiledExpectation?
    let captures: CaptureReader
    /// The snapshot that the response is compared with; nil for a required call that is not a case of the run.
    let snapshot: CaseSnapshot?
    /// The place at which problems are reported that have none.
    let place: Place
    /// The probe's change to the call. The response is then checked by the rules of the probe, not by the expectation.
    @Rare var probe: Probe? = nil
    /// The data that a step of a scenario adds to its call.
    var step: StepScope?
    /// Whether the call is sent even after the run has ended, in order to clean up.
    var outlivesRun = false
    /// Whether a load makes the call many times: its cookies are not kept, and the time at which its response had been read is noted.
    var isOfLoad = false
    /// See `Call.occasion`.
    var occasion = ""
}

/// The data that a step of a scenario adds to its call.
final class StepScope: Sendable {
    /// The id of the scenario, with the number of its row.
    let flow: String
    /// A call with the params and captures of the scenario, from which the step's templates get their values.
    let call: Call
    /// Whether the expectation takes its values from the scope of the step.
    let expectsInScope: Bool
    /// The captures of other steps that are used instead of a required call, by alias.
    let met: [String: [String: OrderedJSON]]
    /// The names of these captures in a rehearsal, in which they have no values.
    let awaited: [String: Set<String>]
    /// The names of the captures in `met` that must not be shown, by alias.
    let secretNames: [String: Set<String>]
    /// The captures of earlier steps, by call. A required call that an earlier step has made is not made again.
    let earlier: [CallIdentity: [String: OrderedJSON]]
    /// The exchanges whose cookies are sent. `passesOnCookies` says whether the cookies of this call are kept for later calls.
    let cookieSources: [Int]
    let passesOnCookies: Bool

    init(
        flow: String, call: Call, expectsInScope: Bool, met: [String: [String: OrderedJSON]],
        awaited: [String: Set<String>], secretNames: [String: Set<String>],
        earlier: [CallIdentity: [String: OrderedJSON]], cookieSources: [Int], passesOnCookies: Bool
    ) {
        (self.flow, self.call, self.expectsInScope, self.met) = (flow, call, expectsInScope, met)
        (self.awaited, self.secretNames, self.earlier) = (awaited, secretNames, earlier)
        (self.cookieSources, self.passesOnCookies) = (cookieSources, passesOnCookies)
    }
}

/// The result of a checked call.
struct CheckedCallOutcome: Sendable {
    var outcome: Outcome
    var captured = CaptureReader.Values()
    /// The number of the exchange whose cookies are passed on; nil if there are none.
    var cookies: Int?
    /// The time at which the last response had been read, for a step or a load.
    var ended: Duration?
    /// See `CallProgress.timings`.
    @Rare var timings: Timings? = nil
    /// The response, for a step.
    var response: ReceivedResponse?
    /// The identity of the call, for a step.
    var identity: CallIdentity?
}

/// The reason why a checked call ended before its response could be checked.
indirect enum Obstacle: Error {
    case problem(Failure)
    case blocked(Blocker)
    case stopped
}

/// The state of a checked call between its requests.
struct CallProgress {
    var outcome = Outcome(.notRun)
    var captured = CaptureReader.Values()
    var exchanged: CallResult?
    var began: Duration?
    /// The time at which the last response of a step or a load had been read; nil for any other call.
    var ended: Duration?
    var requests = 0
    /// The number of times that the call was sent, without the repetitions by a `retry` in the files.
    private(set) var sendings = 0
    /// The identity of the call, for a step.
    var identity: CallIdentity?
    /// The number of retries. Requests repeated after a refresh don't count.
    private(set) var retries = 0
    /// The number of requests that were repeated because of a `retry` in the files.
    private var repeats = 0
    /// The reasons why the first attempt failed, if the call was repeated because of the failure.
    private var firstReasons: [Wording]?

    /// The earlier failure, which makes the case flaky if it passes now; nil if there was only one attempt.
    var flake: Flake? {
        retries + repeats > 0 ? Flake(attempt: retries + repeats + 1, reasons: firstReasons ?? []) : nil
    }

    /// The times of the transfer; nil if there were several requests, or if nothing was measured.
    var timings: Timings? { sendings == 1 && exchanged?.isChain == false ? exchanged?.timings : nil }

    mutating func noteRetry() {
        firstReasons = firstReasons ?? outcome.reasons
        retries += 1
    }

    mutating func note(_ exchanged: CallResult) {
        self.exchanged = exchanged
        sendings += 1
        requests += exchanged.requests
        guard exchanged.requests > 1 else { return }
        repeats += exchanged.requests - 1
        firstReasons = firstReasons ?? exchanged.firstFailure.map { [Wording(quoting: $0)] }
    }

    /// The status, if it may mean that a capture has expired.
    var status: Int? {
        guard case .success(let response) = exchanged?.result, !isMeantToFail else { return nil }
        return response.status
    }

    /// Whether the response is from a stub with `"expect": "fail"`. Such a response ends the case.
    private var isMeantToFail: Bool { exchanged?.stub?.mustFail == true }

    /// Whether another attempt could pass. Mistakes in the request and stubs that are meant to fail would fail again.
    func isWorthAnother(_ options: RunOptions) -> Bool {
        guard retries < options.retries else { return false }
        switch outcome.verdict {
        case .failed: return !isMeantToFail
        case .error: return !isMeantToFail && outcome.problem?.isAboutTheNetwork == true
        case .passed, .blocked, .notJudged, .notRun: return false
        }
    }

    mutating func end(_ obstacle: Obstacle) {
        switch obstacle {
        case .stopped:
            // A case that had a response keeps its verdict, because only a later attempt was cancelled.
            if requests == 0 { outcome.verdict = .notRun }
            return
        case .blocked(let blocker):
            outcome.verdict = .blocked
            outcome.blocker = blocker
        case .problem(let problem):
            outcome.verdict = .error
            outcome.problem = problem
        }
        outcome.failures = []
    }
}

extension Failure {
    var isAboutTheNetwork: Bool { status == .noAnswer || status == .timedOut }
}
