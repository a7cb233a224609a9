/// One option as the parser, help, the man page and completions see it; made by an ``Option``.
package struct OptionSpec: Sendable {
    package enum Form: Sendable {
        /// `--verbose`
        case flag
        /// `--follow` and `--no-follow`
        case toggle
        /// `--timeout DURATION`
        case value(AnyValueSpec)
        /// `--stub`, `--stub=NAME`, and `--stub NAME` where `takesNext` accepts the next word.
        case optionalValue(AnyValueSpec, takesNext: TakesNext)
    }

    /// Decides whether the word after an option with an optional value is that value, from the word and the
    /// positional arguments seen so far.
    package typealias TakesNext = @Sendable (_ word: String, _ positionals: [String]) -> Bool

    package enum Repetition: Sendable {
        /// Giving it twice is an error: which of the two was meant would be a guess.
        case once
        /// Each one counts; help says that it may be repeated.
        case collected
    }

    /// The long name, without dashes; it also identifies the option.
    package let name: String
    package let short: Character?
    /// Other long names that are read but not shown.
    package let aliases: [String]
    package let form: Form
    package let repetition: Repetition
    package let summary: String
    /// What help says applies when the option isn't given.
    package let defaultText: String?

    /// The value's spec, when the option takes one or may.
    package var value: AnyValueSpec? {
        switch form {
        case .flag, .toggle: nil
        case .value(let value), .optionalValue(let value, _): value
        }
    }

    /// `--name`
    package var longSpelling: String { "--\(name)" }

    /// Every long spelling that is read.
    var spellings: [String] {
        [name] + aliases + (isToggle ? ["no-\(name)"] : [])
    }

    var isToggle: Bool {
        if case .toggle = form { true } else { false }
    }
}
