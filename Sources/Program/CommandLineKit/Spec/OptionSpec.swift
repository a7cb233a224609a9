/// An ``Option`` without its type, for the parser, help, the man page and completions.
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

    /// Decides whether an option with an optional value takes the next word as its value. Gets that word and the positional
    /// arguments read so far.
    package typealias TakesNext = @Sendable (_ word: String, _ positionals: [String]) -> Bool

    package enum Repetition: Sendable {
        /// Giving the option twice is an error, because it is unclear which use was meant.
        case once
        /// The option may be repeated and every use counts.
        case collected
    }

    /// The long name without dashes, which also identifies the option.
    package let name: String
    package let short: Character?
    /// Other names that are accepted but not shown. One letter is a name behind one dash.
    package let aliases: [String]
    package let form: Form
    package let repetition: Repetition
    package let summary: String
    /// The default, as help shows it.
    package let defaultText: String?
    /// Whether required arguments may be missing when this option is given, because the option says where to find them.
    package var waivesArguments = false

    /// The spec of the value, if the option can take one.
    package var value: AnyValueSpec? {
        switch form {
        case .flag, .toggle: nil
        case .value(let value), .optionalValue(let value, _): value
        }
    }

    /// `--name`
    package var longSpelling: String { "--\(name)" }

    /// All long spellings that are accepted.
    var spellings: [String] {
        [name] + aliases.filter { $0.utf8.count > 1 } + (isToggle ? ["no-\(name)"] : [])
    }

    /// Whether a letter behind one dash names this option.
    func isNamed(by letter: Character) -> Bool { short == letter || aliases.contains(String(letter)) }

    var isToggle: Bool {
        if case .toggle = form { true } else { false }
    }
}
