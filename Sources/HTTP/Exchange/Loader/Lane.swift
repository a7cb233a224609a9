#if os(Linux)
import Dispatch
import ReqcliBasics
import ReqcliNetworking

/// A task of URLSession, and the requests that go to the engine while the task runs.
///
/// Foundation takes longer for a task than the engine takes for a small request. A transport with its own session, whose tasks the
/// caller can't see, therefore has one lane for all its requests. The first request makes a task. Requests that are made before
/// Foundation has started this task wait for it. Later requests go straight to the engine. In the caller's own session, each
/// request has its own lane, because the session's delegate and its list of tasks show the tasks to the caller.
///
/// For 10,000 requests, 16 in flight, a shared lane reaches 1.15 times the speed of `curl --parallel`, with 1.2 context switches
/// per request. With a separate task for each request, it was 0.67 times the speed of curl, with 5.7 context switches per
/// request, and `check` of 1,000 cases takes 18 % more of the processor's time.
///
/// The task of an open lane keeps the lane alive until the last request has ended, even if the transport no longer exists.
final class Lane: Sendable {
    /// The minimum time for which a shared lane stays open after its last request. A request that finds the lane open needs 200 µs
    /// less time, and half of the processor time. If the lane stayed open for 10 ms only, the timer would cost a tenth of this
    /// gain.
    static let standardRest = DispatchTimeInterval.milliseconds(100)

    /// The lanes whose tasks Foundation has neither started nor stopped yet.
    private static let announced = Mutex<[ObjectIdentifier: Lane]>([:])

    private let rest: DispatchTimeInterval?
    private let state = Mutex(State())

    private struct State {
        /// False from the start of the request that makes a task to the end of this task. Requests in between use the same task.
        var isClosed = true
        /// The task; nil until it is made.
        var task: URLSessionTask?
        /// The object that reports the end of the task to Foundation; nil until Foundation starts the task.
        var report: FoundationReport?
        var exchanges: [Engine.ID: TransportExchange] = [:]
        /// True while a timer runs that may close the lane.
        var isTimed = false
        /// True if a request has started since the timer was set.
        var isUsed = false

        /// Resets the state, so that the next request makes another task, and returns the previous state.
        mutating func close() -> State {
            defer { self = State() }
            return self
        }
    }

    /// - Parameter rest: The time for which the lane stays open after its last request; nil for a lane of one request.
    init(rest: DispatchTimeInterval?) {
        self.rest = rest
    }

    // MARK: - From the transport

    /// Starts a request: at once if the lane is open, otherwise as soon as the lane opens.
    func start(_ exchange: TransportExchange, makingTask makeTask: () -> URLSessionTask) {
        let (wasClosed, isOpen) = state.withLock { state in
            defer { state.isClosed = false }
            state.exchanges[exchange.id] = exchange
            state.isUsed = true
            return (state.isClosed, state.report != nil)
        }
        if isOpen { exchange.start() }
        guard wasClosed else { return }
        // The task is made outside the lock. Otherwise there could be a deadlock: making a task waits for Foundation's queue, and
        // a task that is being stopped waits for the lock while it occupies this queue. The lane can't be closed before the task
        // is resumed, because this request is in the lane.
        let task = makeTask()
        state.withLock { $0.task = task }
        Self.announced.withLock { $0[ObjectIdentifier(task)] = self }
        task.resume()
    }

    /// Removes a request that has ended or was cancelled.
    func leave(_ exchange: TransportExchange) {
        let ended = state.withLock { state -> State? in
            guard state.exchanges.removeValue(forKey: exchange.id) != nil, state.exchanges.isEmpty else { return nil }
            guard let rest else { return state.close() }
            if !state.isTimed { setTimer(rest, &state) }
            return nil
        }
        guard let ended else { return }
        if let report = ended.report, !exchange.isCancelled {
            report.tell(exchange.outcome.map { ($0, Data()) })
        } else {
            ended.task?.cancel()
        }
    }

    private func setTimer(_ rest: DispatchTimeInterval, _ state: inout State) {
        (state.isTimed, state.isUsed) = (true, false)
        DispatchQueue.global().asyncAfter(deadline: .now() + rest) { [self] in
            let unused = self.state.withLock { state -> State? in
                state.isTimed = false
                guard state.exchanges.isEmpty else { return nil }
                guard state.isUsed else { return state.close() }
                setTimer(rest, &state)
                return nil
            }
            unused?.task?.cancel()
        }
    }

    // MARK: - From Foundation

    /// The lane of a task that Foundation starts or stops; nil for a task that no transport has made.
    static func announced(for task: URLSessionTask?) -> Lane? {
        guard let task else { return nil }
        return announced.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
    }

    /// Starts the waiting requests, because Foundation has started the task.
    func open(_ task: URLSessionTask?, _ report: FoundationReport) {
        let waiting = state.withLock { state -> [TransportExchange] in
            guard state.task === task else { return [] }
            state.report = report
            return state.exchanges.values.sorted { $0.id < $1.id }
        }
        for exchange in waiting { exchange.start() }
    }

    /// Ends all requests, because Foundation has stopped the task.
    func stop(_ task: URLSessionTask?) {
        // The lane is closed first, so that the requests don't cancel the task. Cancelling would wait for the queue that this
        // method runs on.
        let stopped = state.withLock { state in state.task === task ? state.close() : nil }
        for exchange in stopped?.exchanges.values.sorted(by: { $0.id < $1.id }) ?? [] { exchange.cancel() }
    }
}
#endif
