import Exchange
import ReqcliAssembly
import ReqcliBasics
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The attempts of one call. An environment's "retry" can cause several attempts.
final class Attempts: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>
    private let lastStub = Mutex<Stub?>(nil)
    private let cookies = Mutex<[String]>([])
    private let failure = Mutex<String?>(nil)

    private struct State {
        var count = 0
        /// The number of requests, those that follow a redirect or a challenge included.
        var requests = 0
        /// The times at which the first and the last attempt began.
        var first: Duration?
        var began: Duration
        var isNext = true
        /// The times of the last transfer, if it has failed before a response arrived.
        var failed: Timings?
    }

    init(elapsed: @escaping @Sendable () -> Duration) {
        self.elapsed = elapsed
        state = Mutex(State(began: elapsed()))
    }

    var count: Int { state.withLock(\.count) }
    var began: Duration? { state.withLock(\.first) }
    var timingsOfFailure: Timings? { state.withLock(\.failed) }
    /// Whether an attempt had more than one request.
    var isChain: Bool { state.withLock { $0.requests > $0.count } }

    /// The time that the last attempt has taken, without earlier attempts and the waits between them.
    var timeOfLast: Duration { elapsed() - state.withLock(\.began) }

    /// The stub variant that responded last, as reports name it.
    var stub: CallResult.Stub? {
        lastStub.withLock(\.self).flatMap { stub in
            stub.name.map { CallResult.Stub(name: $0, mustFail: stub.mustFail) }
        }
    }

    /// The cookies that were set by the responses to the last attempt, including its redirects.
    var setCookies: [String] { cookies.withLock(\.self) }

    private func responded(with head: ResponseHead) {
        let set = head.headers.values("Set-Cookie")
        if !set.isEmpty { cookies.withLock { $0 += set } }
    }

    func add(_ event: ExchangeEvent, _ redactor: Redactor) {
        switch event {
        case .request: requestStarted()
        case .stub(let stub): lastStub.withLock { $0 = stub }
        case .retry(let retry): attemptFailed(retry, redactor)
        case .response(let head): responded(with: head)
        case .failed(let timings): state.withLock { $0.failed = timings }
        case .keptBack, .unencryptedPassword, .tooLong: break
        }
    }

    /// The reason why the first attempt failed, if it was followed by another attempt.
    var firstFailure: String? { failure.withLock(\.self) }

    private func attemptFailed(_ retry: RetryMiddleware.Retry, _ redactor: Redactor) {
        state.withLock { $0.isNext = true }
        let reason =
            retry.status.map { "the response was \($0)" } ?? retry.error.map { redactor.redact($0.wording).text }
        failure.withLock { $0 = $0 ?? reason }
    }

    /// Begins the first attempt, or a new one if the last attempt has failed. A redirect's request belongs to the same attempt.
    private func requestStarted() {
        state.withLock { state in
            state.requests += 1
            state.failed = nil
            guard state.isNext else { return }
            (state.count, state.began, state.isNext) = (state.count + 1, elapsed(), false)
            state.first = state.first ?? state.began
            cookies.withLock { $0 = [] }
        }
    }
}
