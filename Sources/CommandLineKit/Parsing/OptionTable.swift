/// The options that may stand where the reader is, by every spelling.
struct OptionTable {
    enum Entry {
        case option(OptionSpec, isNegated: Bool)
        /// Before the command is known: an option that commands define differently.
        case ambiguous(commands: [String])
    }

    private var long: [String: Entry] = [:]
    private var short: [Character: Entry] = [:]

    /// The options of the program and of the command; while that is unknown, of all the commands, so that options
    /// may stand before it too.
    init(_ program: ProgramSpec, command: CommandSpec?) {
        for command in command.map({ [$0] }) ?? program.commands {
            for option in command.options { add(option, in: program) }
        }
        for option in program.globalOptions { add(option, in: program) }
    }

    func entry(long name: String) -> Entry? { long[name] }

    func entry(short name: Character) -> Entry? { short[name] }

    /// Every long name there is, in order.
    var longNames: [String] { long.keys.sorted() }

    private mutating func add(_ option: OptionSpec, in program: ProgramSpec) {
        for spelling in option.spellings {
            let isNegated = option.isToggle && spelling == "no-\(option.name)"
            long[spelling] = merge(
                .option(option, isNegated: isNegated), into: long[spelling],
                commands: program.commands(where: { $0.spellings.contains(spelling) }))
        }
        if let letter = option.short {
            short[letter] = merge(
                .option(option, isNegated: false), into: short[letter],
                commands: program.commands(where: { $0.short == letter }))
        }
    }

    private func merge(_ new: Entry, into old: Entry?, commands: @autoclosure () -> [String]) -> Entry {
        guard case .option(let option, let isNegated) = new, let old else { return new }
        guard case .option(let known, isNegated) = old, known.reads(like: option) else {
            return .ambiguous(commands: commands())
        }
        return old
    }
}

extension OptionSpec {
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
