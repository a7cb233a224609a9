/// Reads a command line word by word. The parser and the completions share it, so both understand every word in the same way.
///
/// The reader sorts words into options, option values and positional arguments. It doesn't interpret the values.
struct ArgumentReader {
    /// An option as it was given. Its value is not parsed yet.
    struct Use {
        enum Content {
            case on
            case off
            case bare
            /// A value, and the separator between the option and the value: `=`, a space, or nothing.
            case text(String, separator: String)
        }

        let option: OptionSpec
        /// The option as typed: `-e`, `--env`.
        let spelling: String
        let content: Content

        /// The option and its value as typed; `…` replaces a value that may hold a secret.
        var written: String {
            guard case .text(let text, let separator) = content else { return spelling }
            return spelling + separator + (option.value?.mayHoldSecret == true ? "…" : text)
        }
    }

    typealias Problem = UsageError.Problem

    let program: ProgramSpec
    private(set) var command: CommandSpec?
    /// The words that name no command. The words after an unknown command can't be understood.
    private var unknownWords: [String] = []
    /// The first word, if it is not a command.
    var unknownCommand: String? { unknownWords.first }
    private(set) var positionals: [String] = []
    private(set) var uses: [Use] = []
    private(set) var problems: [Problem] = []
    /// The option that was read last, if it may take the next word as its value.
    private(set) var pending: (option: OptionSpec, spelling: String)?
    /// The number of positional arguments before `--`; nil if there is no `--`.
    private(set) var countBeforeEnd: Int?
    /// Whether `--` has been seen.
    var optionsEnded: Bool { countBeforeEnd != nil }
    /// Whether there was an unknown option. The word after an unknown option may be its value, so positional arguments can't be
    /// counted.
    private(set) var hasUnknownOption = false
    private(set) var table: OptionTable

    init(_ program: ProgramSpec) {
        self.program = program
        table = OptionTable(program, command: nil)
    }

    mutating func read(_ word: String) {
        if let pending, take(word, asValueOf: pending) { return }
        if let command, command.takesWordsLiterally, !optionsEnded, !Self.standardWords.contains(word) {
            countBeforeEnd = 0
        }
        if optionsEnded || word == "-" || !word.utf8.starts(with: "-".utf8) {
            readPositional(word)
        } else if word == "--" {
            countBeforeEnd = positionals.count
        } else if word.utf8.starts(with: "--".utf8) {
            readLong(word)
        } else {
            readShorts(word)
        }
    }

    private static let standardWords: Set<String> = [
        ProgramSpec.help.spec.longSpelling, "-h", ProgramSpec.version.spec.longSpelling, "-V",
    ]

    /// Ends the command line. Reports an option that still waits for its value.
    mutating func finish() {
        guard let pending else { return }
        self.pending = nil
        endWithoutValue(pending, before: nil)
    }
}

extension ArgumentReader {
    /// A copy that has also read the words after the cursor. Options after the cursor count, positional arguments after the
    /// cursor don't.
    func continued(with words: [String]) -> ArgumentReader {
        var all = self
        // The option before the cursor takes the word at the cursor.
        all.pending = nil
        for word in words { all.read(word) }
        all.finish()
        all.positionals = positionals
        return all
    }
}

// MARK: - Values in the next word

extension ArgumentReader {
    /// Takes `word` as the value of the option before it. Returns false if it cannot be the value.
    private mutating func take(_ word: String, asValueOf waiting: (option: OptionSpec, spelling: String)) -> Bool {
        pending = nil
        if !looksLikeOption(word) {
            switch waiting.option.form {
            case .value:
                add(waiting.option, waiting.spelling, .text(word, separator: " "))
                return true
            case .optionalValue(_, let takesNext) where takesNext(word, positionals):
                add(waiting.option, waiting.spelling, .text(word, separator: " "))
                return true
            default: break
            }
        }
        endWithoutValue(waiting, before: word)
        return false
    }

    /// Whether a word is an option rather than a value. Values may begin with a dash (`-`, `-5`, `-x: y`), but a word such as
    /// `--anything`, or a known letter after a dash, usually means that the value was forgotten. The form `--name=--value` allows
    /// such a value.
    private func looksLikeOption(_ word: String) -> Bool {
        if word.utf8.starts(with: "--".utf8) { return true }
        let characters = word.unicodeScalars
        guard characters.count == 2, characters.first == "-", let letter = characters.last else { return false }
        return table.entry(short: Character(letter)) != nil
    }

    private mutating func endWithoutValue(_ waiting: (option: OptionSpec, spelling: String), before word: String?) {
        guard case .value(let value) = waiting.option.form else {
            add(waiting.option, waiting.spelling, .bare)
            return
        }
        let found = word.map { "; found the option \(quoted($0))" } ?? ""
        problems.append(
            Problem(
                "\(waiting.spelling) needs \(value.words.isEmpty ? "a " : "")\(value.placeholder)\(found)",
                hint: word.map { "if that word is the value, write \(waiting.option.longSpelling)=\(harmless($0))" }
                    ?? value.hintIfMissing))
    }
}

// MARK: - Options

