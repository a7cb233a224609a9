/// The options that may stand where the reader is, by every spelling.
///
/// It is looked through for each option that is given: that is less work than to make a dictionary of them all.
struct OptionTable {
    enum Entry {
        case option(OptionSpec, isNegated: Bool)
        /// Before the command is known: an option that commands define differently.
        case ambiguous(commands: [String])
    }

    private let program: ProgramSpec
    private let command: CommandSpec?

    /// The options of the program and of the command; while that is unknown, of all the commands, so that options
    /// may stand before it too.
    init(_ program: ProgramSpec, command: CommandSpec?) {
        self.program = program
        self.command = command
    }

    func entry(long name: String) -> Entry? {
        entry { $0.reading(long: name) }
    }

    func entry(short name: Character) -> Entry? {
        entry { $0.short == name ? .plain : nil }
    }

    func has(long name: String) -> Bool { options.contains { $0.name == name } }

    /// Every long name there is, in order.
    var longNames: [String] { Set(options.flatMap(\.spellings)).sorted() }

    private var options: [OptionSpec] {
        (command.map { [$0] } ?? program.commands).flatMap(\.options) + program.globalOptions
    }

    private func entry(_ reading: (OptionSpec) -> OptionSpec.Reading?) -> Entry? {
        var found: (option: OptionSpec, reading: OptionSpec.Reading)?
        for option in options {
            guard let new = reading(option) else { continue }
            guard let known = found else {
                found = (option, new)
                continue
            }
            if known.reading != new || !known.option.reads(like: option) {
                return .ambiguous(commands: program.commands { reading($0) != nil })
            }
        }
        return found.map { .option($0.option, isNegated: $0.reading == .negated) }
    }
}

extension OptionSpec {
    /// What a spelling of an option means.
    enum Reading {
        case plain
        /// `--no-follow`
        case negated
    }

    /// Nil where `spelling`, without its dashes, isn't one of this option's.
    func reading(long spelling: String) -> Reading? {
        if spelling == name || aliases.contains(spelling) { return .plain }
        return isToggle && spelling == "no-\(name)" ? .negated : nil
    }

    /// Whether words around the two would be read alike.
    func reads(like other: OptionSpec) -> Bool {
        guard name == other.name else { return false }
        return switch (form, other.form) {
        case (.flag, .flag), (.toggle, .toggle), (.value, .value), (.optionalValue, .optionalValue): true
        default: false
        }
    }
}

extension ProgramSpec {
    /// The names of the commands that have an option like this.
    func commands(where matches: (OptionSpec) -> Bool) -> [String] {
        commands.filter { $0.options.contains(where: matches) }.map(\.name)
    }
}
