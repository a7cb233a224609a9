import Definitions

/// The result of rehearsing a valid call.
package enum Rehearsed: Sendable {
    /// The request is complete and could be sent.
    case ready(AssembledRequest)
    /// All is well so far; this is what the environment's policy says of its method.
    case awaiting(method: String, PolicyDecision)
}

extension Assembler {
    /// Everything that is known to be wrong with a call before the values that it awaits have come.
    package func rehearse(_ call: Call) throws(AssemblyFailure) -> Rehearsed {
        let attempt = attempt(call)
        if let request = attempt.request { return .ready(request) }
        guard attempt.isAwaiting, attempt.failure.isEmpty else { throw attempt.failure }
        let method = call.endpoint.method(in: call.environment.name)
        return .awaiting(method: method, PolicyDecision(method: method, call.environment.policy))
    }
}
