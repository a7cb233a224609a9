import Foundation
import RequestBuilding
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of ``URLSessionTransport`` through the loader.
///
/// The head and the body go straight from the engine to the caller. Foundation, whose way is long and knows no
/// back-pressure, is told when all is over, so that its task's life is as it should be.
final class TransportExchange: TransferReceiver {
    let id: Engine.ID
    private let plan: TransferPlan
    private let engine: Engine
    private let isResponseSeen: Bool
    private let stream: BodyStream
    private let state = Mutex(State())

    private struct State {
        var report: FoundationReport?
        var head: ResponseHead?
        var answer: CheckedContinuation<ResponseHead, any Error>?
        /// Set once there is nothing more to come.
        var end: Result<ResponseBody.Ending, any Error>?

        /// What is known for whoever waits for a head; nobody waits for ever, not even after a success that had none.
        func known(_ plan: TransferPlan) -> Result<ResponseHead, any Error>? {
            if let head { return .success(head) }
            return end.map { $0.flatMap { _ in .failure(TransportError(.badResponse, target: plan.authority)) } }
        }
    }

    /// - Parameter isResponseSeen: True if Foundation shows the response to somebody.
    init(_ plan: TransferPlan, engine: Engine, isResponseSeen: Bool) {
        let id = engine.makeID()
        self.id = id
        self.plan = plan
        self.engine = engine
        self.isResponseSeen = isResponseSeen
        stream = BodyStream(resume: { engine.resume(id) }, cancel: { engine.cancel(id) })
    }

    // MARK: - From Foundation

    func start(reportingTo report: FoundationReport) {
        let mayStart = state.withLock { state in
            if state.end != nil { return false }
            state.report = report
            return true
        }
        guard mayStart else { return }
        engine.start(id, plan, receiver: self)
        // A cancellation between those two has come before there was anything to cancel.
        if state.withLock({ $0.end != nil }) { engine.cancel(id) }
    }

    /// Gives up, whoever wants that; the caller, if still waiting, sees a cancellation.
    func cancel() {
        _ = end(.failure(CancellationError()))
        settle()
        engine.cancel(id)
    }

    // MARK: - To the caller

    /// Waits for the head.
    func head() async throws -> ResponseHead {
        try await withCheckedThrowingContinuation { continuation in
            let known = state.withLock { state -> Result<ResponseHead, any Error>? in
                if let known = state.known(plan) { return known }
                state.answer = continuation
                return nil
            }
            if let known { continuation.resume(with: known) }
        }
    }

    /// The body; when nobody holds it any more the task is cancelled.
    func body(of task: URLSessionTask) -> ResponseBody {
        ResponseBody(stream) { [self] in
            guard state.withLock({ $0.end == nil }) else { return }
            cancel()
            task.cancel()
        }
    }

    // MARK: - From the engine

    func receive(_ head: ResponseHead) {
        state.withLock { $0.head = head }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        stream.offer(bytes)
    }

    func finish(
        _ result: Result<ResponseBody.Ending, TransportError>
    ) -> (report: FoundationReport, ending: FoundationReport.Ending)? {
        end(result.mapError { $0 })
    }

    func settle() {
        let waiting = state.withLock {
            state -> (CheckedContinuation<ResponseHead, any Error>, Result<ResponseHead, any Error>)? in
            guard let answer = state.answer, let known = state.known(plan) else { return nil }
            state.answer = nil
            return (answer, known)
        }
        if let (answer, known) = waiting { answer.resume(with: known) }
        stream.settle()
    }

    private func end(
        _ result: Result<ResponseBody.Ending, any Error>
    ) -> (report: FoundationReport, ending: FoundationReport.Ending)? {
        let (report, head) = state.withLock { state in
            guard state.end == nil else { return (nil as FoundationReport?, state.head) }
            state.end = result
            defer { state.report = nil }
            return (state.report, state.head)
        }
        stream.finish(result)
        guard let report else { return nil }
        switch result {
        case .success(let ending):
            let response = head.flatMap { LibcurlResponse(head: $0, ending: ending, isSeen: isResponseSeen) }
            return (report, .success(response, body: Data()))
        case .failure(let error): return (report, .failure(error))
        }
    }
}

/// Where a loader finds the exchange that its task belongs to. An entry is there from the task's making to its start.
final class ExchangeRegistry: Sendable {
    static let shared = ExchangeRegistry()

    private let exchanges = Mutex<[ObjectIdentifier: TransportExchange]>([:])

    func set(_ exchange: TransportExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[ObjectIdentifier(task)] = exchange }
    }

    func remove(_ exchange: TransportExchange, for task: URLSessionTask) {
        exchanges.withLock { exchanges in
            if exchanges[ObjectIdentifier(task)] === exchange { exchanges[ObjectIdentifier(task)] = nil }
        }
    }

    func take(for task: URLSessionTask) -> TransportExchange? {
        exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
    }
}
