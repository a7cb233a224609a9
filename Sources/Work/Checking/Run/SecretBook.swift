import ReqcliBasics
import ReqcliRedaction

/// The secrets that a run has met so far. They are shared, because a response may contain a secret of another case.
final class SecretBook: Sendable {
    private struct State {
        var known: Set<Redactor.Secret> = []
        var ordered: [Redactor.Secret] = []
        var redactor = Redactor([])
        var isCurrent = true
    }

    private let state: Mutex<State>

    init() { state = Mutex(State()) }

    private init(_ state: State) { self.state = Mutex(state) }

    /// A book with the secrets that are known so far.
    var copy: SecretBook { SecretBook(state.withLock(\.self)) }

    func add(_ secrets: [Redactor.Secret]) {
        guard !secrets.isEmpty else { return }
        state.withLock { state in
            for secret in secrets where !secret.value.isEmpty && state.known.insert(secret).inserted {
                state.ordered.append(secret)
                state.isCurrent = false
            }
        }
    }

    /// A redactor for all secrets that are known so far.
    var redactor: Redactor {
        state.withLock { state in
            if !state.isCurrent {
                state.redactor = Redactor(state.ordered)
                state.isCurrent = true
            }
            return state.redactor
        }
    }
}
