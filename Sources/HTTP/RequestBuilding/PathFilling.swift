/// A percent-encoded path that is built from literal text, whose slashes and escapes keep their meaning, and from values, each of
/// which stays inside its segment.
package struct PathFilling {
    package enum Ending {
        case segment
        /// A segment that has values, all of which are empty: it would double a slash.
        case emptySegment
    }

    /// The segments that have ended, with the slashes after them.
    package private(set) var path = ""
    private var segment = ""
    private var hasValue: Bool
    private let isOneSegment: Bool

    /// - Parameter isOneSegment: Whether the whole path is one segment, so that a slash in literal text is part of it.
    package init(isOneSegment: Bool = false) {
        self.isOneSegment = isOneSegment
        // If the path is one segment, not even literal text can make it `..`.
        hasValue = isOneSegment
    }

    /// Adds literal text.
    ///
    /// - Returns: The ending of the segment that the text ends; nil if the text ends no segment.
    package mutating func write(_ text: String) -> Ending? {
        // Encoded piece by piece, so that a literal "%2" and a value "F" don't form an escape.
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
        // The segments between the first and the last slash have only literal text.
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
