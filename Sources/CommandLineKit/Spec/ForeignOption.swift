/// An option of another program that people type out of habit, and how to say the same here.
package struct ForeignOption: Sendable {
    let program: String
    /// With their dashes.
    let spellings: [String]
    /// The option of ours that does it; the advice is given where there is that option. Nil for advice that always holds.
    let option: String?
    /// Follows "for curl's -d": `write --body TEXT`.
    let advice: String

    package init(of program: String, _ spellings: [String], option: String? = nil, advice: String) {
        self.program = program
        self.spellings = spellings
        self.option = option
        self.advice = advice
    }

    func hint(for spelling: String) -> String { "for \(program)'s \(spelling) \(advice)" }
}
