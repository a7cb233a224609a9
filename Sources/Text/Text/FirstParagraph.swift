import ReqcliBasics

extension String {
    /// The first paragraph of a Markdown or HTML text, on one line, without heading marks and tags. The paragraph ends at the first
    /// empty line, or at the end of an element such as `<p>`.
    package var firstParagraph: String {
        var words: [Substring] = []
        for line in withoutHTML.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let parts = line.drop { $0.isWhitespace || $0 == "#" }.split { $0.isWhitespace }
            if parts.isEmpty, !words.isEmpty { break }
            words += parts
        }
        return words.joined(separator: " ")
    }

    /// The text without HTML: tags are removed, and references to characters are replaced by the characters.
    private var withoutHTML: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return self }
        var plain = ""
        var rest = self[...]
        while let mark = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
            plain += rest[..<mark]
            rest = rest[mark...]
            if let tag = HTMLTag(at: rest) {
                plain += tag.separator
                rest = rest[tag.end...]
            } else if let reference = HTMLReference(at: rest) {
                plain += reference.text
                rest = rest[reference.end...]
            } else {
                plain.unicodeScalars.append(rest.unicodeScalars.removeFirst())
            }
        }
        return plain + rest
    }
}

/// A tag such as `<p>`, `</b>` or `<br/>`. Other words in angle brackets, such as `<token>`, are text.
private struct HTMLTag {
    let end: String.Index
    /// The text in place of the tag, which keeps the text before it apart from the text after it.
    let separator: String

    init?(at text: Substring) {
        guard text.utf8.first == UInt8(ascii: "<"),
            let close = text.utf8.dropFirst().firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }),
            text.utf8[close] == UInt8(ascii: ">")
        else { return nil }
        let inner = text[text.utf8.index(after: text.startIndex)..<close].utf8
        let name = String(
            decoding: inner.drop { $0 == UInt8(ascii: "/") }.prefix(while: \.isAlphanumeric), as: UTF8.self
        )
        .lowercased()
        guard let separator = Self.separators[name] else { return nil }
        self.separator = separator
        end = text.utf8.index(after: close)
    }

    private static let separators: [String: String] = {
        let blocks = "p div h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote hr section details"
        let lines = "br li tr td th dt dd summary"
        let inline =
            "a b i u em strong code span img sup sub small font tt kbd s strike del ins mark tbody thead center cite var abbr"
        var all: [String: String] = [:]
        for (names, separator) in [(blocks, "\n\n"), (lines, "\n"), (inline, "")] {
            for name in names.split(separator: " ") { all[String(name)] = separator }
        }
        return all
    }()
}

/// A reference to a character, such as `&amp;` or `&#8217;`.
private struct HTMLReference {
    let end: String.Index
    let text: String

    init?(at text: Substring) {
        let bytes = text.utf8.prefix(12)
        guard bytes.first == UInt8(ascii: "&"), let close = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = text[text.utf8.index(after: text.startIndex)..<close]
        guard let found = Self.text(of: name) else { return nil }
        self.text = found
        end = text.utf8.index(after: close)
    }

    private static func text(of name: Substring) -> String? {
        guard name.hasPrefix("#") else { return names[String(name)] }
        let digits = name.dropFirst()
        let code = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        // A control character has no place in a description.
        guard let code, code >= 0x20, code != 0x7F, let scalar = Unicode.Scalar(code) else { return nil }
        return String(scalar)
    }

    private static let names = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "mdash": "—", "ndash": "–",
        "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "copy": "©", "reg": "®", "trade": "™",
        "times": "×", "rarr": "→", "larr": "←", "bull": "•", "middot": "·", "deg": "°", "euro": "€", "pound": "£",
        "auml": "ä", "ouml": "ö", "uuml": "ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç",
    ]
}
