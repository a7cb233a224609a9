import ReqcliBasics

/// The options that are valid at the reader's current word. An option is found by any of its spellings.
///
/// The table is searched for each option given, which is less work than building a dictionary of all options.
struct OptionTable {
    enum Entry {
        case option(OptionSpec, isNegated: Bool)
        /// An option before the command whose meaning depends on the command, because several commands define it differently.
        case ambiguous(commands: [String])
    }

    private let program: ProgramSpec
    private let command: CommandSpec?

    /// The options of the program and of the command. Before the command is known, the table has the options of all commands,
    /// because options may precede the command.
    init(_ program: ProgramSpec, command: CommandSpec?) {
        self.program = program
        self.command = command
    }

    func entry(long name: String) -> Entry? {
        entry { $0.reading(long: name) }
    }

    func entry(short name: Character) -> Entry? {
        entry { $0.isNamed(by: name) ? .plain : nil }
    }

    func has(long name: String) -> Bool { options.contains { $0.name == name } }

    /// All long names, sorted.
    var longNames: [String] { Set(options.flatMap(\.spellings)).sorted() }

    private var options: [OptionSpec] {
        (command.map { [$0] } ?? program.commands).flatMap(\.options) + program.globalOptions
    }

    private func entry(_ reading: (OptionSpec) -> OptionSpec.Reading?) -> Entry? {
        // No command has an option with a global option's name, so `--version` is found without looking at the commands.
        for option in program.globalOptions {
            if let reading = reading(option) { return .option(option, isNegated: reading == .negated) }
        }
        var found: (option: OptionSpec, reading: OptionSpec.Reading)?
        for option in (command.map { [$0] } ?? program.commands).flatMap(\.options) {
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
    /// The meaning of an option's spelling.
    enum Reading {
        case plain
        /// The negative form of a toggle: `--no-follow`.
        case negated
    }

    /// The meaning of `spelling`, which has no dashes; nil if `spelling` isn't a spelling of this option.
    func reading(long spelling: String) -> Reading? {
        if spelling == name || aliases.contains(where: { $0 == spelling && $0.utf8.count > 1 }) { return .plain }
        return isToggle && spelling == "no-\(name)" ? .negated : nil
    }

    /// Whether both options have the same name and form, so that the reader treats the next word in the same way for both.
    func reads(like other: OptionSpec) -> Bool {
        guard name == other.name else { return false }
        return switch (form, other.form) {
        case (.flag, .flag), (.toggle, .toggle), (.value, .value), (.optionalValue, .optionalValue): true
        default: false
        }
    }
}

extension ProgramSpec {
    /// The names of the commands that have a matching option.
    func commands(where matches: (OptionSpec) -> Bool) -> [String] {
        commands.filter { $0.options.contains(where: matches) }.map(\.name)
    }
}

extension OptionTable {
    /// The hint for an option (`--name` or `-n`) that isn't in the table.
    func hint(forUnknown spelling: String, in program: ProgramSpec) -> String? {
        let foreign = program.foreignOptions.first {
            $0.spellings.contains(spelling) && $0.option.map(has(long:)) ?? true
        }
        if let foreign { return foreign.hint(for: spelling) }
        guard spelling.utf8.starts(with: "--".utf8) else { return hint(forUnknownLetter: spelling.last, in: program) }
        let name = String(spelling.dropFirst(2))
        let owners = program.commands { $0.spellings.contains(name) }
        if !owners.isEmpty { return belongs(to: owners) }
        // No option has a capital letter.
        if name.contains(where: \.isUppercase), command?.takesAssignments == true {
            return "a param is written without dashes: \(name)=VALUE"
        }
        return NearNames.question(NearNames.nearest(to: name, among: longNames).map { "--\($0)" })
    }

    private func hint(forUnknownLetter letter: Character?, in program: ProgramSpec) -> String? {
        let owners = program.commands { option in letter.map(option.isNamed) ?? false }
        if !owners.isEmpty { return belongs(to: owners) }
        let near = longNames.filter { letter != nil && $0.first == letter }
        if let letter, letter.isLetter, (1...4).contains(near.count) {
            return NearNames.question(near.sorted().map { "--\($0)" })
        }
        // A digit: the user probably meant a negative number as an argument.
        return letter?.isNumber == true ? "to pass it as an argument, put \"--\" before it" : nil
    }

    private func belongs(to commands: [String]) -> String {
        "it is an option of \(Sentence.alternatives(commands.map { "\"\($0)\"" }))"
    }
}
