package import ReqcliText

/// The condition that the response agrees with an operation in an OpenAPI description.
package struct OpenAPIExpectation: Sendable {
    /// The path of the description, relative to the workspace's root.
    package var file: Located<String>
    /// The id of the operation; nil to find it by method and path.
    package var operation: Located<String>?
    /// Whether a flag adds this condition. All other conditions still apply then, even the default condition that the status is
    /// 2xx.
    package let isAdded: Bool
    package let place: Place

    package init(
        file: Located<String>, operation: Located<String>? = nil, isAdded: Bool = false, at place: Place
    ) {
        (self.file, self.operation, self.isAdded, self.place) = (file, operation, isAdded, place)
    }

    static let shape = Shape<OpenAPIExpectation>.object(
        table, or: Shape<Located<String>>.located(path), expects: "the path of an OpenAPI description, or an object"
    ) { OpenAPIExpectation(file: $0, at: $1) }

    private static let path = Shape<String>.nonEmpty("the path of a file")

    private static let table = ObjectShape<OpenAPIExpectation>(
        "openapi", title: "\"openapi\"",
        summary: "An OpenAPI description that status, headers and body must match.",
        [
            Field(
                "file", .located(path), required: true,
                "The path of the description, OpenAPI 3.0, 3.1 or 3.2 as JSON or YAML, from the workspace's root."
            ) { $0.file = $1 },
            Field(
                "operation", .located(.nonEmpty("an \"operationId\"")),
                "The `operationId` of the operation. By default, the operation is found by method and path."
            ) { $0.operation = $1 },
        ], initial: { OpenAPIExpectation(file: Located("", at: $0.headPlace), at: $0.headPlace) })
}
