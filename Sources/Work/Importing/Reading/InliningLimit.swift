/// Limits the number of bytes that the values of variables add to the strings of a source. Without a limit, a chain of values,
/// each of which refers to the next value twice, could double the length with each step.
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
