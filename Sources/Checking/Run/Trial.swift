import CommandLineKit
import Definitions

/// A call to send until its response is as expected, for a case or for a need.
struct Trial: Sendable {
    let endpoint: LocatedEndpoint
    let parameters: [CaseParameter]
    /// The expectation; nil for a need that has none.
    let expectation: CompiledExpectation?
    let captures: CaptureReader
}

/// The result of a trial.
struct TrialOutcome: Sendable {
    var outcome: Outcome
    var captured = CaptureReader.Values()
}

/// The reason why a trial ended before its response could be checked.
enum Obstacle: Error {
    case problem(Failure)
    case blocked(Blocker)
    case stopped
}
