/// A message in blocks of 64 bytes. The padding is that of MD5 and SHA-256: a 1 bit, then zeros, then the length in bits.
struct HashBlocks: Sequence {
    private let padded: [UInt8]

    init(_ message: some Sequence<UInt8>, lengthIsBigEndian: Bool) {
        var bytes = Array(message)
        let bits = UInt64(bytes.count) * 8
        bytes.append(0x80)
        while bytes.count % 64 != 56 { bytes.append(0) }
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        bytes += lengthIsBigEndian ? length.reversed() : length
        padded = bytes
    }

    func makeIterator() -> AnyIterator<ArraySlice<UInt8>> {
        var start = 0
        return AnyIterator { [padded] in
            guard start < padded.count else { return nil }
            defer { start += 64 }
            return padded[start..<(start + 64)]
        }
    }
}

extension Array<UInt8> {
    /// The bytes as a string, with two lowercase hex digits for each byte.
    package var hex: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
