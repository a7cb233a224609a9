/// An option, defined once as a constant and used as the key to read it back: `parsed[SendCommand.timeout]`.
///
/// `Value` is the type that reading the key gives: `Bool` for a ``Flag``, `Bool?` for a ``Toggle``, an optional for an
/// option without a default, an array for a repeatable option.
package struct Option<Value: Sendable>: Sendable {
    package let spec: OptionSpec
    let read: @Sendable ([OptionSetting]) -> Value
}

/// An option without a value: `--verbose`.
package typealias Flag = Option<Bool>

/// A pair of options such as `--follow` and `--no-follow`; nil if neither was given.
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
            switch uses.last {
            case .on: true
            case .off: false
            default: nil
            }
        }
    }
}

extension Option {
    /// An option with a value; nil if the option wasn't given. Help shows `otherwise`, which says what applies without the
    /// option.
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

    /// An option that may be repeated. Its values are in the order given.
    package init<Element>(
        repeated name: String, short: Character? = nil, aliases: [String] = [], _ value: ValueSpec<Element>,
        _ summary: String
    ) where Value == [Element] {
        spec = OptionSpec(
            name: name, short: short, aliases: aliases, form: .value(AnyValueSpec(value)), repetition: .collected,
            summary: summary, defaultText: nil)
        // `compactMap` looks for a conformance among all in the program.
        read = { uses in
            var values: [Element] = []
            for use in uses {
                if let value: Element = use.value() { values.append(value) }
            }
            return values
        }
    }

    /// An option whose value is optional (`--stub`, `--stub=NAME`), with one entry per use. An entry is nil if the option was
    /// used without a value. `=` always gives a value. The next word is the value only if `takesNext` accepts this word.
    package init<Element>(
        bare name: String, short: Character? = nil, aliases: [String] = [], _ value: ValueSpec<Element>,
        _ summary: String, repetition: OptionSpec.Repetition = .collected, waivesArguments: Bool = false,
        takesNext: @escaping OptionSpec.TakesNext = { _, _ in false }
    ) where Value == [Element?] {
        spec = OptionSpec(
            name: name, short: short, aliases: aliases,
            form: .optionalValue(AnyValueSpec(value), takesNext: takesNext), repetition: repetition, summary: summary,
            defaultText: nil, waivesArguments: waivesArguments)
        read = { $0.map { $0.value() } }
    }
}

/// One use of an option, with its value already read.
enum OptionSetting: Sendable {
    case on
    case off
    /// An option with an optional value, given without one.
    case bare
    case value(any Sendable)

    func value<Value>() -> Value? {
        if case .value(let value) = self { value as? Value } else { nil }
    }
}
