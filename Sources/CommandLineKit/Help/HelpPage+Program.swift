extension HelpPage {
    /// The overview: the program, its commands and links.
    init(of program: ProgramSpec) {
        let commands = program.commandGroups.map { group in
            Section(group.title, .commands, group.commands.map { Entry(label: [.literal($0.name)], text: $0.summary) })
        }
        self.init(
            summary: program.summary,
            sections: [Section(title: "", blocks: program.introduction.isEmpty ? [] : [.text(program.introduction)])]
                + [Section(examples: program.examples)]
                + [Section(title: "Usage", blocks: [.usage(program.usage)])]
                + commands
                + Self.optionSections(program.globalGroups + [program.standardOptions])
                + program.sections.map { Section($0) }
                + [
                    Section(
                        title: "",
                        blocks: [.text("\"\(program.name) help COMMAND\" explains a command, with examples.")]),
                    Self.furtherReading(program),
                ])
    }

    /// The page of one command.
    init(of command: CommandSpec, in program: ProgramSpec) {
        let arguments = command.arguments.map { argument in
            Entry(label: [.placeholder(argument.usage)], text: argument.explanation)
        }
        let statuses = command.exitStatuses.map { Entry(label: [.literal("\($0.code)")], text: $0.meaning) }
        self.init(
            summary: command.summary,
            sections: [Section(examples: command.examples)]
                + [Section(title: "Usage", blocks: [.usage(program.usage(of: command))])]
                + [Section("Arguments", .options, arguments)]
                + Self.optionSections(command.groups + program.globalGroups + [program.standardOptions])
                + command.sections.map { Section($0) }
                + [Section("Exit status", .codes, statuses), Self.furtherReading(program)])
    }

    static func optionSections(_ groups: [OptionGroup]) -> [Section?] {
        groups.map { group in
            Section(group.title, .options, group.options.map { Entry(label: $0.label, text: $0.explanation) })
        }
    }

    private static func furtherReading(_ program: ProgramSpec) -> Section {
        Section(title: "", blocks: program.furtherReading.isEmpty ? [] : [.text(program.furtherReading)])
    }
}

extension OptionSpec {
    /// The label `-e, --env NAME`. Options without a letter are indented, so that the long names are aligned.
    var label: [HelpPage.LabelPart] {
        let letter: [HelpPage.LabelPart] = short.map { [.literal("-\($0)"), .plain(", ")] } ?? [.plain("    ")]
        let long: [HelpPage.LabelPart] =
            switch form {
            case .flag: [.literal("--\(name)")]
            case .toggle: [.literal("--"), .plain("["), .literal("no-"), .plain("]"), .literal(name)]
            case .value(let value): [.literal("--\(name)"), .plain(" "), .placeholder(value.placeholder)]
            case .optionalValue(let value, _):
                [.literal("--\(name)"), .plain("[="), .placeholder(value.placeholder), .plain("]")]
            }
        return letter + long
    }

    /// The summary, followed by default, choices and other facts from the spec.
    var explanation: String {
        var notes: [String] = []
        if repetition == .collected { notes.append("may be repeated") }
        if let defaultText { notes.append("default: \(defaultText)") }
        let sentence = notes.isEmpty ? summary : "\(summary) (\(notes.joined(separator: "; ")))"
        return sentence + (value?.wordList ?? "")
    }
}

extension ArgumentSpec {
    var explanation: String { summary + value.wordList }
}

extension AnyValueSpec {
    /// One line for each word that has an explanation.
    fileprivate var wordList: String {
        words.filter { !$0.summary.isEmpty }.map { "\n  \($0.text): \($0.summary)" }.joined()
    }
}
