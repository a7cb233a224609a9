import ReqcliBasics
import ReqcliText

/// Reads the ranges and alternatives of a URL.
struct CurlGlobReader {
    private let word: ShellWord
    private var index: ShellWord.Index
    private var found: [CurlURL.Piece] = []
    private(set) var problems: [Diagnostic] = []

    /// Collects a text without the backslashes that escape brackets.
    private struct Text {
        var parts: [ShellWord.Part] = []
        /// The start of the text that isn't in `parts` yet.
        var start: ShellWord.Index
        let first: ShellWord.Index

        init(at index: ShellWord.Index) { (start, first) = (index, index) }

        mutating func skipEscape(at index: ShellWord.Index, of word: ShellWord) {
            parts += ShellWord(word[start..<index]).parts
            start = word.index(after: index)
        }

        func word(to end: ShellWord.Index, of word: ShellWord) -> ShellWord {
            ShellWord(parts + ShellWord(word[start..<end]).parts, at: word.place(of: first..<end))
        }
    }

    init(_ word: ShellWord) {
        self.word = word
        index = word.startIndex
    }

    mutating func pieces() -> [CurlURL.Piece] {
        var text = Text(at: index)
        while index < word.endIndex {
            switch word[index] {
            case .backslash where next.map(Self.isBracket) == true:
                text.skipEscape(at: index, of: word)
                index = word.index(index, offsetBy: 2)
            case .openBrace, .openBracket:
                if skipLiteralBrackets() { continue }
                add(text)
                if word[index] == .openBrace { readAlternatives() } else { readRange() }
                text = Text(at: index)
            case .closeBrace, .closeBracket:
                report(
                    "found a closing bracket without an opening bracket",
                    at: word.place(of: index..<word.index(after: index)))
                index = word.index(after: index)
            default: index = word.index(after: index)
            }
        }
        add(text)
        return found.isEmpty ? [.text(word)] : found
    }

    private mutating func add(_ text: Text) {
        let piece = text.word(to: index, of: word)
        if !piece.isEmpty { found.append(.text(piece)) }
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        byte == .openBrace || byte == .closeBrace || byte == .openBracket || byte == .closeBracket
    }

    /// The byte after the current byte; nil for a variable, and at the end.
    private var next: UInt8? {
        let behind = word.index(after: index)
        return behind < word.endIndex ? word[behind] : nil
    }

    /// Skips `[]`, and the brackets of an address such as `[::1]`.
    private mutating func skipLiteralBrackets() -> Bool {
        guard word[index] == .openBracket else { return false }
        let content = word[word.index(after: index)...].prefix(126)
        guard let close = content.firstIndex(of: .closeBracket) else { return false }
        let address = content[..<close]
        let isAddress =
            address.count { $0 == .colon } > 1 && address.prefix(2).allSatisfy { $0?.hexValue != nil || $0 == .colon }
        guard address.isEmpty || isAddress && !address.contains(.minus) else { return false }
        index = word.index(after: close)
        return true
    }

    /// Reads `{one,two}`.
    private mutating func readAlternatives() {
        let start = index
        index = word.index(after: index)
        skipName()
        var alternatives: [ShellWord] = []
        var text = Text(at: index)
        while index < word.endIndex {
            switch word[index] {
            case .backslash where word.index(after: index) < word.endIndex:
                text.skipEscape(at: index, of: word)
                index = word.index(after: index)
            case .comma, .closeBrace:
                let isEnd = word[index] == .closeBrace
                alternatives.append(text.word(to: index, of: word))
                index = word.index(after: index)
                if isEnd { return finish(alternatives, from: start) }
                text = Text(at: index)
                continue
            case .openBrace, .openBracket, .closeBracket:
                let place = word.place(of: index..<word.index(after: index))
                index = word.endIndex
                return report("found a bracket inside the alternatives", at: place)
            default: break
            }
            index = word.index(after: index)
        }
        report("this \"{\" is never closed", at: word.place(of: start..<word.index(after: start)))
    }

    private mutating func finish(_ alternatives: [ShellWord], from start: ShellWord.Index) {
        let place = word.place(of: start..<index)
        if alternatives.count == 1, alternatives[0].isEmpty { return report("found empty alternatives", at: place) }
        found.append(.alternatives(alternatives, at: place))
    }

    /// Reads `[1-9]`, `[001-100:10]` or `[a-z:2]`.
    private mutating func readRange() {
        let start = index
        index = word.index(after: index)
        skipName()
        let content = word[index...].prefix(64)
        guard let close = content.firstIndex(of: .closeBracket), let text = ShellWord(content[..<close]).text else {
            index = word.endIndex
            return report("this \"[\" is never closed", at: word.place(of: start..<word.index(after: start)))
        }
        index = word.index(after: close)
        let place = word.place(of: start..<index)
        guard let range = range(text, at: place) else {
            return report("\"[\(text)]\" is not a range", at: place)
        }
        found.append(range)
    }

    private func range(_ text: String, at place: Place) -> CurlURL.Piece? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let step = parts.count == 2 ? number(parts[1]) : 1
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, let step, step > 0, bounds.count == 2 else { return nil }
        let (first, last) = (bounds[0], bounds[1].drop { $0 == " " || $0 == "\t" })
        if let low = number(first), let high = number(last), low <= high, step <= max(high - low, 1) {
            let width = first.first == "0" ? first.utf8.count : 0
            return .numbers(low...high, step: step, width: width, at: place)
        }
        guard let low = first.utf8.first, let high = last.utf8.first, low.isLetter, high.isLetter, low <= high,
            first.utf8.count == 1, last.utf8.count == 1, step <= max(Int(high - low), 1), high - low < 26
        else { return nil }
        return .letters(low...high, step: step, at: place)
    }

    private func number(_ text: Substring) -> Int? { text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil }

    /// Skips the `<name>` that curl 8.16 allows at the beginning.
    private mutating func skipName() {
        guard index < word.endIndex, word[index] == UInt8(ascii: "<"),
            let end = word[index...].prefix(66).firstIndex(of: UInt8(ascii: ">"))
        else { return }
        index = word.index(after: end)
    }

    private mutating func report(_ message: String, at place: Place) {
        problems.append(
            Diagnostic(
                code: .curlURL, message, at: place,
                hint: "pass -g if the brackets are part of the URL, or write a backslash before each bracket"))
    }
}
