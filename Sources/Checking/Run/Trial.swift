import CommandLineKit
import Definitions

/// A call to be made until its answer is as expected: a case's, or one that cases need.
struct Trial: Sendable {
    let endpoint: LocatedEndpoint
    let parameters: [CaseParameter]
    /// Nil for something that is needed and expects nothing in particular.
    let expectation: CompiledExpectation?
    let captures: CaptureReader
}

/// What came of it.
struct TrialOutcome: Sendable {
    var outcome: Outcome
    var captured = CaptureReader.Values()
}

/// What ended a trial before its answer could be judged.
enum Obstacle: Error {
    case problem(Failure)
    case blocked(Blocker)
    case stopped
}
