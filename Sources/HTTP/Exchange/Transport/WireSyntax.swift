/// The rules for text on the wire. The builder has checked its requests; those made by hand are checked here.
enum WireSyntax {
    static func isFieldValue(_ text: String) -> Bool {
        all(text) { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    }

    /// Visible ASCII: a URL that has been encoded contains nothing else.
    static func isURLText(_ text: String) -> Bool {
        all(text) { (0x21...0x7E).contains($0) }
    }

    /// Works on the bytes in memory: through views each byte takes five times as long.
    @inline(__always)
    private static func all(_ text: String, _ isAllowed: (UInt8) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isAllowed) } ?? text.utf8.allSatisfy(isAllowed)
    }
}
