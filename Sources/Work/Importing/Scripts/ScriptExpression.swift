/// An expression of a script.
indirect enum ScriptExpression: Sendable {
    case string(String)
    case number(String)
    /// The pattern of `/x/` and of `new RegExp("x")`.
    case regex(String)
    /// A name. `true`, `null` and `undefined` are names, too.
    case name(String)
    case array([ScriptExpression])
    case object([(name: String, value: ScriptExpression)])
    /// `base.name`, which is the same as `base["name"]`, or `base[0]`.
    case member(ScriptExpression, ScriptExpression)
    /// A call. `!x` and `typeof x` are read as calls of functions with these names.
    case call(ScriptExpression, [ScriptExpression])
    case function([String], [ScriptStatement])
    case binary(String, ScriptExpression, ScriptExpression)

    /// The names in a chain of members, such as `pm.response.code`; nil for any other expression.
    var dotted: String? {
        switch self {
        case .name(let name): name
        case .member(let base, .string(let name)) where !name.contains("."): base.dotted.map { "\($0).\(name)" }
        default: nil
        }
    }

    /// The argument of a call of a function with one argument; nil for any other expression.
    func argument(of function: String) -> ScriptExpression? {
        if case .call(let callee, let arguments) = self, arguments.count == 1, callee.dotted == function {
            arguments[0]
        } else {
            nil
        }
    }
}

/// A statement of a script.
struct ScriptStatement: Sendable {
    enum Kind: Sendable {
        /// `let x = value` and `x = value`.
        case assignment(ScriptExpression, ScriptExpression)
        case expression(ScriptExpression)
        /// A statement that this reader doesn't understand.
        case unknown
    }

    let kind: Kind
    let range: Range<Int>
}
