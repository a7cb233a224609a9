import ReqcliDefinitions

/// Rules of a format with `{{name}}`: how it writes open values, and how it treats braces that don't begin a placeholder.
struct TemplateDialect: Sendable {
    enum Place: Sendable {
        case url
        case header
        case text
        /// Inside the quotes of a JSON string.
        case json
    }

    /// A placeholder for a value that is made for each request; nil if the format has none.
    let generated: @Sendable (Placeholder.Generated) -> String?
    /// A text without placeholders, as the format reads it at a place.
    let literal: @Sendable (String, Place) -> String
    /// Whether `literal` escapes braces that don't begin a placeholder, at every place.
    let escapesBraces: Bool
    /// Whether a variable can have this value.
    let holds: @Sendable (String) -> Bool
    /// Whether a request can take this from its response.
    let captures: @Sendable (Capture) -> Bool
    /// Whether the format adds the Content-Type that a kind of body has by default.
    let impliesContentType: Bool
    /// Whether a part of a request can be disabled, so that it is in the file but isn't sent.
    let hasDisabledParts: Bool
}
