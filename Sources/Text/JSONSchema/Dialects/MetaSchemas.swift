/// The metaschemas of the drafts, without titles, descriptions and defaults. A schema may refer to a metaschema, and each schema
/// is checked against the metaschema of its draft.
enum MetaSchemas {
    /// The text of each metaschema by its URI.
    static let texts: [String: String] = {
        var texts: [String: String] = [:]
        for text in draft202012 + draft201909 + olderDrafts + [openAPI30Text] {
            if let uri = identifier(in: text) { texts[uri] = text }
        }
        return texts
    }()

    /// The value of `$id` or `id`, which is one of the first two members of each text.
    private static func identifier(in text: String) -> String? {
        let strings = text.prefix(300).split(separator: "\"", omittingEmptySubsequences: false)
        guard let key = strings.firstIndex(where: { $0 == "$id" || $0 == "id" }), key + 2 < strings.count else {
            return nil
        }
        let uri = strings[key + 2]
        return String(uri.hasSuffix("#") ? uri.dropLast() : uri)
    }
}
