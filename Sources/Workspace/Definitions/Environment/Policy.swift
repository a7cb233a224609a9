import ReqcliText

/// The rules for sending in an environment. No endpoint can loosen them.
package struct Policy: Sendable {
    /// The allowed methods; nil if all methods are allowed.
    package var methods: [Located<String>]? { methodsSetting?.set }
    package var confirm: [Located<String>] { confirmSetting?.set ?? [] }

    /// Whether `send` may keep calls in the history.
    package var allowsHistory: Bool { historySetting?.set ?? true }

    /// Whether `check --probe` may call methods that can change something.
    package var probesUnsafeMethods: Bool { probeSetting?.set ?? false }

    private var methodsSetting: Setting<[Located<String>]>?
    private var confirmSetting: Setting<[Located<String>]>?
    private var historySetting: Setting<Bool>?
    private var probeSetting: Setting<Bool>?

    /// Merges the policy of a later environment, which can replace or remove each key.
    func merged(with later: Policy) -> Policy {
        Policy(
            methodsSetting: later.methodsSetting ?? methodsSetting,
            confirmSetting: later.confirmSetting ?? confirmSetting,
            historySetting: later.historySetting ?? historySetting,
            probeSetting: later.probeSetting ?? probeSetting)
    }
}

extension Policy {
    static let table = ObjectShape<Policy>(
        "policy", title: "\"policy\"", summary: "Rules for what may be sent in an environment.",
        [
            Field(
                "methods", .setting(.list(of: .located(.method), expects: "a list of methods")),
                "The only methods that are allowed."
            ) { $0.methodsSetting = $1 },
            Field(
                "confirm", .setting(.list(of: .located(.method), expects: "a list of methods")),
                "Methods for which reqcli asks before sending."
            ) { $0.confirmSetting = $1 },
            Field("history", .setting(.boolean), "false: `send` never keeps calls in the history.") {
                $0.historySetting = $1
            },
            Field(
                "probe", .setting(.boolean),
                "true: `check --probe` also probes methods other than GET, HEAD, OPTIONS and TRACE."
            ) {
                $0.probeSetting = $1
            },
        ], initial: { _ in Policy() })
}
