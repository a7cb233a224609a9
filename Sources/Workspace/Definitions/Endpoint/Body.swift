import ReqcliFunctions
package import ReqcliText

/// The body of a request.
package struct Body: Sendable {
    package enum Content: Sendable {
        case json(ValueTemplate)
        case text(TextTemplate)
        case form([Named<Setting<[ValueTemplate]>>])
        /// Parts in order; several may have the same name.
        case multipart([Named<Part>])
        case file(TextTemplate)
        case base64(Located<[UInt8]>)
        case graphQL(GraphQL)
    }

    /// The source of a part's content, or of a GraphQL document.
    package enum Source: Sendable {
        case value(ValueTemplate)
        /// A file, with its path relative to the workspace's root.
        case file(TextTemplate)

    }

    package let content: Content
    /// The JSON Schema of a body in JSON, which generated code makes the type of the body.
    package var schema: JSONValue?
    package let place: Place

    /// One part of a multipart body.
    package struct Part: Sendable {
        package var source: Source?
        package var fileName: TextTemplate?
        package var contentType: TextTemplate?
    }

    /// A GraphQL operation.
    package struct GraphQL: Sendable {
        /// The GraphQL document. If the document is in a file, the text of the file is sent unchanged.
        package var document: Source?
        /// The variables. Nil if the document's variables get the values of the params with the same names.
        package var variables: ValueTemplate?
        package var operationName: TextTemplate?
    }

    package var isGraphQL: Bool { if case .graphQL = content { true } else { false } }
}

// MARK: - Tables

extension Body {
    struct Draft: Sendable {
        var content: Content?
        var schema: JSONValue?
        let place: Place
    }

    static let shape = table.shape.map { draft in
        draft.content.map { Body(content: $0, schema: draft.schema, place: draft.place) }
    }

    private static let table = ObjectShape<Draft>(
        "body", title: "\"body\"",
        summary:
            "The body of the request: one of these keys. Each key sets a Content-Type, which a header can replace.",
        [
            Field("json", .anyValue, "JSON, with placeholders in its strings (application/json).") {
                $0.content = .json($1)
            },
            Field(
                "schema", .jsonSchema,
                "A JSON Schema for `json`, as in the description of the API: the name of a file below schemas/, or the schema itself. `generate swift --models` makes it the type of the body."
            ) {
                if case .plain(let source) = $1 { $0.schema = source }
            },
            Field("text", .template, "Text (text/plain).") { $0.content = .text($1) },
            Field(
                "form",
                .dictionary(
                    of: .setting(.fieldValues), keys: .plainName("a form field"),
                    expects: "an object of fields and values"),
                "Fields of a form (application/x-www-form-urlencoded)."
            ) { $0.content = .form($1) },
            Field(
                "multipart",
                .dictionary(of: .oneOrMore(.part), keys: .plainName("a part"), expects: "an object of parts"),
                "Fields and files (multipart/form-data). A list becomes several parts with the same name."
            ) { draft, fields in
                draft.content = .multipart(
                    fields.flatMap { field in field.value.map { Named(field.name, at: field.namePlace, $0) } })
            },
            Field(
                "file", .filePath,
                "A file that is sent as a stream, as application/octet-stream. Its path is relative to the workspace's root."
            ) {
                $0.content = .file($1)
            },
            Field("base64", .located(.base64), "Bytes, as base64 (application/octet-stream).") {
                $0.content = .base64($1)
            },
            Field("graphql", GraphQL.table.shape, "A GraphQL operation (application/json).") { draft, operation in
                if operation.document != nil { draft.content = .graphQL(operation) }
            },
        ],
        rules: [
            .exactlyOne(["json", "text", "form", "multipart", "file", "base64", "graphql"]), .needs("schema", "json"),
        ],
        initial: { Draft(place: $0.place) })

    static let partTable = ObjectShape<Part>(
        "part", title: "a part", summary: "One part of a multipart body.",
        [
            Field("text", .scalarValue, "The text of the part.") { $0.source = .value($1) },
            Field("file", .filePath, "The file that the part contains. Its path is relative to the workspace's root.") {
                $0.source = .file($1)
            },
            Field("filename", .template, "The file name that is sent to the server.") { $0.fileName = $1 },
            Field(
                "contentType", .template,
                "The Content-Type of the part. By default, the type that curl sends for the file name: \"image/png\" for a.png."
            ) { $0.contentType = $1 },
        ], rules: [.exactlyOne(["text", "file"])], initial: { _ in Part() })
}

extension Body.GraphQL {
    fileprivate static let table = ObjectShape<Body.GraphQL>(
        "graphql", title: "\"graphql\"", summary: "A GraphQL operation.",
        [
            Field("query", .template, #"The GraphQL document. In JSON, "\\{{" is a literal "{{"."#) {
                $0.document = .value(.text($1))
            },
            Field(
                "file", .filePath,
                "A file with the document, sent unchanged. Its path is relative to the workspace's root."
            ) { $0.document = .file($1) },
            Field(
                "variables", .objectValue,
                "The variables of the operation. By default, each variable that the document uses gets the value of the param with the same name."
            ) { $0.variables = $1 },
            Field("operationName", .template, "The name of the operation to run, if the document has several.") {
                $0.operationName = $1
            },
        ], rules: [.exactlyOne(["query", "file"])], initial: { _ in Body.GraphQL() })
}

extension Shape where Value == Body.Part {
    /// One part of a multipart body: a plain value, or an object with more properties.
    static let part = object(
        Body.partTable, or: .scalarValue, expects: "a value, or an object with \"text\" or \"file\"", isSwitch: true
    ) { value, _ in
        Body.Part(source: .value(value))
    }
}

extension Shape where Value == [UInt8] {
    static let base64 = Shape(expects: "bytes as base64", schema: .text(pattern: "^[A-Za-z0-9+/=\\s]*$")) {
        $0.string.flatMap(Base64.decode)
    }
}
