/// The rules for sending a request again.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of retries after the first attempt; 0 for none. Nil leaves it to the `RetryMiddleware` of the client.
    public var times: Int?
    /// The statuses after which a request is retried.
    public var statuses: Set<Int>
    /// The methods to retry. Repeating other methods could have an effect twice.
    public var methods: Set<HTTPMethod>
    /// The wait before the first retry; each further wait is twice as long.
    public var firstWait: Duration
    /// The maximum wait.
    public var maximumWait: Duration

    /// The values of ``times`` that are allowed in files and flags.
    package static let limits = 0...100
    /// Every status of an error: all of 4xx and 5xx.
    package static let errorStatuses = Set(400...599)

    /// A policy. Without a number of retries, the client decides.
    public init(
        times: Int? = nil, statuses: Set<Int> = [429, 502, 503, 504], methods: Set<HTTPMethod> = [.get, .head],
        firstWait: Duration = .seconds(1), maximumWait: Duration = .seconds(60)
    ) {
        self.times = times
        self.statuses = statuses
        self.methods = methods
        self.firstWait = firstWait
        self.maximumWait = maximumWait
    }

    /// The wait before the retry with this number, counted from 1.
    package func wait(_ attempt: Int) -> Duration {
        min(maximumWait, firstWait * (1 << min(attempt - 1, 20)))
    }
}
