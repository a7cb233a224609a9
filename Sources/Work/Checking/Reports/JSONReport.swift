import ReqcliText

/// The run as JSON. `docs/reference/reports.md` describes the format. A change that could break programs that read the report gets a new
/// version.
struct JSONReport: Report {
    static let format = "reqcli.check"
    static let version = 1

    /// Control characters are escaped even where JSON doesn't require this, because a terminal would obey such characters.
    func text(of run: RunResult) -> String {
        let plain = OrderedJSON.object(RunResult.table.members(of: run)).pretty.withoutCommands + "\n"
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
