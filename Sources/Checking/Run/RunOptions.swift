/// Options for running a plan.
package struct RunOptions: Sendable {
    /// The maximum number of parallel requests.
    package var jobs: Int
    /// Whether to begin no more cases after the first one that doesn't pass.
    package var failsFast: Bool
    /// The number of retries of a case that doesn't pass.
    package var retries: Int
    package var retryInterval: Duration
    /// Whether requests and responses of passed cases are recorded.
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
