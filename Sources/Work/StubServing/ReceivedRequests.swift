import Exchange
import Foundation
import ReqcliBasics
import RequestBuilding

/// The requests that a server has received, and the callers that wait for more.
final class ReceivedRequests: Sendable {
    private static let limit = 10_000

    private struct Wait {
        let pattern: StubPattern
        var missing: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// The requests. When the list is full, it is a ring buffer, and the oldest request is at `next`.
        var ring: [PreparedRequest] = []
        var next = 0
        var waits: [Int: Wait] = [:]
        var lastWait = 0
        /// The ids of waits that have been announced but haven't begun.
        var pending: Set<Int> = []

        var all: [PreparedRequest] { Array(ring[next...] + ring[..<next]) }
    }

    private let state = Mutex(State())

    var all: [PreparedRequest] { state.withLock(\.all) }

    func add(_ request: PreparedRequest) {
        let done = state.withLock { state in
            if state.ring.count < Self.limit {
                state.ring.append(request)
            } else {
                state.ring[state.next] = request
                state.next = (state.next + 1) % Self.limit
            }
            var done: [CheckedContinuation<Bool, Never>] = []
            for (id, wait) in state.waits where wait.pattern.fits(request) {
                state.waits[id]?.missing -= 1
                guard wait.missing == 1 else { continue }
                state.waits[id] = nil
                done.append(wait.continuation)
            }
            return done
        }
        for continuation in done { continuation.resume(returning: true) }
    }

    func wait(for pattern: StubPattern, count: Int, timeout: Duration) async throws -> [PreparedRequest] {
        let id = state.withLock { state in
            state.lastWait += 1
            state.pending.insert(state.lastWait)
            return state.lastWait
        }
        let timer = Task {
            try await Task.sleep(for: timeout)
            end(id)
        }
        defer { timer.cancel() }
        let hasCome = await withTaskCancellationHandler {
            await withCheckedContinuation { begin(id, Wait(pattern: pattern, missing: count, continuation: $0)) }
        } onCancel: {
            end(id)
        }
        try Task.checkCancellation()
        let found = matching(pattern)
        guard hasCome || found.count >= count else {
            throw StubServerError(
                description: "\(found.count) of \(count) requests for \(pattern) were received within \(timeout)")
        }
        return found
    }

    private func matching(_ pattern: StubPattern) -> [PreparedRequest] { all.filter(pattern.fits) }

    private func begin(_ id: Int, _ wait: Wait) {
        let outcome: Bool? = state.withLock { state in
            guard state.pending.remove(id) != nil else { return false }
            let missing = wait.missing - state.ring.count { wait.pattern.fits($0) }
            guard missing > 0 else { return true }
            var wait = wait
            wait.missing = missing
            state.waits[id] = wait
            return nil
        }
        if let outcome { wait.continuation.resume(returning: outcome) }
    }

    /// Ends a wait that is over before all its requests have been received.
    private func end(_ id: Int) {
        let wait = state.withLock { state in
            state.pending.remove(id)
            return state.waits.removeValue(forKey: id)
        }
        wait?.continuation.resume(returning: false)
    }
}
