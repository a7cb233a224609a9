import ReqcliBasics
package import ReqcliText

/// Reads comma-separated values (RFC 4180). A field in quotes may hold commas, line breaks and doubled quotes.
///
/// Lines end with LF or CR LF. Empty lines and a byte order mark are skipped.
package struct CSVReader {
    package struct Field: Sendable, Equatable {
        package let text: String
        package let place: Place
        /// Whether the field is in quotes. An empty field in quotes is an empty string. An empty field without quotes has no
        /// value.
        package let isQuoted: Bool
    }

    private let file: SourceFile
    private let bytes: [UInt8]
    private var position = 0
    package private(set) var diagnostics: [Diagnostic] = []

    package init(_ file: SourceFile) {
        self.file = file
        bytes = file.bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Reads the next line that is not empty; nil at the end.
    package mutating func nextRecord() -> [Field]? {
        while position < bytes.count {
            if skipLineBreak() { continue }
            return record()
        }
        return nil
    }

    private mutating func record() -> [Field] {
        var fields: [Field] = []
        while true {
            fields.append(field())
            guard position < bytes.count, bytes[position] == .comma else { break }
            position += 1
        }
        _ = skipLineBreak()
        return fields
    }

    private mutating func field() -> Field {
        guard position < bytes.count, bytes[position] == .quote else {
            let start = position
            while position < bytes.count, bytes[position] != .comma, !isAtLineBreak {
                if bytes[position] == .quote {
                    report("found a quote inside a field that is not quoted", position..<position + 1, Self.quoteAdvice)
                    skipRestOfField()
                    break
                }
                position += 1
            }
            return made(start..<position, text: start..<position, isQuoted: false)
        }
        return quotedField()
    }

    private mutating func quotedField() -> Field {
        let start = position
        position += 1
        var text: [UInt8] = []
        while true {
            guard position < bytes.count else {
                report("this quote is never closed", start..<start + 1, "add a \" where the field ends")
                break
            }
            let byte = bytes[position]
            position += 1
            guard byte == .quote else {
                text.append(byte)
                continue
            }
            guard position < bytes.count, bytes[position] == .quote else { break }
            text.append(.quote)
            position += 1
        }
        let end = position
        if position < bytes.count, bytes[position] != .comma, !isAtLineBreak {
            skipRestOfField()
            report("found text after the closing quote", end..<position, Self.quoteAdvice)
        }
        if !isValidUTF8(text) { report("this field is not valid UTF-8", start..<end, "save the file as UTF-8") }
        return Field(
            text: String(decoding: text, as: UTF8.self), place: Place(file, start..<end), isQuoted: true)
    }

    private mutating func made(_ range: Range<Int>, text: Range<Int>, isQuoted: Bool) -> Field {
        if !isValidUTF8(bytes[text]) { report("this field is not valid UTF-8", range, "save the file as UTF-8") }
        return Field(text: file.text(text), place: Place(file, range), isQuoted: isQuoted)
    }

    private static let quoteAdvice = "put quotes around the whole field, and write a quote inside it twice"

    private mutating func skipRestOfField() {
        while position < bytes.count, bytes[position] != .comma, !isAtLineBreak { position += 1 }
    }

    private var isAtLineBreak: Bool {
        bytes[position] == .lineFeed
            || bytes[position] == .carriageReturn && position + 1 < bytes.count && bytes[position + 1] == .lineFeed
    }

    private mutating func skipLineBreak() -> Bool {
        guard position < bytes.count, isAtLineBreak else { return false }
        position += bytes[position] == .lineFeed ? 1 : 2
        return true
    }

    private mutating func report(_ message: String, _ range: Range<Int>, _ hint: String) {
        diagnostics.append(Diagnostic(code: .dataInvalid, message, at: Place(file, range), hint: hint))
    }

    private func isValidUTF8(_ bytes: some Collection<UInt8>) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
