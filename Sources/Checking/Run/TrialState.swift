import CommandLineKit

/// The state of a trial between its requests.
struct TrialState {
    var outcome = Outcome(.notRun)
    var captured = CaptureReader.Values()
    var exchanged: Exchanged?
    var began: Duration?
    var requests = 0
    /// The number of retries. Requests repeated after a refresh don't count.
    var retries = 0

    /// The status, if it may mean that a capture has expired.
    var status: Int? {
        guard case .success(let answer) = exchanged?.result, !isMeantToFail else { return nil }
        return answer.status
    }

    /// Whether the response came from a stub that is meant to fail, which ends the case.
    private var isMeantToFail: Bool { exchanged?.stub?.mustFail == true }

    /// Whether another attempt could pass. Mistakes in the request and stubs that are meant to fail would fail again.
    func isWorthAnother(_ options: RunOptions) -> Bool {
        guard retries < options.retries else { return false }
        switch outcome.verdict {
        case .failed: return !isMeantToFail
        case .error: return !isMeantToFail && outcome.problem?.isAboutTheNetwork == true
        case .passed, .blocked, .notRun: return false
        }
    }

    mutating func end(_ obstacle: Obstacle) {
        switch obstacle {
        case .stopped:
            // A case that had a response keeps its verdict, because only another attempt was given up.
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
