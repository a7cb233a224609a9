package import ReqcliDefinitions
package import ReqcliText

/// An environment's decision about a request.
package enum PolicyDecision: Sendable, Equatable {
    case allowed
    /// The user has to agree first.
    case needsConfirmation
    case refused(reason: String)

    package init(method: String, _ policy: Policy?) {
        if let methods = policy?.methods, !methods.contains(where: { $0.value == method }) {
            let list = methods.map(\.value).joined(separator: ", ")
            self = .refused(reason: list.isEmpty ? "its policy allows no method" : "its policy allows only \(list)")
        } else if policy?.confirm.contains(where: { $0.value == method }) == true {
            self = .needsConfirmation
        } else {
            self = .allowed
        }
    }
}

extension Diagnostic.Code {
    package static let policyRefused: Self = "policy.refused"
}
