/// An option of another program that people type out of habit, with the equivalent here.
package struct ForeignOption: Sendable {
    let program: String
    /// The spellings, with their dashes.
    let spellings: [String]
    /// The option of this program that does the same. The advice is given only for commands that have this option. If nil, the
    /// advice is given for all commands.
    let option: String?
    /// The advice, which follows "for curl's -d": `write --body TEXT`.
    let advice: String

    package init(of program: String, _ spellings: [String], option: String? = nil, advice: String) {
        self.program = program
        self.spellings = spellings
        self.option = option
        self.advice = advice
    }

    func hint(for spelling: String) -> String { "for \(program)'s \(spelling) \(advice)" }
}
