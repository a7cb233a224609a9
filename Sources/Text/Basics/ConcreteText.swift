// Functions that the standard library has for all collections. Its functions look for a conformance among the 6,000 of the program when
// they are first called, with 250,000 instructions. A file that imports this module calls these functions instead, because they are
// for one type.

extension [String] {
    package func joined(separator: String = "") -> String {
        guard var text = first else { return "" }
        for other in dropFirst() {
            text += separator
            text += other
        }
        return text
    }
}

extension String {
    package func firstRange(of other: String) -> Range<Index>? {
        self[...].firstRange(of: other)
    }
}

extension Substring {
    /// The first place with the bytes of `other`.
    package func firstRange(of other: String) -> Range<Index>? {
        guard let first = other.utf8.first else { return startIndex..<startIndex }
        var rest = utf8
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: other.utf8) { return start..<rest.index(start, offsetBy: other.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
