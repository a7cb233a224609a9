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

    /// The most that `load` may send; nil if the policy doesn't say.
    package var load: LoadLimit? { loadSetting?.set }

    private var methodsSetting: Setting<[Located<String>]>?
    private var confirmSetting: Setting<[Located<String>]>?
    private var historySetting: Setting<Bool>?
    private var probeSetting: Setting<Bool>?
    private var loadSetting: Setting<LoadLimit>?

    /// Merges the policy of a later environment, which can replace or remove each key.
    func merged(with later: Policy) -> Policy {
        Policy(
            methodsSetting: later.methodsSetting ?? methodsSetting,
            confirmSetting: later.confirmSetting ?? confirmSetting,
            historySetting: later.historySetting ?? historySetting,
            probeSetting: later.probeSetting ?? probeSetting, loadSetting: later.loadSetting ?? loadSetting)
    }
}

/// The most that `load` may send in an environment.
package enum LoadLimit: Sendable, Equatable {
    case nothing
    /// This many requests a second.
    case rate(Double)

    fileprivate static let shape = Shape(
        expects: "a rate such as \"200/s\", or false",
        schema: .either([.constant(.bool(false)), .text(pattern: "^\(RateText.pattern)$")]),
        code: { $0.kind == .string ? .valueInvalid : .typeMismatch },
        read: { value -> LoadLimit? in
            if let text = value.string { return RateText.parse(text).map { $0 > 0 ? .rate($0) : .nothing } }
            return value.bool == false ? .nothing : nil
        })
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
            Field(
                "load", .setting(LoadLimit.shape),
                "The most requests that `load` may send, such as \"200/s\"; false: none."
            ) { $0.loadSetting = $1 },
        ], initial: { _ in Policy() })
}
