extension Keyword {
    /// Keywords that assert nothing themselves: annotations, and keywords that the loader or the rule of another keyword reads.
    static let notes = [
        Keyword("$schema", in: ["core"]),
        Keyword("id", until: .draft04, in: ["core"]),
        Keyword("$id", since: .draft06, in: ["core"]),
        Keyword("$comment", since: .draft07, in: ["core"]),
        Keyword("$anchor", since: .draft201909, in: ["core"]),
        Keyword("$vocabulary", since: .draft201909, in: ["core"]),
        Keyword("$defs", .schemasByName, since: .draft201909, in: ["core"]),
        // Later drafts keep this keyword for references to old definitions.
        Keyword("definitions", .schemasByName, in: ["core"]),
        Keyword("$recursiveAnchor", since: .draft201909, until: .draft201909, in: ["core"]),
        Keyword("$dynamicAnchor", since: .draft202012, in: ["core"]),

        // These two keywords change what `contains` requires.
        Keyword("minContains", since: .draft201909),
        Keyword("maxContains", since: .draft201909),

        Keyword("title", in: ["meta-data"]),
        Keyword("description", in: ["meta-data"]),
        Keyword("default", in: ["meta-data"]),
        Keyword("deprecated", since: .draft201909, in: ["meta-data"]),
        Keyword("readOnly", since: .draft07, in: ["meta-data"]),
        Keyword("writeOnly", since: .draft07, in: ["meta-data"]),
        Keyword("examples", since: .draft06, in: ["meta-data"]),
        Keyword("contentEncoding", since: .draft07, in: ["content"]),
        Keyword("contentMediaType", since: .draft07, in: ["content"]),
        Keyword("contentSchema", .schema, since: .draft201909, in: ["content"]),
    ]
}
