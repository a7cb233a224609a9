import SourceText

/// What may be sent in an environment at all. No endpoint can loosen it.
package struct Policy: Sendable {
    package var methods: [Located<String>]?
    /// Nil where the file is silent.
    var methodsToConfirm: [Located<String>]?

    package var confirm: [Located<String>] { methodsToConfirm ?? [] }

    /// What a later environment says about a key replaces what this one says.
    func merged(with later: Policy) -> Policy {
        Policy(
            methods: later.methods ?? methods, methodsToConfirm: later.methodsToConfirm ?? methodsToConfirm)
    }
}

extension Policy {
    static let table = ObjectShape<Policy>(
        "policy", title: "\"policy\"", summary: "What may be sent in an environment at all.",
        [
            Field("methods", .list(of: .located(.method), expects: "a list of methods"), "The only methods there are.")
            {
                $0.methods = $1
            },
            Field("confirm", .list(of: .located(.method), expects: "a list of methods"), "Methods that ask first.") {
                $0.methodsToConfirm = $1
            },
        ], initial: { _ in Policy() })
}
