import ReqcliBasics
import ReqcliText

/// The text of a string literal, with the offset of each byte in the path.
struct PathString {
    var text = ""
    /// One offset for each byte of `text`, and one for the closing quote.
    var offsets: [Int] = []

    func source(of range: Range<Int>) -> Range<Int> {
        let last = offsets.count - 1
        let start = offsets[min(range.lowerBound, last)]
        // The source of a byte ends where the source of the next byte begins, because one byte may be written as an escape.
        return start..<max(offsets[min(range.upperBound, last)], start)
    }
}

extension PathParser {
    /// Parses a string in single or double quotes.
    mutating func string() throws(JSONPathProblem) -> PathString {
        let start = position
        let delimiter = bytes[position]
        position += 1
        var decoded: [UInt8] = []
        var offsets: [Int] = []
        while let byte = peek(), byte != delimiter {
            let source = position
            if byte == .backslash {
                decoded += Array(String(try escape(in: delimiter)).utf8)
            } else if byte < .space {
                throw problem(
                    "a control character must be escaped in a string", hint: "write it as an escape, such as \\n")
            } else {
                decoded.append(byte)
                position += 1
            }
            while offsets.count < decoded.count { offsets.append(source) }
        }
        guard take(delimiter) else {
            throw JSONPathProblem(
                "this string is never closed", start..<bytes.count, hint: "add the closing \(text(start..<start + 1))")
        }
        return PathString(text: String(decoding: decoded, as: UTF8.self), offsets: offsets + [position - 1])
    }

    private mutating func escape(in delimiter: UInt8) throws(JSONPathProblem) -> Unicode.Scalar {
        let start = position
        position += 1
        let letter = peek()
        guard let letter else {
            throw JSONPathProblem(
                "the path ends with a single \"\\\"", start..<position, hint: "write \\\\ for a backslash")
        }
        position = characterRange(at: position).upperBound
        switch letter {
        case delimiter: return Unicode.Scalar(letter)
        case 0x75: return try unicodeEscape(start)
        default:
            if letter != .quote, let byte = JSONStringText.simpleEscape(letter) { return Unicode.Scalar(byte) }
            let isQuote = letter == .quote || letter == .apostrophe
            throw JSONPathProblem(
                "\"\(text(start..<position))\" is not an escape", start..<position,
                hint: isQuote ? "this quote needs no backslash here" : "write \\\\ for a backslash")
        }
    }

    private mutating func unicodeEscape(_ start: Int) throws(JSONPathProblem) -> Unicode.Scalar {
        guard let unit = hexUnit() else {
            throw JSONPathProblem("\\u takes four hexadecimal digits", start..<position)
        }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if unit < 0xDC00, peek() == .backslash, peek(1) == 0x75 {
            position += 2
            if let low = hexUnit(), (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            {
                return scalar
            }
        }
        throw JSONPathProblem(
            "half of a surrogate pair without the other half", start..<position,
            hint: "write the character itself, or both halves")
    }

    private mutating func hexUnit() -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek()?.hexValue else { return nil }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    /// Parses a number in JSON's notation.
    mutating func number() throws(JSONPathProblem) -> JSONNumber {
        let start = position
        while let byte = peek(), byte.isNameByte || byte == .point || byte == .plus || byte == .minus { position += 1 }
        let written = text(start..<position)
        guard let number = JSONNumber(written) else {
            throw JSONPathProblem(
                "\"\(written)\" is not a number", start..<position, hint: "write it as JSON does, such as -1.5e3")
        }
        return number
    }
}
