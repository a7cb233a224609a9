import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// The agreement that an environment's policy asks for, obtained once for all requests of a command.
package final class Confirmation: Sendable {
    private struct State {
        var isAgreed: Bool
        /// The requests that the user has still to agree to, as the question shows them.
        var open: Set<String> = []
    }

    private let environment: String
    /// The way to agree where no question can be asked.
    private let hint: String
    /// Asks a question; nil if nobody can be asked.
    private let question: (@Sendable (String) -> Answer)?
    private let state: Mutex<State>

    package enum Answer: Sendable {
        case yes
        case other
        case interrupted
    }

    package init(
        _ environment: String, isAgreed: Bool, hint: String = "pass --yes to agree",
        asking question: (@Sendable (String) -> Answer)?
    ) {
        self.environment = environment
        self.hint = hint
        self.question = question
        state = Mutex(State(isAgreed: isAgreed))
    }

    /// Rejects a request that can't be allowed. A request that needs an agreement is kept, so that the question can list it.
    func rehearse(_ policy: PolicyDecision, _ method: String, of id: String) throws(Failure) {
        if case .needsConfirmation = policy, question != nil {
            _ = state.withLock { $0.open.insert("\(method) \(id)") }
        } else {
            try require(policy, method)
        }
    }

    /// Notes that the user has agreed to all requests in another question.
    package func agree() { state.withLock { $0.isAgreed = true } }

    /// Asks once whether all kept requests may be sent.
    package func ask() throws(Failure) {
        let open = state.withLock { $0.isAgreed ? [] : $0.open.sorted() }
        guard !open.isEmpty else { return }
        let shown = open.prefix(10).map { "  \(TerminalText.harmless($0))\n" }.joined()
        let more = open.count > 10 ? "  and \(open.count - 10) more\n" : ""
        let question = open.count == 1 ? "Send it?" : "Send them?"
        try ask("the environment \(environment) asks before such requests:\n\(shown)\(more)\(question)")
    }

    /// Rejects a request that isn't allowed. Asks about a request that is ready to be sent, unless the user has already agreed.
    func settle(_ ready: AssembledRequest) throws(Failure) {
        if case .needsConfirmation = ready.policy, question != nil, !state.withLock(\.isAgreed) {
            let url = ready.redactor.redact(ready.request.url.absoluteString)
            try ask("Send \(ready.method) \(url) to \(environment)?")
        }
        try require(ready.policy, ready.method)
    }

    /// Returns after a yes, and throws after any other answer.
    private func ask(_ question: String) throws(Failure) {
        switch self.question?(question) {
        case .yes: state.withLock { $0.isAgreed = true }
        case .interrupted: throw Failure(.interrupted, [])
        case .other, nil: throw Failure(.refusedByPolicy, code: .policyRefused, "not sent")
        }
    }

    /// Rejects a request that isn't allowed, or that the user hasn't agreed to.
    func require(_ policy: PolicyDecision, _ method: String) throws(Failure) {
        switch policy {
        case .allowed: return
        case .refused(let reason):
            throw Failure(
                .refusedByPolicy, code: .policyRefused,
                "the environment \(environment) does not allow \(method): \(reason)",
                hint: "the environment's \"policy\" forbids it; an endpoint cannot change that")
        case .needsConfirmation:
            if state.withLock(\.isAgreed) { return }
            throw Failure(
                .refusedByPolicy, code: .policyRefused,
                "the environment \(environment) asks before each \(method), and there is no terminal to ask at",
                hint: hint)
        }
    }
}
