/// The rules for strings that are sent over a connection. Requests from the builder have already been checked. Requests that were
/// made by hand are checked here.
enum WireSyntax {
    static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    }

    /// Whether a string has only visible ASCII characters, as every encoded URL has.
    static func isURLText(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
