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
        // Bytes, because finding the characters of all texts takes 9 % of the instructions of `validate`.
        let strings = text.utf8.prefix(300).split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let key = strings.firstIndex(where: { $0 == "$id" || $0 == "id" }), key + 2 < strings.count else {
            return nil
        }
        let uri = strings[key + 2]
        return uri.hasSuffix("#") ? String(uri.dropLast()) : uri
    }
}
