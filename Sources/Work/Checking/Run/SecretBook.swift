import ReqcliBasics
import ReqcliRedaction

/// The secrets that a run has met so far. They are shared, because a response may contain a secret of another case.
///
/// A flow has its own book for the signatures of its requests. A run may have thousands of them, and no other response
/// contains them.
final class SecretBook: Sendable {
    private struct State {
        var known: Set<Redactor.Secret> = []
        var ordered: [Redactor.Secret] = []
        var redactor = Redactor([])
        /// The number of secrets that the redactor masks.
        var count = 0

        mutating func add(_ secrets: [Redactor.Secret]) {
            for secret in secrets where !secret.value.isEmpty && known.insert(secret).inserted {
                ordered.append(secret)
            }
        }
    }

    private let state: Mutex<State>
    /// The book of the run, if this is the book of a flow.
    private let run: SecretBook?

    convenience init() { self.init(State(), of: nil) }

    private init(_ state: State, of run: SecretBook?) {
        self.state = Mutex(state)
        self.run = run
    }

    /// A book with the secrets that are known so far.
    var copy: SecretBook { SecretBook(state.withLock(\.self), of: run?.copy) }

    /// A book for a flow of the run.
    var ofFlow: SecretBook { SecretBook(State(), of: run ?? self) }

    /// - Parameter signatures: The secrets of the signatures of a request.
    func add(_ secrets: [Redactor.Secret], signatures: [Redactor.Secret] = []) {
        if !secrets.isEmpty { (run ?? self).state.withLock { $0.add(secrets) } }
        if !signatures.isEmpty { state.withLock { $0.add(signatures) } }
    }

    /// A redactor for all secrets that are known so far.
    var redactor: Redactor {
        let ofRun = run?.redactor
        return state.withLock { state in
            if let ofRun, state.ordered.isEmpty { return ofRun }
            let shared = ofRun?.secrets ?? []
            if state.count != shared.count + state.ordered.count {
                state.redactor = Redactor(shared + state.ordered)
                state.count = shared.count + state.ordered.count
            }
            return state.redactor
        }
    }
}
