import ReqcliText

/// A shell that has a completion script.
package enum CompletionShell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
}

extension Completions {
    /// The reply, in the format that the completion scripts read. The first line holds the kind of candidates (`words`, `files`
    /// or `directories`) and the prefix. Each further line holds a candidate and, after a tab, its explanation.
    package func reply(to shell: CompletionShell, typed: String) -> String {
        // bash shows every candidate that it gets. The other shells filter the candidates, and some ignore case.
        let rest = typed.utf8.dropFirst(prefix.utf8.count)
        let offered = answer.candidates.filter { shell != .bash || $0.text.utf8.starts(with: rest) }
        let lines = offered.filter { Self.isOneLine($0.text) }.map { candidate in
            let summary = TerminalText.harmless(candidate.summary)
            return summary.isEmpty ? candidate.text : "\(candidate.text)\t\(summary)"
        }
        let header = Self.isOneLine(prefix) ? "\(answer.paths.rawValue)\t\(prefix)" : "words\t"
        return ([header] + lines).map { $0 + "\n" }.joined()
    }

    /// Whether a word has no control characters. A control character would break the reply's lines or reach the terminal.
    private static func isOneLine(_ text: String) -> Bool {
        TerminalText.harmless(text) == text
    }
}

extension CompletionEngine {
    /// Answers a script's call `__complete SHELL INDEX WORD...`, given the words after `__complete`. The result is empty for a
    /// malformed call. The shell hasn't expanded the words, so this function replaces `~/` with `home`.
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
