import TerminalText

/// Phrases that messages and help are built from.
package enum Sentence {
    /// `a, b or c`
    package static func alternatives(_ words: [String]) -> String { joined(words, "or") }

    /// `a, b and c`
    static func list(_ words: [String]) -> String { joined(words, "and") }

    private static func joined(_ words: [String], _ conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return Array(words.dropLast()).joined(separator: ", ") + " \(conjunction) " + last
    }
}

/// A word that was typed, in quotes and safe to show.
func quoted(_ word: String) -> String {
    "\"\(harmless(word))\""
}

/// A word that was typed, safe to show and no longer than a person reads.
func harmless(_ word: String) -> String {
    TerminalText.truncated(TerminalText.harmless(word), to: 200)
}
