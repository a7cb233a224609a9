import ReqcliText

extension ProgramSpec {
    /// The man page in roff, made from the same specs as the help.
    package var manPage: String {
        var roff = Roff()
        roff.macro("TH", name.uppercased(), "1", "", "\(name) \(version)", "User Commands")
        roff.macro("SH", "NAME")
        roff.paragraph("\(name) - \(summary)")
        roff.macro("SH", "SYNOPSIS")
        roff.synopsis(commands.map { usage(of: $0) })
        if !introduction.isEmpty {
            roff.macro("SH", "DESCRIPTION")
            roff.paragraph(introduction)
        }
        roff.section("EXAMPLES", examples.map { .example($0) })
        roff.macro("SH", "COMMANDS")
        for command in commands { roff.command(command, usage: usage(of: command), of: self) }
        roff.macro("SH", "OPTIONS")
        roff.paragraph("These options can be given before or after any command.")
        for group in globalGroups + [standardOptions] { roff.options(group) }
        for section in sections { roff.section(section.title.uppercased(), [.text(section.text)]) }
        roff.section("EXIT STATUS", exitStatuses.map { .init(label: [.literal("\($0.code)")], text: $0.meaning) })
        roff.section(
            "ENVIRONMENT",
            environment.map { .init(label: [.literal($0.names.joined(separator: ", "))], text: $0.meaning) })
        if !furtherReading.isEmpty { roff.section("SEE ALSO", [.text(furtherReading)]) }
        return roff.text
    }
}

extension Roff {
    fileprivate mutating func synopsis(_ usages: [String]) {
        for (index, usage) in usages.enumerated() { paragraph(usage, isFirst: index == 0) }
    }

    fileprivate mutating func command(_ command: CommandSpec, usage: String, of program: ProgramSpec) {
        macro("SS", usage)
        paragraph(command.summary + ".")
        let page = HelpPage(of: command, in: program)
        let globalTitles = (program.globalGroups + [program.standardOptions]).map(\.title)
        for section in page.sections where section.title != "Usage" && !globalTitles.contains(section.title) {
            heading(section.title)
            add(section.blocks)
        }
    }

    fileprivate mutating func options(_ group: OptionGroup) {
        for option in group.options { entry(option.label, option.explanation) }
    }

    fileprivate mutating func section(_ title: String, _ blocks: [HelpPage.Block]) {
        guard !blocks.isEmpty else { return }
        macro("SH", title)
        add(blocks)
    }

    fileprivate mutating func section(_ title: String, _ entries: [HelpPage.Entry]) {
        section(title, entries.isEmpty ? [] : [.entries(entries, .codes)])
    }

    private mutating func add(_ blocks: [HelpPage.Block]) {
        for block in blocks {
            switch block {
            case .text(let text): paragraph(text)
            case .usage(let usage): paragraph(usage)
            case .example(let example):
                paragraph("\(example.meaning):")
                verbatim(example.line)
            case .entries(let entries, _):
                for entry in entries { self.entry(entry.label, entry.text) }
            }
        }
    }
}
