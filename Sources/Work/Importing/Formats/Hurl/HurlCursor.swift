import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText

/// Reads the small parts of a Hurl file: lines, keys, values, quoted texts.
struct HurlCursor {
    let file: SourceFile
    var position = 0
    private(set) var notes: [ConversionNote] = []

    init(_ file: SourceFile) {
        self.file = file
        if file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private var bytes: [UInt8] { file.bytes }
    var isAtEnd: Bool { position >= bytes.count }

    func byte(_ ahead: Int = 0) -> UInt8? {
        position + ahead < bytes.count ? bytes[position + ahead] : nil
    }

    func place(from start: Int) -> Place { Place(file, start..<max(start, min(position, bytes.count))) }

    func problem(_ message: String, at start: Int, hint: String? = nil) -> ImportProblem {
        let end = file.lineRange(containing: start).upperBound
        return ImportProblem(message, at: Place(file, start..<max(start, end)), hint: hint)
    }

    mutating func lose(_ message: String, _ detail: String? = nil, from start: Int) {
        notes.append(ConversionNote(.lost, message, detail, at: place(from: start)))
    }

    // MARK: Lines

    mutating func skipSpaces() {
        while let next = byte(), next.isSpaceOrTab { position += 1 }
    }

    var isAtLineEnd: Bool {
        switch byte() {
        case nil, .lineFeed: true
        case .carriageReturn: byte(1) == .lineFeed || byte(1) == nil
        default: false
        }
    }

    /// Goes to the next line.
    mutating func skipLine() {
        while let next = byte() {
            position += 1
            if next == .lineFeed { return }
        }
    }

    /// Goes to the next line that is neither empty nor a comment.
    ///
    /// - Returns: The comment in the lines right before this line.
    @discardableResult
    mutating func skipBlankLines() -> String? {
        var comment: [String] = []
        while true {
            let start = position
            skipSpaces()
            if byte() == UInt8(ascii: "#") {
                let text = rawLine().drop { $0 == "#" }
                comment.append(String(text).trimmed)
            } else if isAtEnd || !isAtLineEnd {
                position = start
                skipSpaces()
                return comment.isEmpty ? nil : comment.joined(separator: "\n")
            } else {
                comment = []
            }
            skipLine()
            if isAtEnd { return nil }
        }
    }

    private func rawLine() -> String {
        file.text(position..<file.lineRange(containing: position).upperBound)
    }

    /// Whether the rest of the source begins with a text.
    func begins(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// Whether the line begins with a template and a colon. If so, the template is a name, not a body.
    var beginsWithTemplateName: Bool {
        guard begins(with: "{{") else { return false }
        let line = file.text(position..<min(file.lineRange(containing: position).upperBound, position + 1024))
        guard let close = line.firstRange(of: "}}") else { return false }
        return line[close.upperBound...].drop { $0 == " " || $0 == "\t" }.hasPrefix(":")
    }

    /// Whether the line begins with a text in quotes and a colon.
    var beginsWithQuotedName: Bool {
        guard byte() == .quote else { return false }
        let line = file.text(position + 1..<min(file.lineRange(containing: position).upperBound, position + 1024))
        guard let close = line.firstIndex(of: "\"") else { return false }
        return line[close...].dropFirst().drop { $0 == " " || $0 == "\t" }.hasPrefix(":")
    }

    // MARK: Texts

    /// The text up to a byte that ends the text. Templates and escapes are resolved. Stops at a comment unless `commentEnds` is
    /// false.
    mutating func template(until isEnd: (UInt8) -> Bool, commentEnds: Bool = true) throws(ImportProblem) -> TemplateText
    {
        var text = TemplateText([])
        var literal: [UInt8] = []
        while let next = byte(), !isAtLineEnd, !isEnd(next), !(commentEnds && next == UInt8(ascii: "#")) {
            if begins(with: "{{"), let piece = try placeholder() {
                text.append(.literal(String(decoding: literal, as: UTF8.self)))
                literal = []
                text.append(piece)
            } else if next == .backslash {
                try appendEscape(to: &literal)
            } else {
                literal.append(next)
                position += 1
            }
        }
        text.append(.literal(String(decoding: literal, as: UTF8.self)))
        return text
    }

    /// A template in braces. Throws if the braces don't close on this line.
    private mutating func placeholder() throws(ImportProblem) -> TemplateText.Piece? {
        let start = position
        var end = start + 2
        while end + 1 < bytes.count, bytes[end] != .lineFeed {
            if bytes[end] == .closeBrace, bytes[end + 1] == .closeBrace {
                position = end + 2
                return meaning(of: file.text(start + 2..<end), from: start)
            }
            end += 1
        }
        throw problem(
            "this template is never closed", at: start,
            hint: "close the template with \"}}\", or write \"\\{\\{\" for two braces")
    }

    /// The functions for filters of Hurl that need no argument.
    private static let filters = [
        "urlEncode": "url", "urlDecode": "fromURL", "base64Encode": "base64", "base64Decode": "fromBase64 | utf8",
        "base64UrlSafeEncode": "base64url", "base64UrlSafeDecode": "fromBase64 | utf8", "toString": "text",
        "first": "first", "last": "last", "count": "length",
    ]

    /// Converts the text between braces.
    mutating func meaning(of content: String, from start: Int) -> TemplateText.Piece {
        let words = content.split { $0 == " " || $0 == "\t" }
        let name = words.first.map(String.init) ?? ""
        if name == "getEnv", words.count == 2 {
            let variable = words[1].filter { $0 != "\"" && $0 != "'" }
            if variable.isVariableName { return .placeholder("$env.\(variable)") }
        }
        let generated = GeneratedNames.hurl.placeholder(named: name)
        let clean = generated ?? ParamNames.clean(name)
        let filters = words.dropFirst().compactMap { Self.filters[String($0)] }
        let pipeline = ([clean] + filters).joined(separator: " | ")
        if clean == generated ?? name, !filters.isEmpty, filters.count == words.count - 1,
            Pipeline.reading(pipeline) != nil
        {
            return .placeholder(pipeline)
        }
        if words.count > 1 || clean != generated ?? name {
            lose("the filters and functions of a template are not converted", clean, from: start)
        }
        return .placeholder(clean)
    }

    /// A text of several lines, which may contain templates.
    mutating func template(in range: Range<Int>) -> TemplateText {
        var copy = self
        defer { self = copy }
        return TemplateText(braced: file.text(range)) { copy.meaning(of: $0, from: range.lowerBound) }
    }

    private mutating func appendEscape(to literal: inout [UInt8]) throws(ImportProblem) {
        let start = position
        position += 1
        guard let next = byte(), !isAtLineEnd else { throw problem("a line ends with a backslash", at: start) }
        position += 1
        switch next {
        case UInt8(ascii: "n"): literal.append(.lineFeed)
        case UInt8(ascii: "r"): literal.append(.carriageReturn)
        case UInt8(ascii: "t"): literal.append(.tab)
        case UInt8(ascii: "b"): literal.append(0x08)
        case UInt8(ascii: "f"): literal.append(0x0C)
        case UInt8(ascii: "u") where byte() == .openBrace:
            var end = position + 1
            while end < bytes.count, bytes[end].hexValue != nil, end - position < 8 { end += 1 }
            guard end < bytes.count, bytes[end] == .closeBrace,
                let scalar = UInt32(file.text(position + 1..<end), radix: 16).flatMap(Unicode.Scalar.init)
            else {
                throw problem(
                    "this is not a valid character escape", at: start, hint: "write an escape such as \"\\u{1F600}\"")
            }
            literal += String(Character(scalar)).utf8
            position = end + 1
        default: literal.append(next)
        }
    }

    /// A text between quotes, or between single backquotes, on one line. The cursor is at the opening quote or backquote.
    mutating func quoted() throws(ImportProblem) -> TemplateText {
        let start = position
        let quote = bytes[position]
        position += 1
        let text = try template(until: { $0 == quote }, commentEnds: false)
        guard byte() == quote else { throw problem("a quoted string is not closed on its line", at: start) }
        position += 1
        return text
    }

    /// The range of the text up to a mark. Moves the cursor to the position after the mark.
    mutating func range(until mark: String, of what: String, from start: Int) throws(ImportProblem) -> Range<Int> {
        let begin = position
        let mark = Array(mark.utf8)
        while position < bytes.count {
            if bytes[position] == mark[0], bytes[position...].starts(with: mark) {
                defer { position += mark.count }
                return begin..<position
            }
            position += 1
        }
        position = bytes.count
        throw problem("\(what) is never closed", at: start)
    }
}
