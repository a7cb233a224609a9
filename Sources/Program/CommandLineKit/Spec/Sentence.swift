import ReqcliBasics
import ReqcliText

/// Phrases for messages and help.
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

/// A typed word in quotes, safe to show.
func quoted(_ word: String) -> String {
    "\"\(harmless(word))\""
}

/// A typed word, safe to show and shortened if it is very long.
func harmless(_ word: String) -> String {
    TerminalText.truncated(TerminalText.harmless(word), to: 200)
}
