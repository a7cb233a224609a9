import Synchronization

/// The tries of one call, of which an environment's "retry" can make several.
final class Tries: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<(count: Int, began: Duration, isNext: Bool)>

    init(elapsed: @escaping @Sendable () -> Duration) {
        self.elapsed = elapsed
        state = Mutex((1, elapsed(), false))
    }

    var count: Int { state.withLock(\.count) }

    /// How long the last one has taken, without those before it and the waits between them.
    var sinceLastBegan: Duration { elapsed() - state.withLock(\.began) }

    func lastOneIsGivenUp() { state.withLock { $0.isNext = true } }

    /// A redirect's request belongs to the same try.
    func requestGoesOut() {
        state.withLock { state in
            guard state.isNext else { return }
            state = (state.count + 1, elapsed(), false)
        }
    }
}
