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
        Keyword("minContains", .count, since: .draft201909),
        Keyword("maxContains", .count, since: .draft201909),

        Keyword("title", .text, in: ["meta-data"]),
        Keyword("description", .text, in: ["meta-data"]),
        Keyword("default", in: ["meta-data"]),
        Keyword("deprecated", .flag, since: .draft201909, in: ["meta-data"]),
        Keyword("readOnly", .flag, since: .draft07, in: ["meta-data"]),
        Keyword("writeOnly", .flag, since: .draft07, in: ["meta-data"]),
        Keyword("examples", since: .draft06, in: ["meta-data"]),
        Keyword("contentEncoding", .text, since: .draft07, in: ["content"]),
        Keyword("contentMediaType", .text, since: .draft07, in: ["content"]),
        Keyword("contentSchema", .schema, since: .draft201909, in: ["content"]),
    ]
}
