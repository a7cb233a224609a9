import SourceText

/// What may be sent in an environment at all. No endpoint can loosen it.
package struct Policy: Sendable {
    /// Nil where there is no such list; else a method that is not in it is refused.
    package var methods: [Located<String>]? { methodsSetting?.value.value }
    package var confirm: [Located<String>] { confirmSetting?.value.value ?? [] }

    private var methodsSetting: Setting<[Located<String>]>?
    private var confirmSetting: Setting<[Located<String>]>?

    /// What a later environment says about a key replaces what this one says, or takes it back.
    func merged(with later: Policy) -> Policy {
        Policy(
            methodsSetting: later.methodsSetting ?? methodsSetting,
            confirmSetting: later.confirmSetting ?? confirmSetting)
    }
}

extension Policy {
    static let table = ObjectShape<Policy>(
        "policy", title: "\"policy\"", summary: "What may be sent in an environment at all.",
        [
            Field(
                "methods", .setting(.list(of: .located(.method), expects: "a list of methods")),
                "The only methods there are."
            ) { $0.methodsSetting = $1 },
            Field(
                "confirm", .setting(.list(of: .located(.method), expects: "a list of methods")),
                "Methods that ask first."
            ) { $0.confirmSetting = $1 },
        ], initial: { _ in Policy() })
}
