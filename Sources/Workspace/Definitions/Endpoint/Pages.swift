import ReqcliText

/// The way in which a list continues over several responses.
package struct Pages: Sendable {
    package enum Next: Sendable {
        /// The URL of a link with this relation, in the header `Link`.
        case link(String)
        /// A URL in the body.
        case url(Located<String>)
        /// A value of the body that becomes a query item.
        case cursor(Located<String>, query: String)
        /// A page number in a query item. Pages are counted up to the first page without items.
        case count(query: String, from: Int)
    }

    /// The JSONPath of the list of items; nil if the body itself is the list.
    package var items: Located<String>?
    package var next: Next?

    static let table = ObjectShape<Pages>(
        "pages", title: "\"pages\"", summary: "How `send --paginate` gets all pages of a list.",
        [
            Field(
                "items", .jsonPath,
                "A JSONPath that selects the items, or a list of the items. By default, the body is the list."
            ) {
                $0.items = $1
            },
            Field("next", nextTable.shape.map(\.next), required: true, "Where to find the next page.") { $0.next = $1 },
        ], initial: { _ in Pages() })

    private struct Draft: Sendable {
        var link: String?
        var json: Located<String>?
        var query: String?
        var count: String?
        var from = 1

        var next: Next? {
            if let link { return .link(link) }
            if let count { return .count(query: count, from: from) }
            return json.map { json in query.map { .cursor(json, query: $0) } ?? .url(json) }
        }
    }

    private static let nextTable = ObjectShape<Draft>(
        "next", title: "\"next\"",
        summary: "Where to find the next page. A response without such a value is the last page.",
        [
            Field(
                "link", .nonEmpty("a relation such as \"next\""), "The relation (\"rel\") of a link in the Link header."
            ) {
                $0.link = $1
            },
            Field(
                "json", .jsonPath, "A JSONPath of the next page's URL, or of a value for the query item in \"query\"."
            ) {
                $0.json = $1
            },
            Field("query", .plainName("a query item"), "The query item that is set to the value at \"json\".") {
                $0.query = $1
            },
            Field(
                "count", .plainName("a query item"),
                "The query item for the page number. A page without items ends the list."
            ) {
                $0.count = $1
            },
            Field("from", .integer(0...1_000_000), "The number of the first page, 1 by default.") { $0.from = $1 },
        ],
        rules: [.exactlyOne(["link", "json", "count"]), .needs("query", "json"), .needs("from", "count")],
        initial: { _ in Draft() })
}
