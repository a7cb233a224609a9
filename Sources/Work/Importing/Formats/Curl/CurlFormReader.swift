import ReqcliBasics
import ReqcliText

/// Reads the value of `-F`: `name=content;type=…`, `name=@file`, `name=<file`.
struct CurlFormReader {
    private let word: ShellWord
    private let isLiteral: Bool
    private let place: Place
    private var index: ShellWord.Index
    private(set) var problems: [Diagnostic] = []

    init(_ word: ShellWord, isLiteral: Bool, at place: Place) {
        (self.word, self.isLiteral, self.place) = (word, isLiteral, place)
        index = word.startIndex
    }

    private var byte: UInt8? { index < word.endIndex ? word[index] : nil }

    /// The part of the form. If the value names several files, there is a part for each file.
    mutating func parts() -> [CurlFormPart] {
        guard let sign = word.firstIndex(of: UInt8(ascii: "=")) else {
            report(.error, "found a part of a form without \"=\"", hint: "write -F 'name=content'")
            return []
        }
        let name = ShellWord(word[..<sign])
        index = word.index(after: sign)
        if isLiteral { return [CurlFormPart(name: name, content: .text(ShellWord(word[index...])), place: place)] }
        switch byte {
        case UInt8(ascii: "("),
            UInt8(ascii: ")") where name.isEmpty:
            report(.error, "forms inside a form cannot be read", hint: "give each part its own -F option")
            return []
        case UInt8(ascii: "@"): return uploads(name)
        case UInt8(ascii: "<"):
            index = word.index(after: index)
            return [part(name, end: nil) { .contentOfFile($0) }]
        default: return [part(name, end: nil) { .text($0) }]
        }
    }

    private mutating func uploads(_ name: ShellWord) -> [CurlFormPart] {
        var parts: [CurlFormPart] = []
        repeat {
            index = word.index(after: index)
            parts.append(part(name, end: .comma) { .upload($0) })
        } while index < word.endIndex
        if parts.count > 1 {
            report(
                .warning,
                "curl puts these files into one nested part; the endpoint sends \(parts.count) separate parts",
                hint: "most servers expect a part for each file")
        }
        return parts
    }

    /// Reads the content and the fields after it.
    private mutating func part(
        _ name: ShellWord, end: UInt8?, _ content: (ShellWord) -> CurlFormPart.Content
    ) -> CurlFormPart {
        var part = CurlFormPart(name: name, content: content(value(until: end)), place: place)
        while byte == UInt8(ascii: ";") {
            index = word.index(after: index)
            skipSpaces()
            let start = index
            if skip("type=") {
                part.type = type(until: end)
            } else if skip("filename=") {
                part.filename = value(until: end)
            } else if skip("encoder=") {
                part.encoder = value(until: end)
            } else if skip("headers=") {
                if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "<") {
                    report(.error, "headers in a file cannot be read", hint: "write \";headers=\\\"Name: value\\\"\"")
                }
                part.headers.append(value(until: end))
            } else {
                _ = value(until: end)
                let unknown = ShellWord(word[start..<index])
                if !unknown.isEmpty {
                    report(
                        .warning, "curl leaves out \";\(unknown.description)\"", at: unknown.place,
                        hint: "put the content into double quotes, or use --form-string")
                }
            }
        }
        return part
    }

    /// A value, up to a semicolon or the end byte, without quotes and the whitespace around it.
    private mutating func value(until end: UInt8?) -> ShellWord {
        skipSpaces()
        let start = index
        if byte == .quote, let quoted = quotedValue(until: end) { return quoted }
        index = start
        skip(until: end)
        return trimmed(start..<index)
    }

    private mutating func quotedValue(until end: UInt8?) -> ShellWord? {
        index = word.index(after: index)
        let start = index
        var escapes: [ShellWord.Index] = []
        while index < word.endIndex, byte != .quote {
            let next = word.index(after: index)
            if byte == .backslash, next < word.endIndex, word[next] == .backslash || word[next] == .quote {
                escapes.append(index)
                index = next
            }
            index = word.index(after: index)
        }
        guard index < word.endIndex else { return nil }
        let close = index
        skip(until: end)
        // The text without the backslashes of escapes.
        var parts: [ShellWord.Part] = []
        var from = start
        for escape in escapes {
            parts += ShellWord(word[from..<escape]).parts
            from = word.index(after: escape)
        }
        return ShellWord(parts + ShellWord(word[from..<close]).parts, at: word.place(of: start..<close))
    }

    /// A content type with its parameters. The parameters also begin with semicolons, so the type ends at the first field that
    /// isn't a parameter of a type.
    private mutating func type(until end: UInt8?) -> ShellWord {
        skipSpaces()
        let start = index
        skip(until: end)
        while byte == UInt8(ascii: ";") {
            let semicolon = index
            index = word.index(after: index)
            skipSpaces()
            let isField = ["filename=", "encoder=", "headers="].contains { startsField($0) }
            if isField {
                index = semicolon
                break
            }
            skip(until: end)
        }
        return trimmed(start..<index)
    }

    private func trimmed(_ range: Range<ShellWord.Index>) -> ShellWord {
        let text = word[range]
        let last = text.lastIndex { $0?.isSpaceOrTab != true }
        return ShellWord(last.map { text[...$0] } ?? text.prefix(0))
    }

    private mutating func skip(until end: UInt8?) {
        while index < word.endIndex, word[index] == nil || word[index] != UInt8(ascii: ";") && word[index] != end {
            index = word.index(after: index)
        }
    }

    private mutating func skipSpaces() {
        while byte?.isJSONWhitespace == true { index = word.index(after: index) }
    }

    private func startsField(_ name: String) -> Bool {
        word[index...].prefix(name.utf8.count).elementsEqual(name.utf8.map { $0 }) { $0?.lowercased == $1 }
    }

    private mutating func skip(_ name: String) -> Bool {
        guard startsField(name) else { return false }
        index = word.index(index, offsetBy: name.utf8.count)
        return true
    }

    private mutating func report(
        _ severity: Diagnostic.Severity, _ message: String, at place: Place? = nil, hint: String
    ) {
        problems.append(Diagnostic(severity, code: .curlForm, message, at: place ?? word.place, hint: hint))
    }
}

extension CurlFormPart {
    /// The part with the given content in place of the standard input.
    func replacing(_ content: CurlContent) -> CurlFormPart {
        let isUpload = if case .upload = self.content { true } else { false }
        let changed: Content =
            switch content {
            case .text(let text): .text(text)
            case .file(let file): isUpload ? .upload(file) : .contentOfFile(file)
            }
        var part = CurlFormPart(name: name, content: changed, place: place)
        // curl sends `-`, the name of the standard input, as the name of the file.
        part.filename = filename ?? (isUpload ? ShellWord("-", at: place) : nil)
        (part.type, part.encoder, part.headers) = (type, encoder, headers)
        return part
    }
}

extension CurlFormPart.Content {
    /// The name of the file; nil for a text.
    var file: ShellWord? {
        switch self {
        case .text: nil
        case .upload(let file), .contentOfFile(let file): file
        }
    }
}

extension ShellWord {
    /// The word without some bytes.
    func removing(_ bytes: Set<UInt8>) -> ShellWord {
        let kept = parts.map { part in
            guard case .text(let text) = part.content else { return part }
            return Part(
                .text(String(decoding: text.utf8.filter { !bytes.contains($0) }, as: UTF8.self)), at: part.place)
        }
        return ShellWord(kept, at: place)
    }
}
