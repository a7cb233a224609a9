import ReqcliBasics

extension Redactor.Secret {
    /// Whether text often contains the value by chance, because the value is shorter than four characters or an ordinary word.
    /// Such a value is masked only as a whole word: with the password `a`, nearly every word would be masked otherwise.
    package var isCommon: Bool {
        let value = value.trimmingSpacesAndTabs
        return value.count < 4 || value.utf8.count <= Self.longestWord && Self.words.contains(value.lowercased())
    }

    private static let longestWord = 12
    /// Values that are often used as dummy secrets while a workspace is written or tested.
    private static let words: Set<String> = [
        "admin", "default", "demo", "dummy", "example", "false", "guest", "hello", "json", "local", "localhost",
        "login",
        "none", "null", "pass", "password", "root", "secret", "test", "testing", "token", "true", "user", "value",
    ]
}

extension [UInt8] {
    /// Whether a range is a whole word, with no letter, digit or underscore next to it. An escape next to it, such as `\n` or
    /// `%20`, also ends a word.
    func isWord(_ range: Range<Int>) -> Bool {
        if range.upperBound < count, self[range.upperBound].isOfWord { return false }
        guard range.lowerBound > 0, self[range.lowerBound - 1].isOfWord else { return true }
        return hasEscape(endingAt: range.lowerBound)
    }

    private func hasEscape(endingAt end: Int) -> Bool {
        func opens(_ length: Int, _ opening: String) -> Bool {
            end >= length && self[(end - length)...].starts(with: opening.utf8)
        }
        func isNumber(_ digits: Int) -> Bool { self[(end - digits)..<end].allSatisfy { $0.hexValue != nil } }
        if opens(2, "\\"), "bfnrt".utf8.contains(self[end - 1]) { return true }
        return opens(3, "%") && isNumber(2) || opens(6, "\\u") && isNumber(4)
    }
}

extension UInt8 {
    /// Whether the byte is part of a word: an ASCII letter or digit, `_`, or a byte of a character beyond ASCII.
    fileprivate var isOfWord: Bool { isAlphanumeric || self == UInt8(ascii: "_") || self >= 0x80 }
}
