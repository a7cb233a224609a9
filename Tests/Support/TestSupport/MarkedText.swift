/// A text in which a test marks ranges, such as where it expects an error: `{"a": ⟦tru⟧}`.
///
/// The markers are removed from `text`. `ranges` are UTF-8 offsets in it, ordered by where they begin. Markers may be
/// nested, and `⟦⟧` marks a place between two characters.
package struct MarkedText: Sendable, ExpressibleByStringLiteral {
    package let text: String
    package let ranges: [Range<Int>]

    package init(_ marked: String) {
        // Both markers begin with this byte, so a text without it has no markers.
        guard marked.utf8.contains(0xE2) else {
            (text, ranges) = (marked, [])
            return
        }
        var text = ""
        var ranges: [(start: Int, end: Int?)] = []
        for scalar in marked.unicodeScalars {
            switch scalar {
            case "⟦": ranges.append((text.utf8.count, nil))
            case "⟧":
                guard let innermost = ranges.lastIndex(where: { $0.end == nil }) else {
                    preconditionFailure("a marker is closed that was never opened: \(marked)")
                }
                ranges[innermost].end = text.utf8.count
            default: text.unicodeScalars.append(scalar)
            }
        }
        self.text = text
        self.ranges = ranges.map { range in
            guard let end = range.end else { preconditionFailure("a marker is never closed: \(marked)") }
            return range.start..<end
        }
    }

    package init(stringLiteral value: String) { self.init(value) }
}
