import ReqcliBasics

/// The action that a command line asks for.
package enum Invocation: Sendable {
    case run(ParsedArguments)
    /// Help; short after `-h`.
    case help(HelpSubject, isShort: Bool = false)
    /// Show the version; with `-v`, also the libraries that the program uses.
    case version(isVerbose: Bool)
    /// An empty command line: show the overview, as an error.
    case nothing
}

extension ProgramSpec {
    /// Parses the words after the program's name. Throws an error with all mistakes in the words. Has no side effects.
    package func parse(_ words: [String]) throws(UsageError) -> Invocation { try read(words).invocation.get() }

    /// The invocation that the words ask for, and the options that can be understood. The options are returned even if the words
    /// have a mistake, because they say how to report the mistake.
    package func read(_ words: [String]) -> (options: ParsedArguments, invocation: Result<Invocation, UsageError>) {
        var reader = ArgumentReader(self)
        for word in words { reader.read(word) }
        reader.finish()
        let (parsed, problems) = interpret(reader, as: reader.command ?? CommandSpec("", "", examples: []))
        let invocation = Result { () throws(UsageError) in try self.invocation(reader, parsed, problems) }
        return (parsed, invocation)
    }

    private func invocation(
        _ reader: ArgumentReader, _ parsed: ParsedArguments, _ problems: [UsageError.Problem]
    ) throws(UsageError) -> Invocation {
        if let unknown = reader.unknownCommand {
            // After an unknown option, the word read as the command may be the option's value, so the command isn't reported.
            throw reader.hasUnknownOption ? UsageError(reader.problems) : unknownCommand(unknown)
        }
        // Help and the version are shown even if something else is wrong.
        if let use = reader.uses.first(where: { $0.option.name == Self.help.spec.name }) {
            return .help(reader.command.map { .command($0) } ?? .program, isShort: use.spelling == "-h")
        }
        if reader.asks(for: Self.version) {
            return .version(isVerbose: reader.uses.contains { $0.option.short == "v" })
        }
        guard let command = reader.command else {
            if !reader.problems.isEmpty { throw UsageError(reader.problems) }
            if reader.uses.isEmpty { return .nothing }
            throw UsageError("no command given")
        }
        guard problems.isEmpty else { throw UsageError(problems, command: command.name) }
        guard command.name == Self.helpName else { return .run(parsed) }
        return .help(try topic(parsed[Self.helpTopic]))
    }

    private func topic(_ name: String?) throws(UsageError) -> HelpSubject {
        guard let name else { return .program }
        if let command = command(named: name) { return .command(command) }
        if let topic = HelpTopic(name, in: self) { return .topic(topic) }
        let names = commands.map(\.name) + HelpTopic.words(in: self)
        throw UsageError(
            "no help on \(quoted(name))", hint: foreignCommand(name) ?? NearNames.question(for: name, among: names))
    }

    private func unknownCommand(_ name: String) -> UsageError {
        UsageError(
            "unknown command \(quoted(name))",
            hint: foreignCommand(name) ?? NearNames.question(for: name, among: commands.map(\.name)))
    }

    /// Reads the values. Values that can't be read are left out and reported.
    func interpret(_ reader: ArgumentReader, as command: CommandSpec) -> (ParsedArguments, [UsageError.Problem]) {
        var problems = reader.problems + reader.repetitions
        var uses: [String: [OptionSetting]] = [:]
        for use in reader.uses {
            guard let setting = setting(of: use, &problems) else { continue }
            uses[use.option.name, default: []].append(setting)
        }
        var values: [String: [any Sendable]] = [:]
        var surplus: [String] = []
        var wordProblems: [UsageError.Problem] = []
        for (index, word) in reader.positionals.enumerated() {
            guard let argument = command.argument(at: index) else {
                surplus.append(word)
                continue
            }
            guard let value = value(of: word, as: argument.value, named: argument.name, &wordProblems) else { continue }
            values[argument.name, default: []].append(value)
        }
        // After an unknown option, any word may be the option's value.
        if !reader.hasUnknownOption {
            problems += wordProblems
            let isWaived = reader.uses.contains { $0.option.waivesArguments }
            problems += countProblems(
                command, given: isWaived ? .max : reader.positionals.count, surplus: surplus)
        }
        // Without an option, no rule is broken.
        if problems.isEmpty, !uses.isEmpty { problems = command.rules.compactMap { $0.problem(with: uses) } }
        let parsed = ParsedArguments(
            command: command, positionals: reader.positionals,
            countBeforeEnd: reader.countBeforeEnd ?? reader.positionals.count,
            definedOptions: Set((globalOptions + command.options).map(\.name)), optionUses: uses,
            argumentValues: values, givenOptions: reader.uses.map { GivenOption($0) })
        return (parsed, problems)
    }

    private func setting(of use: ArgumentReader.Use, _ problems: inout [UsageError.Problem]) -> OptionSetting? {
        switch use.content {
        case .on: .on
        case .off: .off
        case .bare: .bare
        case .text(let text, _):
            use.option.value.flatMap { value(of: text, as: $0, named: use.spelling, &problems) }
                .map { .value($0) }
        }
    }

    private func value(
        of text: String, as spec: AnyValueSpec, named name: String, _ problems: inout [UsageError.Problem]
    ) -> (any Sendable)? {
        do {
            return try spec.parse(text)
        } catch {
            let found = spec.mayHoldSecret ? "" : "; found \(quoted(text))"
            problems.append(
                UsageError.Problem("\(name) takes \(error.expected ?? spec.expected)\(found)", hint: error.hint))
            return nil
        }
    }

    private func countProblems(_ command: CommandSpec, given: Int, surplus: [String]) -> [UsageError.Problem] {
        let problems =
            command.arguments.dropFirst(given).filter(\.isRequired).map { "\"\(command.name)\" needs \($0.name)" }
            + surplus.prefix(1).map { "unexpected argument \(quoted($0))" }
        let example = given == 0 ? command.examples.first.map { "; for example: \($0.line)" } ?? "" : ""
        return problems.map { UsageError.Problem($0, hint: "usage: \(usage(of: command))\(example)") }
    }
}

extension ArgumentReader {
    fileprivate func asks(for flag: Flag) -> Bool { uses.contains { $0.option.name == flag.spec.name } }
}
