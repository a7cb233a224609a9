@testable import Importing

/// A text of a source, parts of which may be unknown.
struct StatedText {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Longer texts are compared only if all of them is known.
    private static let longest = 1 << 16

    /// Whether a text can be this one.
    func matches(_ other: String) -> Bool {
        if text == other { return true }
        let isOpen = [text, other].map { $0.contains(StatedRequest.unknown) }
        guard isOpen[0] || isOpen[1] else { return false }
        // A value can be unknown on either side; one text alone is a pattern.
        if isOpen[0], isOpen[1] || text.utf8.count > Self.longest || other.utf8.count > Self.longest { return true }
        return isOpen[0] ? Self.fits(text, other) : Self.fits(other, text)
    }

    /// Whether the known parts of a text stand in another one, in their order.
    private static func fits(_ pattern: String, _ text: String) -> Bool {
        let parts = pattern.split(separator: StatedRequest.unknown, omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    /// The string in place of a value that is unknown, and of which not even the type is known.
    static let unknownJSON = StatedRequest.unknown + " of any type"

    /// JSON in which each value that is unknown is a string.
    static func quotingUnknowns(in bytes: [UInt8]) -> [UInt8] {
        let unknown = Array(StatedRequest.unknown.utf8)
        let quoted = Array("\"\(unknownJSON)\"".utf8)
        var result: [UInt8] = []
        var isString = false
        var index = 0
        while index < bytes.count {
            if !isString, bytes[index] == unknown[0], bytes[index...].starts(with: unknown) {
                result += quoted
                index += unknown.count
                continue
            }
            if isString, bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
                result.append(bytes[index])
                index += 1
            } else if bytes[index] == UInt8(ascii: "\"") {
                isString.toggle()
            }
            result.append(bytes[index])
            index += 1
        }
        return result
    }
}
