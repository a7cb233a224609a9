import ReqcliBasics

extension JSONLexer {
    /// Reads a string up to its closing quote, or to the end of its line.
    mutating func string(closedBy delimiter: UInt8) -> JSONToken {
        let start = position
        position += 1
        var hasEscapes = false
        while true {
            // The fast scan only handles double quotes.
            if delimiter == .quote { skipPlainText() }
            // Stops if there are enough problems: one string of control characters could otherwise report a million problems.
            guard position < end, !hasEnough else { return unclosedString(start, hasEscapes) }
            let byte = base[position]
            if byte == delimiter {
                position += 1
                return JSONToken(.string, start, position, hasEscapes: hasEscapes)
            } else if byte == .backslash {
                hasEscapes = true
                escape()
            } else if byte >= 0x80 {
                passNonASCII()
            } else if byte == .lineFeed || byte == .carriageReturn {
                return unclosedString(start, hasEscapes)
            } else if byte < .space {
                report(
                    "a control character (U+\(hex4(UInt32(byte)))) must be escaped in a string",
                    position..<position + 1,
                    hint: "write \(byte == .tab ? "\\t" : "\\u\(hex4(UInt32(byte)))")")
                position += 1
            } else {
                position += 1
            }
        }
    }

    /// Skips text that needs no check, eight bytes at a time.
    @inline(__always)
    private mutating func skipPlainText() {
        position = PlainText.end(in: UnsafeRawBufferPointer(base), from: position, stopsAtNonASCII: true)
    }

    private mutating func unclosedString(_ start: Int, _ hasEscapes: Bool) -> JSONToken {
        report("this string is never closed", start..<position, hint: "add the closing \"")
        return JSONToken(.string, start, position, hasEscapes: hasEscapes, isComplete: false)
    }

    private mutating func escape() {
        let start = position
        guard position + 1 < end else {
            position = end
            return
        }
        switch base[position + 1] {
        case let letter where JSONStringText.simpleEscape(letter) != nil: position += 2
        case 0x75: unicodeEscape()
        case .lineFeed, .carriageReturn: position += 1
        case let byte:
            position += 1
            if byte >= 0x80 { passNonASCII() } else { position += 1 }
            report(
                "\"\(text(start..<position))\" is not an escape in JSON", start..<position,
                hint: "write \\\\ for a backslash")
        }
    }

    private mutating func unicodeEscape() {
        let start = position
        guard let escape = JSONStringText.unicodeEscape(in: base, at: start, before: end) else {
            position = min(start + 2, end)
            report("\\u takes four hexadecimal digits", start..<position)
            return
        }
        position += escape.count
        if escape.scalar == nil {
            let problem =
                escape.unit < 0xDC00
                ? "half of a surrogate pair; its other half is missing"
                : "the second half of a surrogate pair without the first"
            report(
                "\\u\(hex4(escape.unit)) is \(problem)", start..<position,
                hint: "write the character itself, or both halves")
        }
    }
}
