#if os(Linux)
import Foundation
import ReqcliBasics
import RequestBuilding

/// One request that the loader sends. The head and the body go straight from the engine to the caller. They bypass Foundation,
/// which is slower and has no back-pressure.
final class TransportExchange: Sendable {
    let id = Engine.makeID()
    /// The time at which the caller made the request.
    let made = Clock.now
    private let plan: TransferPlan
    private let engine: Engine
    private let lane: Lane?
    private let stream: BodyStream
    private let state = Mutex(State())

    private struct State {
        var head: ResponseHead?
        var answer: CheckedContinuation<ResponseHead, any Error>?
        /// Set once nothing more will arrive.
        var end: Result<ResponseBody.Ending, any Error>?

        /// The result for a reader that waits for the head; nil if it is not known yet. If a transfer ended with success but
        /// without a head, the result is a failure, so that no reader waits forever.
        func known(_ plan: TransferPlan) -> Result<ResponseHead, any Error>? {
            if let head { return .success(head) }
            return end.map { $0.flatMap { _ in .failure(TransportError(.badResponse, target: plan.authority)) } }
        }
    }

    /// - Parameters:
    ///   - engines: The engines, one of which drives the transfer.
    ///   - lane: The lane that the request leaves at its end; nil for a request that was not made by ``URLSessionTransport``.
    init(_ plan: TransferPlan, engines: Engines = .shared, lane: Lane? = nil) {
        let engine = engines[plan.settings.version]
        self.plan = plan
        self.engine = engine
        self.lane = lane
        stream = BodyStream(resume: { [id] in engine.resume(id) }, cancel: { [id] in engine.cancel(id) })
    }

    /// Hands the request to the engine.
    func start() {
        guard state.withLock({ $0.end == nil }) else { return }
        engine.start(id, plan, receiver: self)
        // If the request was cancelled after the check above, but before `engine.start`, the engine had nothing to cancel then.
        if isCancelled { engine.cancel(id) }
    }

    /// Cancels the request. A caller that still waits gets a `CancellationError`.
    func cancel() {
        finish(.failure(CancellationError()))
        settle()
        engine.cancel(id)
    }

    var isCancelled: Bool {
        guard case .failure(is CancellationError) = state.withLock({ $0.end }) else { return false }
        return true
    }

    /// The result to report to Foundation.
    var outcome: Result<LibcurlResponse, any Error> {
        let (head, end) = state.withLock { ($0.head, $0.end) }
        // The failure is only a fallback: every head has a URL and a status, so that a response can be made of it.
        let missing = TransportError(.badResponse, target: plan.authority)
        return (end ?? .failure(missing)).flatMap { ending in
            head.flatMap { LibcurlResponse(head: $0, ending: ending) }.map { .success($0) } ?? .failure(missing)
        }
    }

    // MARK: - To the caller

    /// Waits for the head. The request is cancelled when the last reference to the body is gone.
    func response() async throws -> Response {
        let head = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known = state.withLock { state -> Result<ResponseHead, any Error>? in
                    if let known = state.known(plan) { return known }
                    state.answer = continuation
                    return nil
                }
                if let known { continuation.resume(with: known) }
            }
        } onCancel: {
            cancel()
        }
        return Response(
            head: head,
            body: ResponseBody(stream) { [self] in
                if state.withLock({ $0.end == nil }) { cancel() }
            })
    }

    // MARK: - From the engine, on its thread, which must not block

    func receive(_ head: ResponseHead) {
        state.withLock { $0.head = head }
    }

    /// Takes the next bytes of the body. Returns false to hold the transfer back. The engine then offers the same bytes again
    /// after `Engine.resume`.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        stream.offer(bytes)
    }

    /// Stores the result of the transfer. The engine then calls `settle`.
    func finish(_ result: Result<ResponseBody.Ending, any Error>) {
        let isFirst = state.withLock { state in
            guard state.end == nil else { return false }
            state.end = result
            return true
        }
        guard isFirst else { return }
        stream.finish(result)
        lane?.leave(self)
    }

    /// Wakes the caller after each round of the engine in which something arrived. So a small response wakes the caller once, not
    /// three times for its head, its body and its end.
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
}
#endif
