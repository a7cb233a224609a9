import ReqcliBasics

/// A value that is made when it is first needed, and then kept.
///
/// A table may contain itself, so it can't be built before it is used. If tables were built again for each object, `list` of
/// 1,000 endpoints would take three times as many instructions.
final class Deferred<Value: Sendable>: Sendable {
    private enum State {
        case pending(@Sendable () -> Value)
        case made(Value)
    }

    private let state: Mutex<State>

    init(_ make: @escaping @Sendable () -> Value) {
        state = Mutex(.pending(make))
    }

    var value: Value {
        // The value is made outside the lock, because a table may contain itself and would need the same lock again.
        switch state.withLock({ $0 }) {
        case .made(let value): return value
        case .pending(let make):
            let value = make()
            state.withLock { $0 = .made(value) }
            return value
        }
    }
}
