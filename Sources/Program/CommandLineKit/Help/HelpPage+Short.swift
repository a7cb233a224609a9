import ReqcliText

extension HelpPage {
    /// The short page of a command, as `-h` shows it: the usage, two examples, and the options that matter.
    init(short command: CommandSpec, in program: ProgramSpec) {
        let entries = command.essentials.map { Entry(label: $0.label, text: $0.brief) }
        let more = command.options.count - entries.count
        let all = more > 0 ? "all \(command.options.count) options, and more examples" : "more"
        self.init(
            summary: command.summary,
            sections: [
                Section(title: "", blocks: [.usage(program.usage(of: command))]),
                Section(examples: Array(command.examples.prefix(2))), Section("Options", .options, entries),
                Section(title: "", blocks: [.text("\"\(program.name) help \(command.name)\" has \(all).")]),
            ])
    }
}

extension CommandSpec {
    /// The maximum number of options on the short page.
    private static let mostEssentials = 10

    /// The options on the short page: those that the command names, else the first ones.
    package var essentials: [OptionSpec] {
        let named = essentialNames
        let all = options
        let chosen = named.isEmpty ? all : named.compactMap { name in all.first { $0.name == name } }
        return Array(chosen.prefix(Self.mostEssentials))
    }
}

extension OptionSpec {
    /// The summary up to its first comma, colon, semicolon or full stop. A parenthesis is kept whole or left out, and so is a
    /// condition at the beginning, such as `With --output:`.
    var brief: String {
        guard ["With ", "For "].contains(where: summary.hasPrefix), let mark = summary.firstRange(of: ": ") else {
            return Self.brief(summary)
        }
        let rest = summary[mark.upperBound...]
        return Self.brief(rest.prefix(1).uppercased() + rest.dropFirst())
    }

    private static func brief(_ summary: String) -> String {
        let end = summary.indices.first { index in
            let next = summary.index(after: index)
            return ",;:.".contains(summary[index]) && (next == summary.endIndex || summary[next] == " ")
        }
        let text = summary[..<(end ?? summary.endIndex)]
        guard let opening = text.firstRange(of: " ("), !text[opening.upperBound...].contains(")") else {
            return String(text)
        }
        return String(text[..<opening.lowerBound])
    }
}
