import CommandLineKit

/// Where a trial stands between its requests.
struct TrialState {
    var outcome = Outcome(.notRun)
    var captured = CaptureReader.Values()
    var exchanged: Exchanged?
    var began: Duration?
    var requests = 0
    /// A request that is repeated after a refresh is none.
    var retries = 0

    /// A status that may mean that a capture has run out.
    var status: Int? {
        guard case .success(let answer) = exchanged?.result, !isMeantToFail else { return nil }
        return answer.status
    }

    /// On such an answer the case ends: it is there to be failed, not to be got over.
    private var isMeantToFail: Bool { exchanged?.stub?.mustFail == true }

    /// What fails now may hold a little later, unless it is wrong by itself or meant to fail.
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
            // One that had an answer keeps its verdict: only another try was given up.
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
