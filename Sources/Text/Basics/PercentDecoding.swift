extension UnsafeBufferPointer<UInt8> {
    /// The bytes of the string after percent-decoding. A `%` without two hexadecimal digits after it is kept.
    package var percentDecoded: [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(count)
        var position = 0
        while position < count {
            if self[position] == UInt8(ascii: "%"), position + 2 < count, let high = self[position + 1].hexValue,
                let low = self[position + 2].hexValue
            {
                decoded.append(high << 4 | low)
                position += 3
            } else {
                decoded.append(self[position])
                position += 1
            }
        }
        return decoded
    }
}
