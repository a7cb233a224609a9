import ReqcliText

/// A help page without layout. The help in the terminal and the man page are both made from this page.
struct HelpPage {
    struct Section {
        let title: String
        let blocks: [Block]
    }

    enum Block {
        case text(String)
        case usage(String)
        case example(Example)
        /// Labels with explanations, in columns.
        case entries([Entry], Columns)
    }

    /// A kind of entries. The explanations of all entries of one kind on a page begin in the same column.
    enum Columns {
        case commands
        case options
        case codes
    }

    struct Entry {
        let label: [LabelPart]
        let text: String
    }

    enum LabelPart: Equatable {
        /// Text to type as it is.
        case literal(String)
        /// A placeholder to replace.
        case placeholder(String)
        case plain(String)

        var text: String {
            switch self {
            case .literal(let text), .placeholder(let text), .plain(let text): text
            }
        }
    }

    let summary: String
    let sections: [Section]

    func entries(in columns: Columns) -> [Entry] {
        sections.flatMap(\.blocks).flatMap { block -> [Entry] in
            if case .entries(let entries, columns) = block { entries } else { [] }
        }
    }

    init(summary: String, sections: [Section?]) {
        self.summary = summary
        self.sections = sections.compactMap { $0 }.filter { !$0.blocks.isEmpty }
    }
}

extension HelpPage.Section {
    /// A section of entries; nil if there are none.
    init?(_ title: String, _ columns: HelpPage.Columns, _ entries: [HelpPage.Entry]) {
        guard !entries.isEmpty else { return nil }
        self.init(title: title, blocks: [.entries(entries, columns)])
    }

    init(_ section: TextSection) {
        self.init(title: section.title, blocks: [.text(section.text)])
    }

    init(examples: [Example]) {
        self.init(title: "Examples", blocks: examples.map { .example($0) })
    }
}

extension HelpPage {
    /// The overview on one screen: two calls, the commands, and where to read more.
    init(of program: ProgramSpec) {
        let commands = program.commandGroups.map { group in
            Section(group.title, .commands, group.commands.map { Entry(label: [.literal($0.name)], text: $0.summary) })
        }
        self.init(
            summary: program.summary,
            sections: [Section(examples: program.examples)] + commands
                + [
                    Section(
                        title: "",
                        blocks: [
                            .text(
                                "Help: \"\(program.name) COMMAND -h\". More: \"\(program.name) help COMMAND\", "
                                    + "\"\(program.name) help WORD\".")
                        ] + (program.furtherReading.isEmpty ? [] : [.text(program.furtherReading)]))
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
                + [
                    Section(
                        "Combinations", .options,
                        command.rules.map { Entry(label: [.literal($0.subject)], text: $0.predicate) })
                ]
                + command.sections.map { Section($0) }
                + [Section("Exit status", .codes, statuses), Self.furtherReading(program, command.page)])
    }

    static func optionSections(_ groups: [OptionGroup]) -> [Section?] {
        groups.map { group in
            Section(group.title, .options, group.options.map { Entry(label: $0.label, text: $0.explanation) })
        }
    }

    static func furtherReading(_ program: ProgramSpec, _ page: String? = nil) -> Section {
        let lines = [page.map { "More on this command: \(program.placeOfPage($0))." } ?? "", program.furtherReading]
        let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        return Section(title: "", blocks: text.isEmpty ? [] : [.text(text)])
    }
}

/// The subject of a help page.
package enum HelpSubject: Sendable {
    case program
    case command(CommandSpec)
    case topic(HelpTopic)
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

extension ProgramSpec {
    /// The text of help on one command, or the overview.
    package func help(for command: CommandSpec? = nil, width: Int, inColour: Bool = false) -> String {
        help(for: command.map { .command($0) } ?? .program, width: width, inColour: inColour)
    }

    /// The text of `help`, `--help` and, if it is short, of `-h`.
    package func help(for subject: HelpSubject, isShort: Bool = false, width: Int, inColour: Bool = false) -> String {
        let page =
            switch subject {
            case .program: HelpPage(of: self)
            case .command(let command): isShort ? HelpPage(short: command, in: self) : HelpPage(of: command, in: self)
            case .topic(let topic): topic.page(in: self)
            }
        return page.rendered(width: width, inColour: inColour)
    }
}
