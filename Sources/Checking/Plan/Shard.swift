import ASCII

/// One part of the cases, for one of several machines: `2/5`.
///
/// Which part a case belongs to depends on its id alone, so that a new case moves no other.
package struct Shard: Sendable, Equatable {
    package let index: Int
    package let count: Int

    /// Nil if the text is not `K/N` with 1 ≤ K ≤ N.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
        guard parts.count == 2, isPlain, let index = Int(parts[0]), let count = Int(parts[1]), index >= 1,
            index <= count
        else { return nil }
        self.index = index
        self.count = count
    }

    package static let expectation = "K/N, such as 2/5: the second of five parts"

    package var text: String { "\(index)/\(count)" }

    func holds(_ id: String) -> Bool { Self.hash(id) % UInt64(count) == UInt64(index - 1) }

    /// FNV-1a with its bits stirred: the same on every machine and in every version.
    private static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash ^= hash >> 33
        hash = hash &* 0xFF51_AFD7_ED55_8CCD
        return hash ^ hash >> 33
    }
}
