/// The width to write for.
package enum TerminalWidth {
    package static let fallback = 80

    /// The width from `COLUMNS`, else from the terminal, else 80.
    package static func chosen(columns: String?, window: Int?) -> Int {
        if let columns, let count = Int(columns), count > 0 { return count }
        if let window, window > 0 { return window }
        return fallback
    }
}
