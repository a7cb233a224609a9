/// A help page without layout. The terminal and the man page show the same page.
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

    /// A kind of entries. All entries of one kind on a page have their explanations in the same column.
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
