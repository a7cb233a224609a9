import ASCII
package import CommandLineKit
import SourceText

/// What became of a case. Only `passed` is green.
package enum Verdict: String, Sendable, CaseIterable {
    case passed
    /// The answer is not as expected.
    case failed
    /// There is no answer to hold against what is expected.
    case error
    /// Something that it needs failed.
    case blocked
    /// The run ended before: it was interrupted, or `--fail-fast` had seen enough.
    case notRun
}

/// What became of a case, or of something that cases need.
package struct Outcome: Sendable {
    package var verdict: Verdict
    package var failures: [ExpectationFailure] = []
    /// Why there is no answer, or nothing to hold it against.
    package var problem: Failure?
    /// What it needs that failed.
    package var blocker: Blocker?
    package var stub: Exchanged.Stub?
    package var exchange: ExchangeRecord?
    /// How many requests it took.
    package var attempts = 0
    /// When its first request was sent, since the run began.
    package var started: Duration = .zero
    package var duration: Duration = .zero

    package init(_ verdict: Verdict) { self.verdict = verdict }

    package var exitStatus: ExitStatus {
        switch verdict {
        case .passed, .notRun: .success
        case .failed: .expectationFailed
        case .error: problem?.status ?? .noAnswer
        case .blocked: blocker?.exitStatus ?? .expectationFailed
        }
    }

    /// The answer's status, if that is what is not as expected.
    var refusedStatus: Int? { failures.lazy.compactMap(\.refusedStatus).first ?? blocker?.refusedStatus }

    /// Why it didn't pass, a line for each reason.
    package var reasons: [String] {
        switch verdict {
        case .passed, .notRun: []
        case .failed: failures.map(\.message)
        case .error: problem?.diagnostics.map(\.message) ?? []
        case .blocked: blocker.map { [$0.message] } ?? []
        }
    }
}

/// What kept a case from running.
package struct Blocker: Sendable {
    package let id: String
    package let reason: String
    /// What to do about it.
    package let hint: String?
    package let exitStatus: ExitStatus
    package let isItselfBlocked: Bool
    /// The status that was not as expected, if that is why it failed.
    let refusedStatus: Int?

    package var message: String { "\(id) \(isItselfBlocked ? "is blocked" : "failed"): \(reason)" }
}

/// A request and its answer, as far as reports show them.
package struct ExchangeRecord: Sendable {
    package var request: Exchanged.Request?
    package var status: Int?
    /// `HTTP 200 OK` and the headers; shortened.
    package var head: String
    /// The beginning of the body; nil if it is not text, or hidden.
    package var body: String?
    package var bodyIsWhole: Bool
    /// The number of bytes that were read.
    package var bodySize: Int
    /// Whether there are more bytes than were read.
    package var bodyIsLonger = false
    /// Whether nobody may see it, as there is a secret somewhere in it.
    package var bodyIsHidden = false
}
