import ReqcliBasics

/// The header fields of a request as bytes. A field becomes a string only when it is read.
package struct HeaderLines: Sendable {
    /// The whole buffer, with the bytes before and after the fields, because sharing the buffer is cheaper than a copy.
    private let bytes: [UInt8]
    private let lines: [FieldLine]
    /// The lengths of all names, as a set of bits. A name whose length isn't in the set is missing, so most look-ups of missing
    /// names are fast.
    private let lengths: UInt64

    init(_ lines: [FieldLine], in bytes: [UInt8]) {
        self.bytes = bytes
        self.lines = lines
        lengths = lines.reduce(0) { $0 | Self.bit($1.name.count) }
    }

    private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }

    /// Makes the lines from names and values that were not read from a buffer.
    package init(_ fields: some Sequence<(name: String, value: String)>) {
        var bytes: [UInt8] = []
        let lines = fields.map { field in
            let start = bytes.count
            bytes += field.name.utf8
            let middle = bytes.count
            bytes += field.value.utf8
            return FieldLine(name: start..<middle, value: middle..<bytes.count)
        }
        self.init(lines, in: bytes)
    }

    package static let none = HeaderLines([], in: [])

    package var count: Int { lines.count }

    /// The fields in the order received. A value that is not UTF-8 is read as Latin-1.
    package var fields: [(name: String, value: String)] { lines.map { (text($0.name), text($0.value)) } }

    /// Whether the value of a field was received as Latin-1. Such a value has more bytes as a string.
    package func isLatin1(_ index: Int) -> Bool { text(lines[index].value).utf8.count != lines[index].value.count }

    /// The values of all fields of this name.
    package func values(of name: String) -> [String] {
        lines.filter { isNamed($0, name) }.map { text($0.value) }
    }

    /// The value of the first field of this name.
    package func first(_ name: String) -> String? {
        guard lengths & Self.bit(name.utf8.count) != 0 else { return nil }
        return lines.first { isNamed($0, name) }.map { text($0.value) }
    }

    private func isNamed(_ line: FieldLine, _ name: String) -> Bool {
        guard line.name.count == name.utf8.count else { return false }
        var index = line.name.lowerBound
        for byte in name.utf8 {
            guard bytes[index].lowercased == byte.lowercased else { return false }
            index += 1
        }
        return true
    }

    func text(_ range: Range<Int>) -> String { bytes.span.text(range) }

    /// The number of bytes in the buffer, including bytes that don't belong to a field.
    var keptBytes: Int { bytes.count }

    /// The number of bytes in all names and values.
    package var size: Int { lines.reduce(0) { $0 + $1.name.count + $1.value.count } }
}
