/// A hash of a text that is the same on every machine and in every version, unlike `Hasher`.
package enum StableHash {
    /// FNV-1a with its bits mixed.
    package static func of(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash ^= hash >> 33
        hash = hash &* 0xFF51_AFD7_ED55_8CCD
        return hash ^ hash >> 33
    }
}
