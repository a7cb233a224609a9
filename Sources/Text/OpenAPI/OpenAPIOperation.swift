import ReqcliBasics
package import ReqcliText

/// An operation of a description as it is written.
package struct OpenAPIOutline: Sendable {
    /// In capital letters, but for methods of one's own.
    package let method: String
    /// The path with parameters in braces: `/orders/{id}`.
    package let path: String
    /// Where it is, as a fragment: `#/paths/~1orders/post`.
    package let pointer: String
    /// The place of its key.
    package let place: Place
    package let value: JSONValue
    /// What is around it: what the operations of its path share.
    let item: JSONValue

    package var id: String? { value["operationId"]?.string }
    /// The servers that it or its path names in place of the description's.
    package var servers: JSONValue? { value["servers"] ?? item["servers"] }
}

/// An operation of a description: a method of a path.
package struct OpenAPIOperation: Sendable {
    /// In capital letters, but for methods of one's own.
    package let method: String
    /// The path with parameters in braces: `/orders/{id}`.
    package let path: String
    /// Where it is, as a fragment: `#/paths/~1orders/post`.
    package let pointer: String
    /// The place of its key.
    package let place: Place
    package let value: JSONValue
    /// Its own parameters and those of its path.
    package let parameters: [OpenAPIParameter]
    package let body: OpenAPIBody?
    /// The responses in the order of the description.
    package let responses: [OpenAPIResponse]
    /// The servers that it or its path names in place of the description's.
    package let servers: JSONValue?

    package var id: String? { value["operationId"]?.string }
    package var isDeprecated: Bool { value["deprecated"]?.bool == true }
    package var tags: [String] { value["tags"]?.elements.compactMap(\.string) ?? [] }
    /// The alternatives of credentials that it names in place of the description's.
    package var security: JSONValue? { value["security"] }
}

/// A parameter of an operation, or a field of a form as Swagger 2.0 has it.
package struct OpenAPIParameter: Sendable {
    package enum Location: String, Sendable {
        case path, query, header, cookie
        /// The whole query as one value.
        case querystring
        case form = "formData"
    }

    /// How a list or an object becomes text.
    package enum Style: String, Sendable {
        case form, simple, label, matrix, spaceDelimited, pipeDelimited, tabDelimited, deepObject, cookie
    }

    package let name: String
    package let location: Location
    package let isRequired: Bool
    package let description: String?
    /// What a value must be. In Swagger 2.0 it is the parameter itself.
    package let schema: JSONValue?
    package let style: Style
    package let isExploded: Bool
    /// The media type of a value that is text of a format of its own.
    package let mediaType: String?
    package let examples: [OpenAPIExample]
    package let place: Place
}

/// The body of a request.
package struct OpenAPIBody: Sendable {
    package let isRequired: Bool
    package let description: String?
    package let contents: [OpenAPIContent]
    package let place: Place
}

/// A body in one media type.
package struct OpenAPIContent: Sendable {
    package let mediaType: String
    package let schema: JSONValue?
    /// The fields of a form of Swagger 2.0, which has no schema.
    package let fields: [OpenAPIParameter]
    package let examples: [OpenAPIExample]
    /// How the members of a form are written, by name.
    package let encoding: JSONValue?
    package let place: Place

    /// The media type in lowercase letters, without parameters.
    package var plainType: String { MediaType(mediaType).name }

    package var isJSON: Bool { MediaType(mediaType).isJSON }
}

package struct OpenAPIExample: Sendable {
    /// Nil for the only one.
    package let name: String?
    package let summary: String?
    /// Nil for one that stands elsewhere.
    package let value: JSONValue?
    package let place: Place
}

/// A response of an operation.
package struct OpenAPIResponse: Sendable {
    /// `200`, `4XX` or `default`.
    package let status: String
    package let description: String?
    package let contents: [OpenAPIContent]
    /// Its headers by name.
    package let headers: JSONValue?
    /// The key of its links.
    package let links: JSONValue?
    package let place: Place

    /// The status; nil for a range and for the default.
    package var code: Int? { status.utf8.count == 3 ? Int(status) : nil }
}
