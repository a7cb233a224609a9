import NearNames

extension OptionTable {
    /// The hint for an option (`--name` or `-n`) that isn't in the table.
    func hint(forUnknown spelling: String, in program: ProgramSpec) -> String? {
        let foreign = program.foreignOptions.first { $0.spellings.contains(spelling) }
        if let foreign, foreign.option.map(has(long:)) ?? true { return foreign.hint(for: spelling) }
        guard spelling.utf8.starts(with: "--".utf8) else { return hint(forUnknownLetter: spelling.last, in: program) }
        let name = String(spelling.dropFirst(2))
        let owners = program.commands { $0.spellings.contains(name) }
        if !owners.isEmpty { return belongs(to: owners) }
        return NearNames.question(NearNames.nearest(to: name, among: longNames).map { "--\($0)" })
    }

    private func hint(forUnknownLetter letter: Character?, in program: ProgramSpec) -> String? {
        let owners = program.commands { $0.short == letter }
        if !owners.isEmpty { return belongs(to: owners) }
        // The letter is a digit, as in a negative number.
        return letter?.isNumber == true ? "to pass it as an argument, put \"--\" before it" : nil
    }

    private func belongs(to commands: [String]) -> String {
        "it is an option of \(Sentence.alternatives(commands.map { "\"\($0)\"" }))"
    }
}
