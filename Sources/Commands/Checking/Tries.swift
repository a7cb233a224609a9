import Checking
import Exchange
import Synchronization

/// The tries of one call, of which an environment's "retry" can make several.
final class Tries: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<(count: Int, began: Duration, isNext: Bool)>
    private let lastStub = Mutex<Stub?>(nil)

    init(elapsed: @escaping @Sendable () -> Duration) {
        self.elapsed = elapsed
        state = Mutex((1, elapsed(), false))
    }

    var count: Int { state.withLock(\.count) }

    /// How long the last one has taken, without those before it and the waits between them.
    var sinceLastBegan: Duration { elapsed() - state.withLock(\.began) }

    /// The stub variant that answered last, as reports name it.
    var stub: Exchanged.Stub? {
        lastStub.withLock(\.self).flatMap { stub in
            stub.name.map { Exchanged.Stub(name: $0, mustFail: stub.mustFail) }
        }
    }

    func answered(by stub: Stub) { lastStub.withLock { $0 = stub } }

    func lastOneIsGivenUp() { state.withLock { $0.isNext = true } }

    /// A redirect's request belongs to the same try.
    func requestGoesOut() {
        state.withLock { state in
            guard state.isNext else { return }
            state = (state.count + 1, elapsed(), false)
        }
    }
}
