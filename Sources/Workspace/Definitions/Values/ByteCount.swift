import ReqcliBasics

/// A number of bytes as people write it: `512M`, `1G`, `1000`.
package struct ByteCount: Sendable, Hashable, CustomStringConvertible {
    package let bytes: Int

    private static let units: [(letter: Character, name: String, size: Int)] = [
        ("G", "GiB", 1 << 30), ("M", "MiB", 1 << 20), ("K", "KiB", 1 << 10),
    ]

    package init(_ bytes: Int) { self.bytes = bytes }

    /// Parses a whole number, optionally followed by K, M or G; nil for any other text.
    package init?(_ text: String) {
        let unit = Self.units.first { $0.letter == text.last }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard digits.utf8.allSatisfy(\.isDigit), let number = Int(digits) else { return nil }
        let (bytes, overflows) = number.multipliedReportingOverflow(by: unit?.size ?? 1)
        if overflows { return nil }
        self.bytes = bytes
    }

    package var description: String {
        if let unit { return "\(bytes / unit.size) \(unit.name)" }
        return bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }

    /// The shortest form that `init(_:)` reads.
    package var short: String { unit.map { "\(bytes / $0.size)\($0.letter)" } ?? String(bytes) }

    /// The largest unit that divides the number.
    private var unit: (letter: Character, name: String, size: Int)? {
        Self.units.first { bytes >= $0.size && bytes.isMultiple(of: $0.size) }
    }
}
