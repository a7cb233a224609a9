public import Foundation
public import RequestBuilding

/// Sends a request again after responses and failures that may pass, as the `retry` of its `transfer` says.
///
/// The wait that the server asks for in `Retry-After` is kept, unless it is longer than the policy's `maximumWait`: then
/// the response stands, and `onTooLong` is called.
public struct RetryMiddleware: Middleware {
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    private let onRetry: @Sendable (Retry) -> Void
    private let onTooLong: @Sendable (_ asked: Duration, _ longest: Duration) -> Void

    /// A decision to send a request again.
    public struct Retry: Sendable {
        /// 1 for the first time.
        public let attempt: Int
        /// How long is waited before.
        public let wait: Duration
        /// The status that is not accepted, if there was a response.
        public let status: Int?
        /// Why there was none.
        public let error: TransportError?
    }

    /// Retries requests whose settings say so.
    ///
    /// - Parameters:
    ///   - now: The time, for a `Retry-After` that is a date.
    ///   - sleep: Waits; a test returns at once and notes how long.
    ///   - onRetry: Called before each wait.
    ///   - onTooLong: Called with the wait that the server asks for and the longest one that the policy allows, where
    ///     that is why the response stands.
    public init(
        now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onRetry: @escaping @Sendable (Retry) -> Void = { _ in },
        onTooLong: @escaping @Sendable (_ asked: Duration, _ longest: Duration) -> Void = { _, _ in }
    ) {
        self.now = now
        self.sleep = sleep
        self.onRetry = onRetry
        self.onTooLong = onTooLong
    }

    /// Sends the request on, and again while the policy allows it.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        let policy = request.transfer.retry
        var attempt = 0
        while true {
            attempt += 1
            let mayRetry = attempt <= policy.times && policy.methods.contains(request.method)
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

    /// The wait that the server asks for.
    private func wait(for response: Response) -> Duration? {
        response.headers["Retry-After"].flatMap { RetryAfter.wait($0, now: now()) }
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
