import ReqcliText

@testable import CommandLineKit

/// The page of all commands and options, made from the specs that the parser and `--help` use.
struct CommandReference {
    let program: ProgramSpec

    var markdown: String {
        let shared = (program.globalGroups + [program.standardOptions]).map { "## \($0.title)\n\n\(list(of: $0))" }
        let pages = program.commandGroups.flatMap(\.commands).map(page)
        let text =
            ["# Commands and options\n\n<!-- Written by `make docs` from the program's own descriptions. -->"]
            + ["\(program.name) [OPTION ...] COMMAND [ARGUMENT ...]. Options can be given before or after the command."]
            + ["| command | what it does |\n|---|---|\n\(rows)"]
            + shared + pages
        return text.joined(separator: "\n\n") + "\n"
    }

    private var rows: String {
        program.commandGroups.flatMap(\.commands).map { command in
            "| [`\(program.name) \(command.name)`](#\(program.name)-\(command.name)) | \(command.summary) |"
        }.joined(separator: "\n")
    }

    private func page(of command: CommandSpec) -> String {
        let sharedTitles = (program.globalGroups + [program.standardOptions]).map(\.title)
        let page = HelpPage(of: command, in: program)
        let sections = page.sections.filter { !$0.title.isEmpty && !sharedTitles.contains($0.title) }
        return (["## \(program.name) \(command.name)", "\(command.summary)."] + sections.map(section))
            .joined(separator: "\n\n")
    }

    private func section(_ section: HelpPage.Section) -> String {
        let title = section.title == "Usage" ? "" : "**\(section.title)**\n\n"
        return title + section.blocks.map(block).joined(separator: "\n")
    }

    private func block(_ block: HelpPage.Block) -> String {
        switch block {
        case .text(let text): paragraphs(text)
        case .usage(let usage): "`\(usage)`"
        case .example(let example): "- \(Self.plain(example.meaning)): `\(example.line.replacing("\n", with: "`, `"))`"
        case .entries(let entries, _):
            entries.map { entry in
                "- `\(Self.label(of: entry))`: \(Self.plain(entry.text).replacing("\n  ", with: "\n  - "))"
            }.joined(separator: "\n")
        }
    }

    /// The label, each name as code, with both names of a toggle.
    private static func label(of entry: HelpPage.Entry) -> String {
        String(entry.label.map(\.text).joined().drop { $0 == " " })
            .replacing(/--\[no-\]([a-z-]+)/) { "--\($0.1), --no-\($0.1)" }.replacing(", -", with: "`, `-")
    }

    private func list(of group: OptionGroup) -> String {
        self.block(
            .entries(HelpPage.optionSections([group]).compactMap { $0 }.flatMap(\.blocks).flatMap(\.entries), .options))
    }

    /// Text whose indented lines keep their form.
    private func paragraphs(_ text: String) -> String {
        var lines: [String] = []
        var isInBlock = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isIndented = line.hasPrefix(" ")
            if isIndented != isInBlock { lines.append(isIndented ? "```text" : "```") }
            isInBlock = isIndented
            lines.append(isIndented ? String(line) : Self.plain(String(line)))
        }
        return (lines + (isInBlock ? ["```"] : [])).joined(separator: "\n")
    }

    /// Text in which Markdown finds no marks of its own.
    private static func plain(_ text: String) -> String {
        var result = ""
        for character in text {
            if "*_<>|[]\\`".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}

extension HelpPage.Block {
    fileprivate var entries: [HelpPage.Entry] { if case .entries(let entries, _) = self { entries } else { [] } }
}
