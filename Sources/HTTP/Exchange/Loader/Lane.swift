import Dispatch
import ReqcliBasics
import ReqcliNetworking

/// A task of URLSession, and the requests that go to the engine while it runs.
///
/// Foundation takes longer for a task than the engine takes for a small request. A transport with a session of its own, whose
/// tasks nobody can see, therefore has one lane for all its requests: the first one makes a task, those that start until
/// Foundation starts the task wait for that, and later ones go straight to the engine. In a session of the caller's each
/// request has a lane of its own, since the session's delegate and whoever asks for its tasks see them.
///
/// For 10,000 requests, 16 in flight, a shared lane reaches 1.15 of the speed of `curl --parallel`, with 1.2 context switches a
/// request. With a task for each request it was 0.67, with 5.7.
///
/// An open lane is held by its task, so that it outlives its transport until the last request has ended.
final class Lane: Sendable {
    /// The least time for which a shared lane stays open after its last request. A request that finds it open takes 200 µs less, and
    /// half of the processor time. With a rest of 10 ms the timer costs a tenth of that.
    static let standardRest = DispatchTimeInterval.milliseconds(100)

    /// The lanes whose tasks Foundation has neither started nor stopped yet.
    private static let announced = Mutex<[ObjectIdentifier: Lane]>([:])

    private let rest: DispatchTimeInterval?
    private let state = Mutex(State())

    private struct State {
        /// False from a first request's start to the end of the task that it makes.
        var isClosed = true
        /// Nil until it is made.
        var task: URLSessionTask?
        /// Nil until Foundation starts the task.
        var report: FoundationReport?
        var exchanges: [Engine.ID: TransportExchange] = [:]
        /// True while a timer runs that may close the lane.
        var isTimed = false
        /// True if a request has started since the timer was set.
        var isUsed = false

        /// Forgets the task, so that the next request makes another, and returns what there was.
        mutating func close() -> State {
            defer { self = State() }
            return self
        }
    }

    /// - Parameter rest: How long it stays open after its last request; nil for a lane of one request.
    init(rest: DispatchTimeInterval?) {
        self.rest = rest
    }

    // MARK: - From the transport

    /// Starts a request: at once if the lane is open, otherwise as soon as it is.
    func start(_ exchange: TransportExchange, makingTask makeTask: () -> URLSessionTask) {
        let (wasClosed, isOpen) = state.withLock { state in
            defer { state.isClosed = false }
            state.exchanges[exchange.id] = exchange
            state.isUsed = true
            return (state.isClosed, state.report != nil)
        }
        if isOpen { exchange.start() }
        guard wasClosed else { return }
        // Past the lock: this waits for Foundation's queue, on which a task that is stopped waits for the lock. Until it is
        // resumed, this request is in the lane, which can't be closed.
        let task = makeTask()
        state.withLock { $0.task = task }
        Self.announced.withLock { $0[ObjectIdentifier(task)] = self }
        task.resume()
    }

    /// Takes out a request that has ended or was cancelled.
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

    /// Lets requests through, now that Foundation has started the task.
    func open(_ task: URLSessionTask?, _ report: FoundationReport) {
        let waiting = state.withLock { state -> [TransportExchange] in
            guard state.task === task else { return [] }
            state.report = report
            return state.exchanges.values.sorted { $0.id < $1.id }
        }
        for exchange in waiting { exchange.start() }
    }

    /// Ends all requests, since Foundation has stopped the task.
    func stop(_ task: URLSessionTask?) {
        // Closed first, so that the requests don't cancel the task, which would wait for the queue that this runs on.
        let stopped = state.withLock { state in state.task === task ? state.close() : nil }
        for exchange in stopped?.exchanges.values.sorted(by: { $0.id < $1.id }) ?? [] { exchange.cancel() }
    }
}
