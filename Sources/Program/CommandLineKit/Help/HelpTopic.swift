import ReqcliText

/// The help on a word that is not a command: the options, sections and tables of all commands that are about the word.
package struct HelpTopic: Sendable {
    private let name: String
    private let sections: [HelpPage.Section]

    /// Nil if nothing is about the word.
    init?(_ word: String, in program: ProgramSpec) {
        let name = String(word.drop { $0 == "-" })
        let isLetter = name.count == 1
        func isAbout(_ text: String) -> Bool {
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.contains { Self.stem($0) == Self.stem(name[...]) }
        }
        var options = Options()
        for command in program.commands {
            for option in command.options + program.globalOptions {
                let isNamed = isLetter ? option.short.map(String.init) == name : option.spellings.contains(name)
                if isNamed || !word.hasPrefix("-") && isAbout(option.name) { options.add(option, of: command.name) }
            }
        }
        var sections = [options.section]
        if !word.hasPrefix("-") {
            if isAbout("exit status") {
                let entries = program.exitStatuses.map {
                    HelpPage.Entry(label: [.literal("\($0.code)")], text: $0.meaning)
                }
                sections.append(HelpPage.Section("Exit status", .codes, entries))
            }
            let variables = program.environment.filter { isAbout("environment variables") || $0.names.contains(word) }
            sections.append(
                HelpPage.Section(
                    "Environment variables", .options,
                    variables.map { .init(label: [.literal($0.names.joined(separator: ", "))], text: $0.meaning) }))
            var seen: Set<String> = []
            for command in program.commands {
                for section in command.sections where isAbout(section.title) && seen.insert(section.text).inserted {
                    sections.append(HelpPage.Section(section))
                }
                let groups = command.groups.filter {
                    isAbout($0.title) && seen.insert("\($0.options.map(\.name))").inserted
                }
                sections += HelpPage.optionSections(groups)
            }
        }
        let found = sections.compactMap { $0 }.filter { !$0.blocks.isEmpty }
        guard !found.isEmpty else { return nil }
        self.name = name
        self.sections = found
    }

    func page(in program: ProgramSpec) -> HelpPage {
        HelpPage(
            summary: "Help on \"\(name)\"", sections: sections + [HelpPage.furtherReading(program)])
    }

    /// Words that a topic may be about, for suggestions.
    static func words(in program: ProgramSpec) -> [String] {
        let titles = program.commands.flatMap { $0.sections.map(\.title) + $0.groups.map(\.title) }
        return Set(titles.map { $0.lowercased() }.filter { !$0.contains(" ") }).sorted()
    }

    /// A word without the ending of a plural.
    private static func stem(_ word: Substring) -> String {
        let word = word.lowercased()
        return word.hasSuffix("s") && !word.hasSuffix("ss") && word.count > 3 ? String(word.dropLast()) : word
    }

    /// Options by their text, each with the commands that have it.
    private struct Options {
        private var order: [String] = []
        private var found: [String: (option: OptionSpec, commands: [String])] = [:]

        mutating func add(_ option: OptionSpec, of command: String) {
            let key = option.name + option.summary
            if found[key] == nil { order.append(key) }
            found[key, default: (option, [])].commands.append(command)
        }

        var section: HelpPage.Section? {
            HelpPage.Section(
                "Options", .options,
                order.compactMap { found[$0] }.map { option, commands in
                    let isCommon = commands.count > 15
                    return HelpPage.Entry(
                        label: option.label,
                        text: option.explanation
                            + (isCommon ? "" : "\n  of \(Sentence.list(commands))"))
                })
        }
    }
}
