/// The values of scalars that are not written as JSON in the file: folded lines, other escapes, `0x1F`.
///
/// These values are not on the tape, because hardly any scalar has such a value.
struct DecodedTexts: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The entries in the order of the tape, so that a binary search can find an entry.
    private var entries: [(index: UInt32, start: UInt32, end: UInt32)] = []

    /// The range of a value's bytes, by the value's index on the tape.
    func range(_ index: Int) -> Range<Int>? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].index < index { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].index == index else { return nil }
        return Int(entries[low].start)..<Int(entries[low].end)
    }

    func text(_ index: Int) -> String? {
        range(index).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(contentsOf text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

    mutating func removeLast(_ count: Int) { bytes.removeLast(count) }

    /// Assigns a range of the bytes that were added before to the value at an index. The index must be greater than all earlier
    /// indices.
    mutating func add(_ range: Range<Int>, at index: Int) {
        entries.append(
            (
                UInt32(truncatingIfNeeded: index), UInt32(truncatingIfNeeded: range.lowerBound),
                UInt32(truncatingIfNeeded: range.upperBound)
            ))
    }
}
