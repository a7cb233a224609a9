import ReqcliBasics
package import ReqcliText

/// An operation as written in the description, before its parameters, body and responses are read.
package struct OpenAPIOutline: Sendable {
    /// The method, in capital letters; a custom method is unchanged.
    package let method: String
    /// The path with parameters in braces: `/orders/{id}`.
    package let path: String
    /// The operation's location as a URI fragment: `#/paths/~1orders/post`.
    package let pointer: String
    /// The place of the operation's key.
    package let place: Place
    package let value: JSONValue
    /// The object of the path, which contains what all operations of the path share.
    let item: JSONValue

    package var id: String? { value["operationId"]?.string }
    /// The servers that the operation or its path names. They replace the servers of the description.
    package var servers: JSONValue? { value["servers"] ?? item["servers"] }
}

/// An operation of a description: a method of a path.
package struct OpenAPIOperation: Sendable {
    /// The method, in capital letters; a custom method is unchanged.
    package let method: String
    /// The path with parameters in braces: `/orders/{id}`.
    package let path: String
    /// The operation's location as a URI fragment: `#/paths/~1orders/post`.
    package let pointer: String
    /// The place of the operation's key.
    package let place: Place
    package let value: JSONValue
    /// The operation's own parameters and the parameters of its path.
    package let parameters: [OpenAPIParameter]
    package let body: OpenAPIBody?
    /// The responses in the order of the description.
    package let responses: [OpenAPIResponse]
    /// The servers that the operation or its path names. They replace the servers of the description.
    package let servers: JSONValue?

    package var id: String? { value["operationId"]?.string }
    package var isDeprecated: Bool { value["deprecated"]?.bool == true }
    package var tags: [String] { value["tags"]?.elements.compactMap(\.string) ?? [] }
    /// The alternative credentials that the operation names. They replace the credentials of the description.
    package var security: JSONValue? { value["security"] }
}

/// A parameter of an operation, or a field of a form in Swagger 2.0.
package struct OpenAPIParameter: Sendable {
    package enum Location: String, Sendable {
        case path, query, header, cookie
        /// The whole query as one value.
        case querystring
        case form = "formData"
    }

    /// The way in which a list or an object is written as a string.
    package enum Style: String, Sendable {
        case form, simple, label, matrix, spaceDelimited, pipeDelimited, tabDelimited, deepObject, cookie
    }

    package let name: String
    package let location: Location
    package let isRequired: Bool
    package let isDeprecated: Bool
    package let description: String?
    /// The schema of the value. In Swagger 2.0 this is the parameter itself.
    package let schema: JSONValue?
    package let style: Style
    package let isExploded: Bool
    /// The media type in which the value is written, if the parameter names one.
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
    /// The fields of a form in Swagger 2.0. Such a form has no schema.
    package let fields: [OpenAPIParameter]
    package let examples: [OpenAPIExample]
    /// The encodings of a form's members, by name.
    package let encoding: JSONValue?
    package let place: Place

    /// The media type in lowercase letters, without parameters.
    package var plainType: String { MediaType(mediaType).name }

    package var isJSON: Bool { MediaType(mediaType).isJSON }
}

package struct OpenAPIExample: Sendable {
    /// The example's name; nil for the only example.
    package let name: String?
    package let summary: String?
    /// The example's value; nil if the value is not in the description.
    package let value: JSONValue?
    package let place: Place
}

/// A response of an operation.
package struct OpenAPIResponse: Sendable {
    /// The status as in the description: `200`, `4XX` or `default`.
    package let status: String
    package let description: String?
    package let contents: [OpenAPIContent]
    /// The response's headers by name.
    package let headers: JSONValue?
    /// The key of the response's links.
    package let links: JSONValue?
    package let place: Place

    /// The status; nil for a range and for the default.
    package var code: Int? { status.utf8.count == 3 ? Int(status) : nil }
}
