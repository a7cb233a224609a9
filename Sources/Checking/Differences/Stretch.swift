import Redaction
import SourceText
import TerminalText

/// The part of two long texts around the first byte in which they differ.
struct Stretch {
    let one: [UInt8]
    let other: [UInt8]
    /// The number of bytes left out before this part.
    let offset: Int

    private static let longestWhole = 256 << 10
    private static let lead = 16 << 10
    private static let tail = 64 << 10

    init(_ one: [UInt8], _ other: [UInt8]) {
        if max(one.count, other.count) <= Self.longestWhole {
            (self.one, self.other, offset) = (one, other, 0)
            return
        }
        let shared = zip(one, other).prefix { $0 == $1 }.count
        let start = max(0, shared - Self.lead)
        func cut(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[min(start, bytes.count)...].prefix(Self.lead + Self.tail)) }
        (self.one, self.other, offset) = (cut(one), cut(other), start)
    }
}

extension Excerpts {
    /// Two values on one line each, cut to this part.
    func pair(_ expected: JSONValue, _ actual: JSONValue) -> (String, String) {
        let stretch = Stretch(expected.compactBytes(atMost: .max).bytes, actual.compactBytes(atMost: .max).bytes)
        return TextWindow.around(shown(stretch.one), shown(stretch.other), width: width)
    }

    /// The part of a text, redacted before it is cut so that no secret shows in part.
    func shown(_ bytes: [UInt8]) -> String {
        TerminalText.harmless(String(decoding: redactor.redact(bytes), as: UTF8.self))
    }
}
