/// A percent-encoded path that is built from literal text and from values. Slashes and escapes in literal text keep their meaning.
/// Slashes in a value are encoded, so that the value stays inside its segment.
package struct PathFilling {
    package enum Ending {
        case segment
        /// A segment whose values are all empty. Such a segment would lead to two slashes in a row.
        case emptySegment
    }

    /// The segments that have ended, with the slashes after them.
    package private(set) var path = ""
    private var segment = ""
    private var hasValue: Bool
    private let isOneSegment: Bool

    /// - Parameter isOneSegment: Whether the whole path is one segment, so that a slash in literal text is part of the segment.
    package init(isOneSegment: Bool = false) {
        self.isOneSegment = isOneSegment
        // If the path is one segment, literal text is treated like a value: it can't form the segment `..` either.
        hasValue = isOneSegment
    }

    /// Adds literal text.
    ///
    /// - Returns: The kind of segment that ends in this text; nil if no segment ends in this text.
    package mutating func write(_ text: String) -> Ending? {
        // Each piece is encoded separately, so that a literal "%2" and a value "F" don't form an escape.
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
        segment += String(encoded[..<first])
        let ending = end()
        // The segments between the first and the last slash have only literal text.
        path += String(encoded[first...last])
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
        // Several values together could form the segment `..`.
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
