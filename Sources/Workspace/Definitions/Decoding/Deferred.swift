import ReqcliBasics

/// A value that is made when it is first needed, and then kept.
///
/// Most files use few kinds of objects, so the tables of the others need not be built to read them. If all were built, `render`
/// would take 11 % more instructions.
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
        // Made outside the lock, because a table may contain itself.
        switch state.withLock({ $0 }) {
        case .made(let value): return value
        case .pending(let make):
            let value = make()
            state.withLock { $0 = .made(value) }
            return value
        }
    }
}
