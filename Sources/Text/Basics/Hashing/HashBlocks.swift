/// A message in blocks of 64 or 128 bytes, with the padding that all hashes have: a 1 bit, then zeros, then the length in bits.
struct HashBlocks: Sequence {
    private let padded: [UInt8]
    private let size: Int

    /// - Parameter earlier: The number of bytes before the message that are not in it, but count towards the length.
    init(_ message: some Sequence<UInt8>, after earlier: Int = 0, of size: Int = 64, lengthIsBigEndian: Bool) {
        self.size = size
        var bytes = Array(message)
        let bits = UInt64(earlier + bytes.count) * 8
        bytes.append(0x80)
        let unpadded = bytes.count
        // The length has an eighth of a block. No message needs more than the last 8 bytes of it.
        while bytes.count % size != size - 8 || bytes.count < unpadded + size / 8 - 8 { bytes.append(0) }
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        bytes += lengthIsBigEndian ? length.reversed() : length
        padded = bytes
    }

    func makeIterator() -> AnyIterator<ArraySlice<UInt8>> {
        var start = 0
        return AnyIterator { [padded, size] in
            guard start < padded.count else { return nil }
            defer { start += size }
            return padded[start..<(start + size)]
        }
    }
}

extension Array<UInt8> {
    /// The bytes of pairs of hex digits; nil for any other text.
    package init?(hex text: String) {
        let digits = text.utf8.compactMap(\.hexValue)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The bytes as a string, with two lowercase hex digits for each byte.
    package var hex: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * count)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