extension ArgumentReader {
    /// A problem for each option that was given more than once but may be given only once. The problem shows the repeated words.
    var repetitions: [Problem] {
        var seen: Set<String> = []
        return uses.filter { $0.option.repetition == .once && seen.insert($0.option.name).inserted }.compactMap { use in
            let all = uses.filter { $0.option.name == use.option.name }
            guard all.count > 1 else { return nil }
            let shown = all.prefix(2).map { quoted($0.written) }
            let found = Sentence.list(all.count > 2 ? shown + ["\(all.count - 2) more"] : shown)
            return Problem(
                "\(use.option.longSpelling) can be given only once; found \(found)", hint: "keep one of them")
        }
    }
}

extension ArgumentReader {
    private mutating func readLong(_ word: String) {
        let equals = word.utf8.firstIndex(of: UInt8(ascii: "="))
        let spelling = String(word[..<(equals ?? word.endIndex)])
        let attached = equals.map { String(word[word.utf8.index(after: $0)...]) }
        switch table.entry(long: String(spelling.dropFirst(2))) {
        case .option(let option, let isNegated):
            use(option, spelling, isNegated: isNegated, attached: attached.map { ($0, "=") })
        case .ambiguous(let commands): reportAmbiguous(spelling, commands)
        case nil: reportUnknown(spelling)
        }
    }

    /// Reads `-v`, `-vi`, `-e staging`, `-estaging` or `-e=staging`.
    private mutating func readShorts(_ word: String) {
        let letters = word.unicodeScalars.dropFirst()
        if letters.count > 1, let name = longNameBehindOneDash(letters) {
            hasUnknownOption = true
            problems.append(Problem("unknown option \(quoted("-\(name)"))", hint: "did you mean \"--\(name)\"?"))
            return
        }
        var rest = letters
        while let letter = rest.popFirst() {
            let spelling = "-\(letter)"
            switch table.entry(short: Character(letter)) {
            case .option(let option, _):
                if rest.first == "=" {
                    use(option, spelling, attached: (String(rest.dropFirst()), "="))
                    return
                }
                if option.value != nil, !rest.isEmpty {
                    use(option, spelling, attached: (String(rest), ""))
                    return
                }
                use(option, spelling, attached: nil)
            case .ambiguous(let commands): reportAmbiguous(spelling, commands)
            case nil:
                reportUnknown(spelling, in: word)
                return
            }
        }
    }

    /// The long name that follows a single dash, if any: `-env` is reported as a typo and not read as `-e nv`.
    private func longNameBehindOneDash(_ letters: Substring.UnicodeScalarView) -> String? {
        let name = String(letters.prefix { $0 != "=" })
        return table.entry(long: name) != nil && name.unicodeScalars.count > 1 ? name : nil
    }

    private mutating func use(
        _ option: OptionSpec, _ spelling: String, isNegated: Bool = false,
        attached: (text: String, separator: String)?
    ) {
        switch (option.form, attached) {
        case (.flag, nil), (.toggle, nil): add(option, spelling, isNegated ? .off : .on)
        case (.flag, .some), (.toggle, .some): problems.append(Problem("\(spelling) takes no value"))
        case (.value, let value?), (.optionalValue, let value?):
            add(option, spelling, .text(value.text, separator: value.separator))
        case (.value, nil), (.optionalValue, nil): pending = (option, spelling)
        }
    }

    private mutating func add(_ option: OptionSpec, _ spelling: String, _ content: Use.Content) {
        uses.append(Use(option: option, spelling: spelling, content: content))
    }

    private mutating func reportUnknown(_ spelling: String, in word: String? = nil) {
        hasUnknownOption = true
        // If the option belongs to another program, the rest of the word is its value. It may be a password, so it isn't shown.
        let isForeign =
            program.foreignOptions.contains { $0.spellings.contains(spelling) }
            || program.commands.flatMap(\.options).contains { option in
                option.value?.mayHoldSecret == true && spelling.last.map(option.isNamed) == true
            }
        let place = word.flatMap { $0 == spelling || isForeign ? nil : " in \(quoted($0))" } ?? ""
        problems.append(
            Problem("unknown option \(quoted(spelling))\(place)", hint: table.hint(forUnknown: spelling, in: program)))
    }

    private mutating func reportAmbiguous(_ spelling: String, _ commands: [String]) {
        hasUnknownOption = true
        problems.append(
            Problem(
                "\(spelling) is ambiguous before the command",
                hint: "put it after \(Sentence.alternatives(commands.map { "\"\($0)\"" }))"))
    }
}

// MARK: - Positional arguments

extension ArgumentReader {
    private mutating func readPositional(_ word: String) {
        guard command == nil else { return positionals.append(word) }
        unknownWords.append(word)
        if unknownWords.count == 1, let named = program.command(named: word) {
            unknownWords = []
            begin(named)
        } else if let bare = program.bareForm, bare.begins(unknownWords),
            let named = program.command(named: bare.command)
        {
            (positionals, unknownWords) = (unknownWords, [])
            begin(named)
        }
    }

    private mutating func begin(_ command: CommandSpec) {
        self.command = command
        table = OptionTable(program, command: command)
        rejectOptionsOfOthers(command)
    }

    /// Reports options that the command doesn't have. Options before the command were read before the command was known.
    private mutating func rejectOptionsOfOthers(_ command: CommandSpec) {
        uses = uses.compactMap { use in
            if case .option(let own, _) = table.entry(long: use.option.name) {
                return Use(option: own, spelling: use.spelling, content: use.content)
            }
            problems.append(
                Problem(
                    "\"\(command.name)\" has no option \(quoted(use.spelling))",
                    hint: table.hint(forUnknown: use.option.longSpelling, in: program)))
            return nil
        }
    }
}
