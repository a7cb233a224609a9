package import ReqcliRedaction
package import ReqcliText

/// Quotes values in messages: on one line, without secrets and control characters, and shortened.
package struct Excerpts: Sendable {
    package let redactor: Redactor
    /// The maximum width in terminal cells.
    package let width: Int

    package init(_ redactor: Redactor, width: Int = 96) {
        self.redactor = redactor
        self.width = width
    }

    /// A value as compact JSON.
    package func json(_ value: JSONValue) -> Wording {
        let compact = value.compactBytes(atMost: redactor.reach(for: Self.bytes(for: width)))
        return line(compact.bytes, isWhole: compact.isWhole)
    }

    /// Text in quotes, escaped as in JSON.
    package func text(_ bytes: [UInt8]) -> Wording {
        let start = redactor.redactedStart(of: bytes, limit: Self.bytes(for: width))
        let quoted = JSONStringText.quoted(String(decoding: start.bytes, as: UTF8.self))
        return Wording(
            quoting: TerminalText.truncated(TerminalText.harmless(start.isWhole ? quoted : quoted + "…"), to: width))
    }

    package func text(_ text: String) -> Wording { self.text(Array(text.utf8)) }

    package func value(_ value: ActualValue) -> Wording {
        switch value {
        case .json(let json): self.json(json)
        case .text(let bytes): text(bytes)
        }
    }

    package func line(_ bytes: [UInt8], isWhole: Bool = true) -> Wording {
        let start = redactor.redactedStart(of: bytes, limit: Self.bytes(for: width), isWhole: isWhole)
        let text = TerminalText.harmless(String(decoding: start.bytes, as: UTF8.self))
        return Wording(quoting: TerminalText.truncated(start.isWhole ? text : text + "…", to: width))
    }

    /// The number of bytes that is enough for this many cells: one visible character may consist of several scalars.
    package static func bytes(for width: Int) -> Int { width * 32 }
}

extension Redactor {
    /// An upper bound for the length of a secret's forms. A form may have six bytes, such as `\u00e9`, for one byte of the
    /// secret, and additional characters in base64.
    private var longestForm: Int { (secrets.map(\.value.utf8.count).max() ?? 0) * 6 + 64 }

    /// The number of bytes that must be redacted so that the first `limit` bytes can be shown.
    package func reach(for limit: Int) -> Int { limit + longestForm }

    /// The redacted beginning of bytes that may be long. A secret at the cut is not shown in part.
    package func redactedStart(
        of bytes: [UInt8], limit: Int, isWhole: Bool = true
    ) -> (bytes: [UInt8], isWhole: Bool) {
        if isWhole, bytes.count <= limit { return (redact(bytes), true) }
        // The bytes after the cut are redacted too, and then dropped.
        let redacted = redact(Array(bytes.prefix(reach(for: limit))))
        let kept = isEmpty ? limit : min(limit, max(0, redacted.count - longestForm))
        return (redacted.prefix(kept).cutBetweenCharacters, false)
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without an incomplete character at the end.
    fileprivate var cutBetweenCharacters: [UInt8] {
        guard let start = suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return Array(self) }
        let length =
            switch self[start] {
            case 0xF0...0xF7: 4
            case 0xE0...0xEF: 3
            case 0xC0...0xDF: 2
            default: 1
            }
        return Array(endIndex - start < length ? self[..<start] : self)
    }
}

extension JSONValue {
    /// The value as written, without whitespace between its tokens.
    package func compactBytes(atMost limit: Int) -> (bytes: [UInt8], isWhole: Bool) {
        let bytes = place.file.bytes[range]
        var result: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if !isInString, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { continue }
            if result.count == limit { return (result, false) }
            result.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInString
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
        }
        return (result, true)
    }
}
