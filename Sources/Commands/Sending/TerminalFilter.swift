import ASCII
import SourceText
import TerminalText

/// Makes text harmless to a terminal as it arrives, in chunks that may be cut anywhere.
struct TerminalFilter {
    private var tail: [UInt8] = []

    /// The text that can be shown now.
    mutating func pass(_ chunk: [UInt8]) -> [UInt8] {
        let bytes = tail + chunk
        let cut = bytes.count - Self.unfinished(bytes)
        tail = Array(bytes[cut...])
        return Self.harmless(bytes[..<cut])
    }

    /// The text that was held back in case more follows.
    mutating func end() -> [UInt8] {
        defer { tail = [] }
        return Self.harmless(tail[...])
    }

    private static func harmless(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(TerminalText.harmless(String(decoding: bytes, as: UTF8.self), keepingLines: true).utf8)
    }

    /// How many bytes at the end begin a character, or a line's end, without ending it.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        if bytes.last == .carriageReturn { return 1 }
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }
}
