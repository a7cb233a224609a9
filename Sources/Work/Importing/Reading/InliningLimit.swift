/// Limits the number of bytes that the values of variables add to the strings of a source. Without a limit, values that each
/// refer twice to the next value could double the length again and again.
struct InliningLimit {
    private var bytes = 16 << 20

    /// Whether this value may replace its placeholder.
    mutating func admits(_ value: TemplateText) -> Bool {
        for piece in value.pieces where bytes > 0 {
            switch piece {
            case .literal(let text), .placeholder(let text): bytes -= text.utf8.count + 1
            }
        }
        return bytes > 0
    }
}
