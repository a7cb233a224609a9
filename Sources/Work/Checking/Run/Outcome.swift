package import Calling
package import Exchange
package import ReqcliBasics
package import ReqcliText

/// The result of a case. Only `passed` is green.
package enum Verdict: String, Sendable, CaseIterable {
    case passed
    /// The response is not as expected.
    case failed
    /// There is no response to check.
    case error
    /// A call that the case requires has failed.
    case blocked
    /// A probe that was not sent or whose response proves nothing, or a step of a scenario that was skipped. `Outcome.reason`
    /// says why.
    case notJudged
    /// The run ended first: it was interrupted or stopped by `--fail-fast`.
    case notRun
}

/// The outcome of a case, or of a call that a case requires.
package struct Outcome: Sendable {
    package var verdict: Verdict
    package var failures: [ExpectationFailure] = []
    /// The reason why there is no response, or why no expectation could be checked.
    @Rare package var problem: Failure?
    /// The required call that failed.
    @Rare package var blocker: Blocker?
    /// The reason why a probe was not judged, or a step was skipped.
    @Rare package var reason: Wording?
    @Rare package var stub: CallResult.Stub?
    @Rare package var exchange: ExchangeRecord?
    /// The result of the comparison with a snapshot, if there was one.
    @Rare package var snapshot: SnapshotFinding?
    /// The operation of an API description that the response belongs to; nil if the response wasn't compared with a description.
    @Rare var answer: OpenAPIAnswer?
    /// The earlier failure of a case that passed only on a later attempt.
    @Rare package internal(set) var flake: Flake?
    /// The number of requests sent.
    package var attempts = 0
    /// The time from the start of the run to the first request.
    package var started: Duration = .zero
    package var duration: Duration = .zero

    package init(_ verdict: Verdict) { self.verdict = verdict }

    /// An outcome with what reports show of a call, whatever is expected of it.
    init(_ verdict: Verdict, of result: CallResult) {
        self.verdict = verdict
        stub = result.stub
    }

    /// The outcome of a case that can't be sent.
    static func unsendable(_ problem: Failure) -> Outcome {
        var outcome = Outcome(.error)
        outcome.problem = problem
        return outcome
    }

    /// The outcome of a probe that is not sent, or of a step that is skipped.
    static func notJudged(_ reason: Wording) -> Outcome {
        var outcome = Outcome(.notJudged)
        outcome.reason = reason
        return outcome
    }

    package var exitStatus: ExitStatus {
        switch verdict {
        case .passed, .notJudged, .notRun: .success
        case .failed: .expectationFailed
        case .error: problem?.status ?? .noAnswer
        case .blocked: blocker?.exitStatus ?? .expectationFailed
        }
    }

    /// The status of the response, if the case failed because of the status.
    var refusedStatus: Int? { failures.lazy.compactMap(\.refusedStatus).first ?? blocker?.refusedStatus }

    /// The reasons why the case didn't pass, one line each.
    package var reasons: [Wording] {
        switch verdict {
        case .passed, .notRun: []
        case .failed: failures.map(\.wordings.message)
        case .error: problem?.diagnostics.map(\.wording) ?? []
        case .blocked: blocker.map { [$0.message] } ?? []
        case .notJudged: [reason].compactMap(\.self)
        }
    }
}

/// A failed call that kept a case from running, because the case requires the call.
package struct Blocker: Sendable {
    package internal(set) var id: String
    package internal(set) var reason: Wording
    /// The advice on what to do.
    package internal(set) var hint: Wording?
    package internal(set) var exitStatus: ExitStatus
    package internal(set) var isItselfBlocked: Bool
    /// The status of the response, if the required call failed because of it.
    let refusedStatus: Int?
    /// The request and the response of the required call that failed.
    package internal(set) var exchange: ExchangeRecord?

    package var message: Wording { "\(own: id) \(own: isItselfBlocked ? "is blocked" : "failed"): \(reason)" }
}

/// A request and its response, in the form that reports show.
package struct ExchangeRecord: Sendable {
    package var request: CallResult.Request?
    package var status: Int?
    /// The times at which the steps of the last transfer ended; nil if they were not measured.
    package var timings: Timings?
    /// The status line `HTTP 200 OK` and the headers, shortened.
    package var head: Wording = ""
    /// The beginning of the body; nil if it is not text or is hidden.
    package var body: String?
    package var bodyIsWhole = true
    /// The number of bytes read.
    package var bodySize = 0
    /// Whether the body has more bytes than were read.
    package var bodyIsLonger = false
    /// Whether the body is hidden, because a secret may be anywhere in it.
    package var bodyIsHidden = false
}
