package import ReqcliText

/// The body of a request.
package enum ImportedBody: Sendable, Equatable {
    case json(OrderedJSON)
    case text(String)
    case base64(String)
    /// The path of a file.
    case file(String)
    /// Names of fields, each with a string or a list of strings.
    case form([OrderedJSON.Member])
    /// Names of parts, each with a part or a list of parts.
    case multipart([OrderedJSON.Member])
    /// The keys of a GraphQL operation.
    case graphQL([OrderedJSON.Member])

    static func graphQL(
        _ query: String, variables: OrderedJSON?, operationName: OrderedJSON? = nil
    ) -> ImportedBody {
        .graphQL(.present(["query": .string(query), "variables": variables, "operationName": operationName]))
    }

    /// The JSON in which placeholders may stand for JSON.
    var json: OrderedJSON? {
        switch self {
        case .json(let value): value
        case .graphQL(let members): .object(members)
        case .text, .base64, .file, .form, .multipart: nil
        }
    }

    /// The fields of a form, or the parts of a multipart body.
    var fields: [OrderedJSON.Member] {
        switch self {
        case .form(let fields), .multipart(let fields): fields
        case .json, .text, .base64, .file, .graphQL: []
        }
    }

    /// Changes every string that may have placeholders.
    func mappingTexts(_ change: (TextRole, String) -> String) -> ImportedBody {
        switch self {
        case .json(let value): .json(value.mapped(named: nil, change))
        case .text(let text): .text(change(.other, text))
        case .base64(let text): .base64(change(.other, text))
        case .file(let path): .file(change(.file, path))
        case .form(let fields): .form(fields.mapped(change))
        case .graphQL(let members):
            .graphQL(members.mapped { role, text in change(role == .named("file") ? .file : role, text) })
        case .multipart(let parts):
            .multipart(
                parts.map { part in
                    let value = part.value.mapped(named: nil) { role, text in
                        switch role {
                        case .named("text"): change(.named(part.name), text)
                        case .named("file"): change(.file, text)
                        default: change(.other, text)
                        }
                    }
                    return OrderedJSON.Member(part.name, value)
                })
        }
    }
}

extension OrderedJSON {
    /// A part of a multipart body, whose content is a text or a file.
    static func part(
        text: OrderedJSON? = nil, file: String? = nil, filename: String? = nil, contentType: String? = nil
    ) -> OrderedJSON {
        .object([
            "text": text, "file": file.map { .string($0) }, "filename": filename.map { .string($0) },
            "contentType": contentType.map { .string($0) },
        ])
    }
}
