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
        var isOver = false
        /// Why there will be no head, if that was known before anybody asked for it.
        var failure: (any Error)?
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
            if state.isOver { return false }
            state.report = report
            return true
        }
        guard mayStart else { return }
        engine.start(id, plan, receiver: self)
        // A cancellation between those two has come before there was anything to cancel.
        if state.withLock(\.isOver) { engine.cancel(id) }
    }

    /// Gives up, whoever wants that; the caller, if still waiting, sees a cancellation.
    func cancel() {
        end(.failure(CancellationError()), tellsFoundation: false)
        engine.cancel(id)
    }

    // MARK: - To the caller

    /// Waits for the head.
    func head() async throws -> ResponseHead {
        try await withCheckedThrowingContinuation { continuation in
            let known = state.withLock { state -> Result<ResponseHead, any Error>? in
                if let head = state.head { return .success(head) }
                if let failure = state.failure { return .failure(failure) }
                state.answer = continuation
                return nil
            }
            if let known { continuation.resume(with: known) }
        }
    }

    /// The body; when nobody holds it any more the task is cancelled.
    func body(of task: URLSessionTask) -> ResponseBody {
        ResponseBody(stream) { [self] in
            guard !state.withLock(\.isOver) else { return }
            cancel()
            task.cancel()
        }
    }

    // MARK: - From the engine

    func receive(_ head: ResponseHead) {
        let answer = state.withLock { state in
            state.head = head
            defer { state.answer = nil }
            return state.answer
        }
        answer?.resume(returning: head)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        stream.offer(bytes)
    }

    func finish(_ result: Result<ResponseBody.Ending, TransportError>) {
        end(result.mapError { $0 }, tellsFoundation: true)
    }

    private func end(_ result: Result<ResponseBody.Ending, any Error>, tellsFoundation: Bool) {
        let (answer, report, head) = state.withLock { state in
            guard !state.isOver else {
                return (nil as CheckedContinuation<ResponseHead, any Error>?, nil as FoundationReport?, state.head)
            }
            state.isOver = true
            // Whoever still waits for a head must not wait for ever, not even after a success that had none.
            state.failure = result.failure ?? TransportError(.badResponse, target: plan.authority)
            defer {
                state.answer = nil
                state.report = nil
            }
            return (state.answer, state.report, state.head)
        }
        stream.finish(result)
        answer?.resume(throwing: result.failure ?? TransportError(.badResponse, target: plan.authority))
        guard tellsFoundation, let report else { return }
        switch result {
        case .success(let ending):
            let response = head.flatMap { LibcurlResponse(head: $0, ending: ending, isSeen: isResponseSeen) }
            report.succeed(response, body: Data())
        case .failure(let error): report.fail(error)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
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
