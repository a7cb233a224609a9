package import Redaction
import SourceText
import TerminalText

/// How values are quoted in messages: on one line, without secrets, harmless, and not at length.
package struct Excerpts: Sendable {
    let redactor: Redactor
    /// In cells.
    let width: Int

    package init(_ redactor: Redactor, width: Int = 96) {
        self.redactor = redactor
        self.width = width
    }

    /// As compact JSON.
    func json(_ value: JSONValue) -> String {
        let compact = value.compactBytes(atMost: redactor.reach(for: Self.bytes(for: width)))
        return line(compact.bytes, isWhole: compact.isWhole)
    }

    /// In quotes, as JSON writes text.
    func text(_ bytes: [UInt8]) -> String {
        let start = redactor.redactedStart(of: bytes, limit: Self.bytes(for: width))
        let quoted = JSONStringText.quoted(String(decoding: start.bytes, as: UTF8.self))
        return TerminalText.truncated(TerminalText.harmless(start.isWhole ? quoted : quoted + "…"), to: width)
    }

    func text(_ text: String) -> String { self.text(Array(text.utf8)) }

    func value(_ value: ActualValue) -> String {
        switch value {
        case .json(let json): self.json(json)
        case .text(let bytes): text(bytes)
        }
    }

    func line(_ bytes: [UInt8], isWhole: Bool = true) -> String {
        let start = redactor.redactedStart(of: bytes, limit: Self.bytes(for: width), isWhole: isWhole)
        let text = TerminalText.harmless(String(decoding: start.bytes, as: UTF8.self))
        return TerminalText.truncated(start.isWhole ? text : text + "…", to: width)
    }

    /// Enough for so many cells: a character that people see may well be a family of scalars.
    static func bytes(for width: Int) -> Int { width * 32 }
}

extension Redactor {
    /// No form of a secret is longer: `\u00e9` for one byte, and what goes around it in base64.
    private var longestForm: Int { (secrets.map(\.value.utf8.count).max() ?? 0) * 6 + 64 }

    /// How much has to be at hand so that `limit` bytes of it can be shown.
    package func reach(for limit: Int) -> Int { limit + longestForm }

    /// The beginning of what may be long, without secrets. A secret across the cut is not shown in part.
    package func redactedStart(
        of bytes: [UInt8], limit: Int, isWhole: Bool = true
    ) -> (bytes: [UInt8], isWhole: Bool) {
        if isWhole, bytes.count <= limit { return (redact(bytes), true) }
        // What follows the cut is looked at as well, and then dropped.
        let redacted = redact(Array(bytes.prefix(reach(for: limit))))
        let kept = isEmpty ? limit : min(limit, max(0, redacted.count - longestForm))
        return (redacted.prefix(kept).cutBetweenCharacters, false)
    }
}

extension ArraySlice<UInt8> {
    /// Without the beginning of a character whose rest was cut off.
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
    /// The value as it was written but for the blanks between its tokens.
    func compactBytes(atMost limit: Int) -> (bytes: [UInt8], isWhole: Bool) {
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
