import ReqcliBasics

extension JSONLexer {
    mutating func skipByteOrderMark() {
        guard end >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF else { return }
        position = 3
        report(
            "the file begins with a byte order mark", 0..<3, hint: "save the file as UTF-8 without a BOM",
            code: .jsonEncoding)
    }

    mutating func skipBlanks() {
        while position < end {
            let byte = base[position]
            if byte == .lineFeed {
                position += 1
                skipIndentation()
                continue
            }
            if byte.isJSONWhitespace {
                position += 1
            } else if byte == .slash, position + 1 < end,
                base[position + 1] == .slash || base[position + 1] == .asterisk
            {
                skipComment()
            } else if byte < 0x80 || !skipForeignBlanks() {
                return
            }
        }
    }

    /// Skips the spaces at the start of a line, first eight and then two at a time, because most lines of an indented file begin
    /// with many spaces.
    private mutating func skipIndentation() {
        let bytes = UnsafeRawBufferPointer(base)
        while position + 8 <= end,
            bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) == 0x2020_2020_2020_2020
        { position += 8 }
        while position + 2 <= end, bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self) == 0x2020 {
            position += 2
        }
    }

    private mutating func skipComment() {
        let start = position
        let isBlock = base[position + 1] == .asterisk
        position += 2
        var isClosed = !isBlock
        while position < end {
            let byte = base[position]
            if isBlock {
                if byte == .asterisk, position + 1 < end, base[position + 1] == .slash {
                    position += 2
                    isClosed = true
                    break
                }
            } else if byte == .lineFeed {
                break
            }
            if byte >= 0x80 { passNonASCII() } else { position += 1 }
        }
        if !isClosed {
            report("this comment is never closed", start..<start + 2, hint: "close it with */")
        } else if syntax == .strict {
            report(
                "a .json file can't have comments", start..<endOfComment(isBlock),
                hint: "name the file .jsonc, or use a \"$comment\" key")
        }
    }

    /// The end of the comment before `position`, without the CR of a CR LF.
    private func endOfComment(_ isBlock: Bool) -> Int {
        !isBlock && base[position - 1] == .carriageReturn ? position - 1 : position
    }

    /// Skips characters that look like whitespace but aren't whitespace in JSON, such as U+00A0 from a web page. Returns false if
    /// there are no such characters.
    private mutating func skipForeignBlanks() -> Bool {
        let start = position
        while let length = foreignBlank() { position += length }
        guard position > start else { return false }
        let scalar = text(start..<position).unicodeScalars.first?.value ?? 0
        report(
            "this character is not whitespace in JSON (U+\(hex4(scalar)))", start..<position,
            hint: "use an ordinary space")
        return true
    }

    /// The length of the foreign whitespace character at the current position.
    private func foreignBlank() -> Int? {
        func at(_ offset: Int) -> UInt8 { position + offset < end ? base[position + offset] : 0 }
        switch (at(0), at(1), at(2)) {
        case (0xC2, 0xA0, _): return 2
        case (0xE2, 0x80, 0x80...0x8B), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F...0xA0),
            (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF):
            return 3
        default: return nil
        }
    }
}
