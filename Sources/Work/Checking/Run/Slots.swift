import Calling
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliBasics
import RequestBuilding

/// Limits the number of parallel requests. Waiting requests get their turn in the order in which they arrived.
final class Slots: Sendable {
    private struct State {
        var pace: Pace
        var taken = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// Takes a slot if one is free.
        mutating func take() -> Bool {
            guard taken < pace.limit else { return false }
            taken += 1
            return true
        }
    }

    private let state: Mutex<State>
    private let clock: WorldClock
    private let isFixed: Bool

    init(_ jobs: Jobs, _ clock: WorldClock) {
        isFixed = jobs != .auto
        state = Mutex(State(pace: Pace(jobs)))
        self.clock = clock
    }

    /// The number of requests that may run in parallel now.
    var limit: Int { state.withLock(\.pace.limit) }

    /// - Parameter waits: Whether the work waits while the server wants a pause.
    func using<Value: Sendable>(waits: Bool = true, _ work: @Sendable () async -> Value) async -> Value {
        await take()
        defer { giveBack() }
        let pause = state.withLock(\.pace.pausedUntil)
        if waits, pause > .zero { try? await clock.sleep(max(.zero, pause - clock.elapsed())) }
        return await work()
    }

    /// Lets the pace follow a request that has ended.
    func note(_ result: CallResult, began: Duration) {
        if isFixed || result.requests == 0 { return }
        let (date, now) = (Date(timeIntervalSince1970: clock.date()), clock.elapsed())
        state.withLock { $0.pace.note(result.ending(date), began: began, now: now) }
    }

    private func take() async {
        if state.withLock({ $0.take() }) { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                let isFree = state.take()
                if !isFree { state.waiting.append(continuation) }
                return isFree
            }
            if isFree { continuation.resume() }
        }
    }

    private func giveBack() {
        let next = state.withLock { state in
            state.taken -= 1
            let count = min(state.waiting.count, max(0, state.pace.limit - state.taken))
            let next = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            state.taken += count
            return next
        }
        for continuation in next { continuation.resume() }
    }
}

extension CallResult {
    /// How the pace sees this result.
    fileprivate func ending(_ now: Date) -> Pace.Ending {
        guard case .success(let response) = result else { return .noResponse }
        let pause = response.headers["Retry-After"].flatMap { RetryAfter.wait($0, now: now) }
        if response.status == 429 || response.status == 503 && pause != nil { return .refusal(pause: pause) }
        // A server or its proxy that is overloaded often says so fast.
        return (502...504).contains(response.status) ? .noResponse : .response
    }
}
