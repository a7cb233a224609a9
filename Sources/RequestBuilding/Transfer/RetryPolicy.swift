/// When and how often to send a request again.
public struct RetryPolicy: Hashable, Sendable {
    /// How often at most, after the first attempt.
    public var times: Int
    /// Which statuses are not accepted.
    public var statuses: Set<Int>
    /// Which methods may be sent again; others could do twice what was asked once.
    public var methods: Set<HTTPMethod>
    /// The wait before the first retry; each further one is twice as long.
    public var firstWait: Duration
    /// No wait is longer.
    public var maximumWait: Duration

    /// A policy; without arguments it doesn't retry.
    public init(
        times: Int = 0, statuses: Set<Int> = [429, 502, 503, 504], methods: Set<HTTPMethod> = [.get, .head],
        firstWait: Duration = .seconds(1), maximumWait: Duration = .seconds(60)
    ) {
        self.times = times
        self.statuses = statuses
        self.methods = methods
        self.firstWait = firstWait
        self.maximumWait = maximumWait
    }

    /// The wait before a retry; the first has the number 1.
    package func wait(_ attempt: Int) -> Duration {
        min(maximumWait, firstWait * (1 << min(attempt - 1, 20)))
    }
}

/// Whether redirects are followed, and with what.
public struct RedirectPolicy: Hashable, Sendable {
    /// False where a redirect is a response like any other.
    public var isFollowing: Bool
    /// How many redirects in a row are followed at most.
    public var maximum: Int
    /// Where credentials and bodies with secrets go.
    public var credentials: Credentials

    /// Where credentials and bodies with secrets go.
    public enum Credentials: String, Hashable, Sendable {
        /// To the origin (scheme, host, port) of the first request alone.
        case sameOrigin
        /// Wherever a server leads.
        case anyHost
    }

    /// A policy; without arguments it follows ten redirects and keeps credentials with their origin.
    public init(isFollowing: Bool = true, maximum: Int = 10, credentials: Credentials = .sameOrigin) {
        self.isFollowing = isFollowing
        self.maximum = maximum
        self.credentials = credentials
    }
}
