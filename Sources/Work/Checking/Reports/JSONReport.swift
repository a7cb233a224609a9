import ReqcliText

/// The run as JSON. `docs/reference/reports.md` describes the format. A change that could break programs that read the report gets a new
/// version.
struct JSONReport: Report {
    static let format = "reqcli.check"
    static let version = 1

    func write(_ run: RunResult, to write: (String) -> Void) {
        var separator = "{\n  "
        for member in RunResult.table.members(of: run) {
            write("\(separator)\(JSONStringText.quoted(member.name)): ")
            separator = ",\n  "
            // The table leaves the lists of cases empty, because they may be long.
            switch member.name {
            case "cases": Self.write(run.wholeCases.lazy.filter { !$0.isScenario }, write)
            case "scenarios": Self.write(run.wholeCases.lazy.filter(\.isScenario), write)
            default: write(Self.harmless(member.value.pretty(indent: 1)))
            }
        }
        write("\n}\n")
    }

    private static func write(_ cases: some Sequence<CaseResult>, _ write: (String) -> Void) {
        var separator = "[\n    "
        for each in cases {
            write(separator + harmless(OrderedJSON.object(CaseResult.table.members(of: each)).pretty(indent: 2)))
            separator = ",\n    "
        }
        write(separator.hasPrefix("[") ? "[]" : "\n  ]")
    }

    /// Control characters are escaped even where JSON doesn't require this, because a terminal would obey such characters.
    private static func harmless(_ text: String) -> String {
        let plain = text.withoutCommands
        if plain.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return plain }
        var text = String.UnicodeScalarView()
        for scalar in plain.unicodeScalars {
            if (0x20..<0x7F).contains(scalar.value) || scalar == "\n"
                || TerminalText.harmless(String(scalar)).unicodeScalars.first == scalar
            {
                text.append(scalar)
            } else {
                text += JSONStringText.unicodeEscape(scalar.value).unicodeScalars
            }
        }
        return String(text)
    }
}
