public import Foundation
import RequestBuilding

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Asks again after answers and failures that may pass.
///
/// What the server says in `Retry-After` is waited for, unless it is longer than the policy's `maximumWait`: then its
/// answer stands, and `onTooLong` is told.
public struct RetryMiddleware: Middleware {
    private let policy: RetryPolicy
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    private let onRetry: @Sendable (Retry) -> Void
    private let onTooLong: @Sendable (Duration) -> Void

    /// One decision to ask again.
    public struct Retry: Sendable {
        /// 1 for the first time.
        public let attempt: Int
        /// How long is waited before.
        public let wait: Duration
        /// The status that is not accepted, if there was an answer.
        public let status: Int?
        /// Why there was none.
        public let error: TransportError?
    }

    /// Retries by a policy.
    ///
    /// - Parameters:
    ///   - now: The time, for a `Retry-After` that is a date.
    ///   - sleep: Waits; a test returns at once and notes how long.
    ///   - onRetry: Told before each wait.
    ///   - onTooLong: Told how long the server wants to be left alone, where that is why its answer stands.
    public init(
        _ policy: RetryPolicy, now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onRetry: @escaping @Sendable (Retry) -> Void = { _ in },
        onTooLong: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.policy = policy
        self.now = now
        self.sleep = sleep
        self.onRetry = onRetry
        self.onTooLong = onTooLong
    }

    /// Sends the request on, and again while the policy allows it.
    public func send(_ request: URLRequest, next: Next) async throws -> Response {
        var attempt = 0
        while true {
            attempt += 1
            let mayRetry = attempt <= policy.times && policy.methods.contains(request.httpMethod ?? "GET")
            do {
                let response = try await next(request)
                guard mayRetry, policy.statuses.contains(response.status) else { return response }
                let wait = wait(for: response, attempt)
                guard wait <= policy.maximumWait else {
                    onTooLong(wait)
                    return response
                }
                await response.body.drain(upTo: 64 << 10)
                onRetry(Retry(attempt: attempt, wait: wait, status: response.status, error: nil))
                try await sleep(wait)
            } catch let error as TransportError where mayRetry && error.mayPass {
                let wait = policy.wait(attempt)
                onRetry(Retry(attempt: attempt, wait: wait, status: nil, error: error))
                try await sleep(wait)
            }
        }
    }

    /// What the server asks for, else what the policy says.
    private func wait(for response: Response, _ attempt: Int) -> Duration {
        response.headers["Retry-After"].flatMap { RetryAfter.wait($0, now: now()) } ?? policy.wait(attempt)
    }
}

/// When and how often to ask again.
public struct RetryPolicy: Hashable, Sendable {
    /// How often at most, after the first time.
    public var times: Int
    /// Which statuses are not accepted.
    public var statuses: Set<Int>
    /// Which methods may be sent again; others could do twice what was asked once.
    public var methods: Set<String>
    /// The wait before the first retry; each further one is twice as long.
    public var firstWait: Duration
    /// No wait is longer.
    public var maximumWait: Duration

    /// A policy; without arguments it doesn't retry.
    public init(
        times: Int = 0, statuses: Set<Int> = [429, 502, 503, 504], methods: Set<String> = ["GET", "HEAD"],
        firstWait: Duration = .seconds(1), maximumWait: Duration = .seconds(60)
    ) {
        self.times = times
        self.statuses = statuses
        self.methods = methods
        self.firstWait = firstWait
        self.maximumWait = maximumWait
    }

    func wait(_ attempt: Int) -> Duration {
        min(maximumWait, firstWait * (1 << min(attempt - 1, 20)))
    }
}

extension TransportError {
    /// True for what may be different in a moment.
    fileprivate var mayPass: Bool {
        switch kind {
        case .refused, .socketMissing, .unreachable, .reset, .truncated, .timeout(.connect), .timeout(.firstByte),
            .timeout(.idle):
            true
        default: false
        }
    }
}
