import ReqcliDefinitions

/// The rules of a format with `{{name}}`: how the format writes open values, and how it treats braces that don't begin a
/// placeholder.
struct TemplateDialect: Sendable {
    enum Place: Sendable {
        /// Scheme, host and port of a URL, or the variable for them.
        case server
        /// The path or the query of a URL.
        case url
        case header
        case text
        /// Inside the quotes of a JSON string.
        case json
    }

    /// The format's own placeholder for a value that is generated for each request; nil if it has none with the same meaning.
    let generated: @Sendable (_ placeholder: String) -> String?
    /// A text without placeholders, as the format reads it at a place.
    let literal: @Sendable (String, Place) -> String
    /// Whether `literal` escapes braces that don't begin a placeholder. If true, `literal` does this at every place.
    let escapesBraces: Bool
    /// Whether a variable can have this value.
    let holds: @Sendable (String) -> Bool
    /// Whether the format adds the Content-Type that a kind of body has by default.
    let impliesContentType: Bool
}
