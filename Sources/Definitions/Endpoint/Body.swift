package import SourceText

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
        case graphQL(query: TextTemplate, variables: ValueTemplate?, operation: TextTemplate?)
    }

    package let content: Content
    package let place: Place

    /// One part of a multipart body.
    package struct Part: Sendable {
        package enum Source: Sendable {
            case value(ValueTemplate)
            /// A file, with its path relative to the workspace's root.
            case file(TextTemplate)
        }

        package var source: Source?
        package var fileName: TextTemplate?
        package var contentType: TextTemplate?

        var placeholders: [Located<Placeholder>] {
            let own = [fileName, contentType].compactMap(\.self).flatMap(\.placeholders)
            switch source {
            case .value(let value): return value.placeholders + own
            case .file(let path): return path.placeholders + own
            case nil: return own
            }
        }
    }

    package var placeholders: [Located<Placeholder>] {
        switch content {
        case .json(let value): value.placeholders
        case .text(let text), .file(let text): text.placeholders
        case .form(let fields): fields.flatMap { $0.value.value.value ?? [] }.flatMap(\.placeholders)
        case .multipart(let parts): parts.flatMap(\.value.placeholders)
        case .base64: []
        case .graphQL(let query, let variables, let operation):
            query.placeholders + (variables?.placeholders ?? []) + (operation?.placeholders ?? [])
        }
    }
}

// MARK: - Tables

extension Body {
    struct Draft: Sendable {
        var content: Content?
        let place: Place
    }

    static let shape = table.shape.map { draft in draft.content.map { Body(content: $0, place: draft.place) } }

    private static let table = ObjectShape<Draft>(
        "body", title: "\"body\"",
        summary: "The body of the request: one of these. Each one sets a Content-Type, which a header can replace.",
        [
            Field("json", .anyValue, "JSON, with placeholders in its strings (application/json).") {
                $0.content = .json($1)
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
                "Fields and files (multipart/form-data); a list gives several parts of one name."
            ) { draft, fields in
                draft.content = .multipart(
                    fields.flatMap { field in field.value.map { Named(field.name, at: field.namePlace, $0) } })
            },
            Field(
                "file", .filePath,
                "A file, streamed; its path is relative to the workspace's root (application/octet-stream)."
            ) {
                $0.content = .file($1)
            },
            Field("base64", .located(.base64), "Bytes, as base64 (application/octet-stream).") {
                $0.content = .base64($1)
            },
            Field("graphql", graphQL.shape, "A GraphQL operation (application/json).") { draft, operation in
                if let query = operation.query {
                    draft.content = .graphQL(
                        query: query, variables: operation.variables, operation: operation.operationName)
                }
            },
        ],
        rules: [.exactlyOne(["json", "text", "form", "multipart", "file", "base64", "graphql"])],
        initial: { Draft(place: $0.place) })

    private struct GraphQL: Sendable {
        var query: TextTemplate?
        var variables: ValueTemplate?
        var operationName: TextTemplate?
    }

    private static let graphQL = ObjectShape<GraphQL>(
        "graphql", title: "\"graphql\"", summary: "A GraphQL operation.",
        [
            Field("query", .template, required: true, #"The document; in JSON, "\\{{" is a literal {{."#) {
                $0.query = $1
            },
            Field("variables", .objectValue, "Its variables.") { $0.variables = $1 },
            Field("operationName", .template, "Which operation of the document to run.") { $0.operationName = $1 },
        ], initial: { _ in GraphQL() })

    static let partTable = ObjectShape<Part>(
        "part", title: "a part", summary: "One part of a multipart body.",
        [
            Field("text", .scalarValue, "Its text.") { $0.source = .value($1) },
            Field("file", .filePath, "A file; its path is relative to the workspace's root.") { $0.source = .file($1) },
            Field("filename", .template, "The file name that is sent to the server.") { $0.fileName = $1 },
            Field("contentType", .template, "Its Content-Type.") { $0.contentType = $1 },
        ], rules: [.exactlyOne(["text", "file"])], initial: { _ in Part() })
}

extension Shape where Value == Body.Part {
    /// A plain value, or an object with more properties of the part.
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
