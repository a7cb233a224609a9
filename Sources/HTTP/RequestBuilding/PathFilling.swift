/// A path that is put together from text that was written, which keeps its meaning, and from values, each of which stays inside its
/// segment. It is percent-encoded.
package struct PathFilling {
    package enum Ending {
        case segment
        /// A segment that has values, all of which are empty: it would double a slash.
        case emptySegment
    }

    /// The segments that have ended.
    package private(set) var path = ""
    private var segment = ""
    private var hasValue: Bool
    private let isOneSegment: Bool

    /// - Parameter isOneSegment: Whether a slash in what was written is part of the segment, too.
    package init(isOneSegment: Bool = false) {
        self.isOneSegment = isOneSegment
        // Not even an author makes a segment `..` that is to be one.
        hasValue = isOneSegment
    }

    /// Adds text that was written.
    ///
    /// - Returns: How the segment ended whose end the text has; nil if it has none.
    package mutating func write(_ text: String) -> Ending? {
        // Encoded piece by piece: a written "%2" and a value's "F" don't make an escape.
        let encoded = PercentEncoding.path(text)
        let slash = UInt8(ascii: "/")
        guard let first = encoded.utf8.firstIndex(of: slash), let last = encoded.utf8.lastIndex(of: slash) else {
            segment += encoded
            return nil
        }
        if isOneSegment {
            segment += encoded.replacing("/", with: "%2F")
            return nil
        }
        segment += encoded[..<first]
        let ending = end()
        // The segments between are the author's alone.
        path += encoded[first...last]
        segment = String(encoded[encoded.utf8.index(after: last)...])
        return ending
    }

    /// Adds a value.
    package mutating func fill(_ value: String) {
        segment += PercentEncoding.queryComponent(value)
        hasValue = true
    }

    /// Ends the segment.
    package mutating func end() -> Ending {
        let ending = hasValue && segment.isEmpty ? Ending.emptySegment : .segment
        // Several values together can make a segment `..`.
        path += hasValue ? Self.withoutDots(segment) : segment
        segment = ""
        hasValue = isOneSegment
        return ending
    }

    private static func withoutDots(_ segment: String) -> String {
        guard segment.hasPrefix(".") || segment.hasPrefix("%2") else { return segment }
        let dots = segment.replacing("%2E", with: ".").replacing("%2e", with: ".")
        return dots == "." || dots == ".." ? PercentEncoding.segment(dots) : segment
    }
}
