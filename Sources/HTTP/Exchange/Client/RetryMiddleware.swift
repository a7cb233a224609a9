public import Foundation
public import RequestBuilding

/// Retries a request after responses and failures that may be temporary.
///
/// ```swift
/// let client = APIClient(baseURL: server, middlewares: [RetryMiddleware()])
/// ```
///
/// A request follows the rules of its own `transfer.retry`, with 0 `times` for no retry. Without a number there, the middleware's
/// number counts, and without any rule, the middleware's rules: by default, a GET or HEAD request is retried twice.
///
/// The middleware waits as long as the server asks in `Retry-After`. If this wait is longer than the policy's `maximumWait`, the
/// middleware calls `onTooLong` and returns the response.
public struct RetryMiddleware: Middleware {
    private let policy: RetryPolicy
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    private let onRetry: @Sendable (Retry) -> Void
    private let onTooLong: @Sendable (_ asked: Duration, _ longest: Duration) -> Void

    /// A decision to send a request again.
    public struct Retry: Sendable {
        /// The number of the retry, counted from 1.
        public let attempt: Int
        /// The wait before this retry.
        public let wait: Duration
        /// The status that caused the retry, if there was a response.
        public let status: Int?
        /// The error that caused the retry, if there was no response.
        public let error: TransportError?
    }

    /// Retries requests by their own settings, or else by a policy.
    ///
    /// - Parameters:
    ///   - policy: The rules for a request that has none. `RetryPolicy()` retries no such request.
    ///   - now: The current time, for a `Retry-After` that is a date.
    ///   - sleep: Waits. In a test, this closure can return at once and record the duration.
    ///   - onRetry: Called before each wait.
    ///   - onTooLong: Called when the server asks for a longer wait than the policy allows, so that its response is returned. The
    ///     arguments are the wait that the server asks for, and the longest wait that the policy allows.
    public init(
        _ policy: RetryPolicy = RetryPolicy(times: 2), now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onRetry: @escaping @Sendable (Retry) -> Void = { _ in },
        onTooLong: @escaping @Sendable (_ asked: Duration, _ longest: Duration) -> Void = { _, _ in }
    ) {
        self.policy = policy
        self.now = now
        self.sleep = sleep
        self.onRetry = onRetry
        self.onTooLong = onTooLong
    }

    /// Sends the request, and sends it again after temporary failures while the policy allows it.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        let policy = policy(for: request)
        var attempt = 0
        while true {
            attempt += 1
            let mayRetry = attempt <= policy.times ?? 0 && policy.methods.contains(request.method)
            do {
                let response = try await next(request)
                guard mayRetry, policy.statuses.contains(response.status) else { return response }
                let wait = wait(for: response) ?? policy.wait(attempt)
                guard wait <= policy.maximumWait else {
                    onTooLong(wait, policy.maximumWait)
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

    private func policy(for request: PreparedRequest) -> RetryPolicy {
        var own = request.transfer.retry
        if own == RetryPolicy() { return policy }
        own.times = own.times ?? policy.times
        return own
    }

    /// The wait in the response's `Retry-After` header.
    private func wait(for response: Response) -> Duration? {
        response.headers["Retry-After"].flatMap { RetryAfter.wait($0, now: now()) }
    }
}

extension TransportError {
    /// Whether the failure may be temporary.
    fileprivate var mayPass: Bool {
        switch kind {
        case .refused, .socketMissing, .unreachable, .exhausted, .reset, .truncated, .timeout(.connect),
            .timeout(.firstByte),
            .timeout(.idle):
            true
        default: false
        }
    }
}
