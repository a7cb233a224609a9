package import ReqcliText

/// The successful response of an endpoint as the description of its API has it. Unlike an expectation, it makes the endpoint no
/// case of `check`, so it can be stated for a request that changes something on the server.
package struct ResponseDescription: Sendable {
    package var status: Int?
    package var schema: JSONValue?

    static let table = ObjectShape<ResponseDescription>(
        "response", title: "\"response\"",
        summary: "A description of the successful response, which reqcli doesn't check.",
        [
            Field("status", .status, "The status; 200 by default.") { $0.status = $1 },
            Field(
                "schema", .jsonSchema, required: true,
                "A JSON Schema for the body: the name of a file below schemas/, or the schema itself. `generate swift --models` makes it the type of the response."
            ) {
                if case .plain(let source) = $1 { $0.schema = source }
            },
        ], initial: { _ in ResponseDescription() })
}
