/// An option, defined once as a constant and used as the key to read it back: `parsed[SendCommand.timeout]`.
///
/// `Value` is what reading it gives: `Bool` for a ``Flag``, `Bool?` for a ``Toggle``, an optional for an option
/// without a default, an array for one that may be repeated.
package struct Option<Value: Sendable>: Sendable {
    package let spec: OptionSpec
    let read: @Sendable ([OptionUse]) -> Value
}

/// `--verbose`: there or not.
package typealias Flag = Option<Bool>

/// `--follow` and `--no-follow`; nil when neither was given.
package typealias Toggle = Option<Bool?>

extension Option where Value == Bool {
    package init(_ name: String, short: Character? = nil, aliases: [String] = [], _ summary: String) {
        spec = OptionSpec(
            name: name, short: short, aliases: aliases, form: .flag, repetition: .once, summary: summary,
            defaultText: nil)
        read = { !$0.isEmpty }
    }
}

extension Option where Value == Bool? {
    package init(
        _ name: String, short: Character? = nil, aliases: [String] = [], _ summary: String, otherwise: String? = nil
    ) {
        spec = OptionSpec(
            name: name, short: short, aliases: aliases, form: .toggle, repetition: .once, summary: summary,
            defaultText: otherwise)
        read = { uses in
            switch uses.last?.setting {
            case .on: true
            case .off: false
            default: nil
            }
        }
    }
}

extension Option {
    /// An option with a value; nil when it wasn't given. `otherwise` says in help what applies then.
    package init<Wrapped>(
        _ name: String, short: Character? = nil, aliases: [String] = [], _ value: ValueSpec<Wrapped>,
        _ summary: String, otherwise: String? = nil
    ) where Value == Wrapped? {
        spec = OptionSpec(
            name: name, short: short, aliases: aliases, form: .value(AnyValueSpec(value)),
            repetition: .once, summary: summary, defaultText: otherwise)
        read = { $0.last?.value() }
    }

    /// An option with a value and a default.
    package init(
        _ name: String, short: Character? = nil, aliases: [String] = [], _ value: ValueSpec<Value>,
        default defaultValue: Value, _ summary: String
    ) {
        spec = OptionSpec(
            name: name, short: short, aliases: aliases, form: .value(AnyValueSpec(value)),
            repetition: .once, summary: summary, defaultText: value.text(defaultValue))
        read = { $0.last?.value() ?? defaultValue }
    }

    /// An option that may be given many times: its values, in the order they came.
    package init<Element>(
        repeated name: String, short: Character? = nil, aliases: [String] = [], _ value: ValueSpec<Element>,
        _ summary: String
    ) where Value == [Element] {
        spec = OptionSpec(
            name: name, short: short, aliases: aliases, form: .value(AnyValueSpec(value)), repetition: .collected,
            summary: summary, defaultText: nil)
        read = { $0.compactMap { $0.value() } }
    }

    /// An option whose value may be left out (`--stub`, `--stub=NAME`): one entry for each time it was given, nil
    /// where it stood alone. A word after it is its value only where `takesNext` says so; `=` always gives one.
    package init<Element>(
        bare name: String, short: Character? = nil, aliases: [String] = [], _ value: ValueSpec<Element>,
        _ summary: String, takesNext: @escaping OptionSpec.TakesNext = { _, _ in false }
    ) where Value == [Element?] {
        spec = OptionSpec(
            name: name, short: short, aliases: aliases,
            form: .optionalValue(AnyValueSpec(value), takesNext: takesNext), repetition: .collected, summary: summary,
            defaultText: nil)
        read = { $0.map { $0.value() } }
    }
}

/// One time that an option was given, its value already read.
struct OptionUse: Sendable {
    enum Setting: Sendable {
        case on
        case off
        /// An option with an optional value, given without it.
        case bare
        case value(any Sendable)
    }

    let spelling: String
    let setting: Setting

    func value<Value>() -> Value? {
        if case .value(let value) = setting { value as? Value } else { nil }
    }
}
