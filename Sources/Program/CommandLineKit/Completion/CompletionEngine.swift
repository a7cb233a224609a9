/// Computes the completions at the cursor of a command line. Has no side effects, except those of the provider.
package struct CompletionEngine: Sendable {
    let program: ProgramSpec
    let provider: CompletionProvider

    package init(_ program: ProgramSpec, provider: @escaping CompletionProvider) {
        (self.program, self.provider) = (program, provider)
    }

    /// The candidates for `words[index]`, the word that ends at the cursor. If the index is past the end, the word is empty.
    /// `words` doesn't include the program's name.
    package func completions(of words: [String], at index: Int) -> Completions {
        let index = min(max(index, 0), words.count)
        let typed = index < words.count ? words[index] : ""
        var reader = ArgumentReader(program)
        for word in words[..<index] { reader.read(word) }
        if let unknown = reader.unknownCommand {
            // A method needs a URL after it before it begins a line.
            guard let bare = program.bareForm, bare.begins([unknown, "/"]) else { return .nothing }
            return completions(of: [bare.command] + words, at: index + 1)
        }
        let cursor = Cursor(
            engine: self, reader: reader, typed: typed, following: Array(words.dropFirst(index + 1)))
        return cursor.completions
    }
}

/// The candidates for a word. Each candidate is appended to `prefix`, the part of the word that doesn't change.
package struct Completions: Equatable, Sendable {
    package let prefix: String
    package let answer: CompletionAnswer

    static let nothing = Completions(prefix: "", answer: .nothing)
}

/// The place on the command line where a word is completed.
private struct Cursor {
    let engine: CompletionEngine
    let reader: ArgumentReader
    let typed: String
    let following: [String]

    var completions: Completions {
        if let pending = reader.pending { return afterOption(pending.option) }
        if reader.optionsEnded { return positional }
        if let equals = typed.utf8.firstIndex(of: UInt8(ascii: "=")), typed.utf8.starts(with: "--".utf8) {
            return attachedValue(equals)
        }
        if typed.utf8.starts(with: "-".utf8), typed != "-", !typed.utf8.starts(with: "--".utf8) { return shorts }
        if typed.utf8.starts(with: "-".utf8) { return Completions(prefix: "", answer: CompletionAnswer(options)) }
        return positional
    }

    // MARK: Values

    private func afterOption(_ option: OptionSpec) -> Completions {
        guard case .optionalValue(let value, let takesNext) = option.form else {
            return self.value(option.value, settled: "")
        }
        // The word may be the option's value or the next argument. Offers both kinds of candidates, but only option values that
        // `takesNext` accepts.
        if typed.utf8.starts(with: "-".utf8) { return Completions(prefix: "", answer: CompletionAnswer(options)) }
        let own = self.value(value, settled: "")
        let other = positional
        guard own.prefix.isEmpty, other.prefix.isEmpty else {
            return takesNext(typed, reader.positionals) ? own : other
        }
        let taken = own.answer.candidates.filter { takesNext($0.text, reader.positionals) }
        return Completions(
            prefix: "", answer: CompletionAnswer(taken + other.answer.candidates, paths: other.answer.paths))
    }

    /// A value in the same word: `--env=stag`.
    private func attachedValue(_ equals: String.Index) -> Completions {
        let start = typed.utf8.index(after: equals)
        guard case .option(let option, _) = reader.table.entry(long: String(typed[..<equals].dropFirst(2))) else {
            return .nothing
        }
        return value(option.value, settled: String(typed[..<start]))
    }

    /// Several short options in one word. The last option may have a value: `-estag`.
    private var shorts: Completions {
        var rest = typed.unicodeScalars.dropFirst()
        while let letter = rest.popFirst() {
            guard case .option(let option, _) = reader.table.entry(short: Character(letter)) else { return .nothing }
            guard let value = option.value else { continue }
            if rest.first == "=" { rest.removeFirst() }
            guard !rest.isEmpty else { break }
            return self.value(value, settled: String(typed.unicodeScalars[..<rest.startIndex]))
        }
        // The last option takes no value, so the word is complete. Once it is offered, the shell moves on to the next word.
        return Completions(prefix: "", answer: CompletionAnswer([.init(typed)]))
    }

    private var positional: Completions {
        guard let command = reader.command else {
            // An empty word would offer every endpoint.
            guard let bare = engine.program.bareForm, !typed.isEmpty else {
                return Completions(prefix: "", answer: commands)
            }
            let others = ask(bare.completion, typed: typed).candidates
            return Completions(prefix: "", answer: CompletionAnswer(commands.candidates + others))
        }
        return value(command.argument(at: reader.positionals.count)?.value, settled: "")
    }

    /// The candidates for a value. `settled` is the part of the word before the value.
    private func value(_ spec: AnyValueSpec?, settled: String) -> Completions {
        guard let spec else { return .nothing }
        let rest = String(typed.unicodeScalars.dropFirst(settled.unicodeScalars.count))
        if !spec.words.isEmpty {
            let words = spec.words.map { CompletionAnswer.Candidate($0.text, $0.summary) }
            return Completions(prefix: settled, answer: CompletionAnswer(words))
        }
        switch spec.completion {
        case .nothing: return .nothing
        case .file: return Completions(prefix: settled, answer: .files)
        case .directory: return Completions(prefix: settled, answer: .directories)
        case .command: return Completions(prefix: settled, answer: commands)
        case .textOrFile:
            return rest.utf8.starts(with: "@".utf8) ? Completions(prefix: settled + "@", answer: .files) : .nothing
        case let kind where kind.isAssignment: return assignment(kind, settled: settled, rest: rest)
        case let kind: return Completions(prefix: settled, answer: ask(kind, typed: rest))
        }
    }

    private func assignment(_ kind: CompletionKind, settled: String, rest: String) -> Completions {
        guard let equals = rest.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return Completions(prefix: settled, answer: ask(kind, typed: rest))
        }
        let start = rest.utf8.index(after: equals)
        let prefix = settled + rest[..<start]
        let name = String(rest[..<equals])
        // `name@=FILE` takes the value from a file.
        if name.utf8.last == UInt8(ascii: "@") { return Completions(prefix: prefix, answer: .files) }
        return Completions(prefix: prefix, answer: ask(kind, name: name, typed: String(rest[start...])))
    }

    private func ask(_ kind: CompletionKind, name: String? = nil, typed: String) -> CompletionAnswer {
        engine.provider(CompletionRequest(kind: kind, assignedName: name, typed: typed, arguments: context))
    }

    /// The arguments for the provider: the positional arguments before the cursor, and the options of the whole line.
    private var context: ParsedArguments {
        let command = reader.command ?? CommandSpec("", "", examples: [])
        return engine.program.interpret(reader.continued(with: following), as: command).0
    }

    // MARK: Names

    private var commands: CompletionAnswer {
        CompletionAnswer(engine.program.commands.map { .init($0.name, $0.summary) })
    }

    /// The options that may still be given.
    private var options: [CompletionAnswer.Candidate] {
        let given = Set(reader.uses.filter { $0.option.repetition != .collected }.map(\.option.name))
        let specs = (reader.command?.options ?? []) + engine.program.globalOptions
        return specs.filter { !given.contains($0.name) }.flatMap { option -> [CompletionAnswer.Candidate] in
            let on = CompletionAnswer.Candidate(option.longSpelling, option.summary)
            return option.isToggle ? [on, .init("--no-\(option.name)", "Turn off: \(option.summary)")] : [on]
        }
    }
}
