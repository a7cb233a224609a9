/// The rules for strings that are sent over a connection. Requests from the builder have already been checked. Requests that were
/// made by hand are checked here.
enum WireSyntax {
    static func isFieldValue(_ text: String) -> Bool {
        all(text) { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    }

    /// Whether a string has only visible ASCII characters, as every encoded URL has.
    static func isURLText(_ text: String) -> Bool {
        all(text) { (0x21...0x7E).contains($0) }
    }

    /// Checks the bytes in memory directly. Through the string's views, each byte takes five times as long.
    @inline(__always)
    private static func all(_ text: String, _ isAllowed: (UInt8) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isAllowed) } ?? text.utf8.allSatisfy(isAllowed)
    }
}
