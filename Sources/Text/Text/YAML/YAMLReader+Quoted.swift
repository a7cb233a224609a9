import ReqcliBasics

extension YAMLReader {
    /// Reads a scalar in single or double quotes.
    mutating func quoted(below parent: Int) throws(Stop) -> YAMLNode {
        let start = position
        let quote = current
        position += 1
        let decodedStart = tree.decodedEnd
        // The start of the text that is not decoded yet.
        var pending = position
        var isDecoded = false
        while true {
            skipPlainText(quote)
            guard position < end else {
                throw stop(
                    "this text is never closed", start..<start + 1, hint: "add the closing \(shown(start..<start + 1))")
            }
            switch bytes[position] {
            case quote where quote == .apostrophe && byte(position + 1) == quote:
                tree.decode(bytes[pending...position])
                position += 2
                (pending, isDecoded) = (position, true)
            case quote:
                if isDecoded { tree.decode(bytes[pending..<position]) }
                position += 1
                return YAMLNode(.quoted, start..<position, decoded: isDecoded ? decodedStart..<tree.decodedEnd : nil)
            case .backslash where quote == .quote:
                tree.decode(bytes[pending..<position])
                if isBreak(byte(position + 1)) {
                    position += 1
                    let breaks = try skipQuotedBreaks(below: parent, start)
                    for _ in 1..<breaks { tree.decode(.lineFeed) }
                } else {
                    try escape()
                }
                (pending, isDecoded) = (position, true)
            case .lineFeed, .carriageReturn:
                tree.decode(bytes[pending..<trimmed(pending)])
                decodeFolded(try skipQuotedBreaks(below: parent, start))
                (pending, isDecoded) = (position, true)
            default: position += 1
            }
        }
    }

    /// Skips bytes that need no decoding.
    private mutating func skipPlainText(_ quote: UInt8) {
        if quote == .quote {
            position = PlainText.end(in: UnsafeRawBufferPointer(bytes), from: position, stopsAtNonASCII: false)
        } else {
            while position < end, bytes[position] != quote, !isBreak(bytes[position]) { position += 1 }
        }
    }

    /// The end of the text between `start` and `position`, without the whitespace at its end.
    private func trimmed(_ start: Int) -> Int {
        var last = position
        while last > start, bytes[last - 1] == .space || bytes[last - 1] == .tab { last -= 1 }
        return last
    }

    /// Skips line breaks and checks that the text on the next line can belong to the quoted scalar.
    private mutating func skipQuotedBreaks(below parent: Int, _ start: Int) throws(Stop) -> Int {
        let breaks = skipBreaks()
        // Other readers accept text at the column of its key, and published files have it. At the first column, the text would
        // look like the next key.
        let isIndented = indentation > parent || indentation == parent && parent > 0
        if position < end, isAtMarker || !isIndented {
            throw stop(
                isAtMarker ? "the document ends inside a text in quotes" : "this line isn't indented enough",
                related: ("the text begins here", start..<start + 1))
        }
        return breaks
    }

    private mutating func escape() throws(Stop) {
        let start = position
        let letter = byte(position + 1)
        position = min(position + 2, end)
        switch letter {
        case UInt8(ascii: "x"): try codePoint(start, digits: 2)
        case UInt8(ascii: "u"): try unicodeEscape(start)
        case UInt8(ascii: "U"): try codePoint(start, digits: 8)
        case UInt8(ascii: "N"): tree.decode("\u{85}".utf8)
        case UInt8(ascii: "_"): tree.decode("\u{A0}".utf8)
        case UInt8(ascii: "L"): tree.decode("\u{2028}".utf8)
        case UInt8(ascii: "P"): tree.decode("\u{2029}".utf8)
        default:
            guard let byte = Self.simpleEscape(letter) else {
                position = start + 1
                let range = start..<character.upperBound
                throw stop(
                    "\"\(shown(range))\" is not an escape in YAML", range, hint: #"write \\ for a backslash"#)
            }
            tree.decode(byte)
        }
    }

    private static func simpleEscape(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0"): 0x00
        case UInt8(ascii: "a"): 0x07
        case UInt8(ascii: "v"): 0x0B
        case UInt8(ascii: "e"): 0x1B
        case .space, .tab: letter == .tab ? .tab : .space
        default: JSONStringText.simpleEscape(letter)
        }
    }

    /// Reads a `\uXXXX` escape, or two such escapes for a surrogate pair, as in JSON.
    private mutating func unicodeEscape(_ start: Int) throws(Stop) {
        guard let escape = JSONStringText.unicodeEscape(in: bytes, at: start, before: end) else {
            return try codePoint(start, digits: 4)
        }
        position = start + escape.count
        guard let scalar = escape.scalar else { throw notACharacter(start..<position) }
        tree.decode(String(scalar).utf8)
    }

    private mutating func codePoint(_ start: Int, digits: Int) throws(Stop) {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = current.hexValue else {
                throw stop(
                    "\(shown(start..<start + 2)) takes \(digits) hexadecimal digits", start..<position)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        guard let scalar = Unicode.Scalar(value) else { throw notACharacter(start..<position) }
        tree.decode(String(scalar).utf8)
    }

    private mutating func notACharacter(_ range: Range<Int>) -> Stop {
        stop("\(shown(range)) is not a character", range, hint: "write the character itself")
    }
}
