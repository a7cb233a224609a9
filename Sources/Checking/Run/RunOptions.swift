/// How a plan is run.
package struct RunOptions: Sendable {
    /// Requests that are under way at one time, at most.
    package var jobs: Int
    /// Begin nothing more after the first case that doesn't pass.
    package var failsFast: Bool
    /// How many more times a case is tried that doesn't hold yet.
    package var retries: Int
    package var retryInterval: Duration
    /// Whether anybody wants to see the requests and answers of what passed.
    package var recordsPassed: Bool

    package init(
        jobs: Int = 4, failsFast: Bool = false, retries: Int = 0, retryInterval: Duration = .seconds(1),
        recordsPassed: Bool = true
    ) {
        self.jobs = max(1, jobs)
        self.failsFast = failsFast
        self.retries = max(0, retries)
        self.retryInterval = retryInterval
        self.recordsPassed = recordsPassed
    }
}
