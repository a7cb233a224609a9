/// Limits what the values of variables add to the texts of a source: a value that refers to another one twice doubles it.
struct InliningLimit {
    private var bytes = 16 << 20

    /// Whether this value may take the place of its placeholder.
    mutating func admits(_ value: TemplateText) -> Bool {
        for piece in value.pieces where bytes > 0 {
            switch piece {
            case .literal(let text), .placeholder(let text): bytes -= text.utf8.count + 1
            }
        }
        return bytes > 0
    }
}
