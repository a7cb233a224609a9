import TerminalText

/// A shell there are completions for.
package enum CompletionShell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
}

extension Completions {
    /// What the script of a shell reads: a line that says what is offered (`words`, `files` or `directories`) and
    /// what of the word is settled, then a line for each candidate, its explanation after a tab.
    package func reply(to shell: CompletionShell, typed: String) -> String {
        // The others match in their own ways, some without regard to case; bash takes what it gets.
        let rest = typed.utf8.dropFirst(prefix.utf8.count)
        let offered = answer.candidates.filter { shell != .bash || $0.text.utf8.starts(with: rest) }
        let lines = offered.filter { Self.isOneLine($0.text) }.map { candidate in
            let summary = TerminalText.harmless(candidate.summary)
            return summary.isEmpty ? candidate.text : "\(candidate.text)\t\(summary)"
        }
        let header = Self.isOneLine(prefix) ? "\(answer.paths.rawValue)\t\(prefix)" : "words\t"
        return ([header] + lines).map { $0 + "\n" }.joined()
    }

    /// A control character in a word would end its line, or reach the terminal.
    private static func isOneLine(_ text: String) -> Bool {
        TerminalText.harmless(text) == text
    }
}

extension CompletionEngine {
    /// Answers a script's call, `__complete SHELL INDEX WORD...`, given the words after `__complete`; nothing for
    /// a call that no script makes. The shell hasn't expanded the words, so `~/` is done here, with `home`.
    package func reply(toCall words: [String], home: String?) -> String {
        guard words.count >= 2, let shell = CompletionShell(rawValue: words[0]), let index = Int(words[1]) else {
            return ""
        }
        var line = Array(words.dropFirst(2))
        let typed = line.indices.contains(index) ? line[index] : ""
        if let home {
            for other in line.indices where other != index && line[other].hasPrefix("~/") {
                line[other] = home + line[other].dropFirst()
            }
        }
        return completions(of: line, at: index).reply(to: shell, typed: typed)
    }
}
