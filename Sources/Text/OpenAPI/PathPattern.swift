import ReqcliJSONSchema

/// A path of a description, below the path of a server: `/api/{version}/orders/{id}`.
struct PathPattern: Sendable {
    /// A segment of a path: strings with a parameter between each two of them. A segment with only one string is a literal
    /// segment.
    struct Segment: Hashable, Sendable {
        private let pieces: [String]

        init(_ text: Substring) {
            var pieces = [""]
            var rest = text
            while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
                pieces[pieces.count - 1] += rest[..<open].percentDecoded
                pieces.append("")
                rest = rest[rest.index(after: close)...]
            }
            pieces[pieces.count - 1] += rest.percentDecoded
            self.pieces = pieces
        }

        /// The string of a segment without parameters; nil for a segment with parameters.
        var literal: String? { pieces.count == 1 ? pieces[0] : nil }

        /// The looseness of the segment's match: 0 for a literal, 1 for a parameter with a literal string around it, 2 for a
        /// parameter alone.
        var looseness: Int { pieces.count == 1 ? 0 : pieces.allSatisfy(\.isEmpty) ? 2 : 1 }

        func matches(_ text: String) -> Bool {
            guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return pieces[0] == text }
            guard !text.isEmpty, text.utf8.count >= first.utf8.count + last.utf8.count, text.hasPrefix(first),
                text.hasSuffix(last)
            else { return false }
            var rest = text.dropFirst(first.count).dropLast(last.count)
            for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
                guard let range = rest.firstRange(of: piece) else { return false }
                rest = rest[range.upperBound...]
            }
            return true
        }
    }

    let segments: [Segment]

    init(_ path: String) {
        let text = path.prefix { $0 != "?" && $0 != "#" }
        segments = Self.split(text).map { Segment($0) }
    }

    /// The looseness of each segment from left to right. Literal segments are preferred to parameters.
    var looseness: [Int] { segments.map(\.looseness) }

    /// Whether a path with these segments at its end could match. A nil segment matches anything.
    func couldMatch(_ end: [String?], isWhole: Bool) -> Bool {
        guard isWhole ? end.count == segments.count : end.count <= segments.count else { return false }
        return zip(segments.suffix(end.count), end).allSatisfy { segment, text in text.map(segment.matches) ?? true }
    }

    /// The number of segments in which a path differs from this pattern.
    func distance(to path: [String?]) -> Int {
        zip(segments, path).count { segment, text in text.map { !segment.matches($0) } ?? false }
            + abs(segments.count - path.count)
    }

    /// The segments of a path, without the empty segment before the slash at the beginning.
    static func split(_ path: Substring) -> [Substring] {
        (path.hasPrefix("/") ? path.dropFirst() : path).split(separator: "/", omittingEmptySubsequences: false)
    }
}
