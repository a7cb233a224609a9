/// `1 endpoint`, `2 endpoints`
func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Quotes a word for POSIX shells and fish, in lines that are meant to be pasted.
enum ShellQuoting {
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:@+".utf8)

    static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.utf8.allSatisfy(plain.contains), !word.hasPrefix("=") { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    static func line(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }
}
