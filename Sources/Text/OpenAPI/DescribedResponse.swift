import ReqcliJSONSchema
package import ReqcliText

/// The description of all responses with a certain status.
package struct DescribedResponse: Sendable {
    /// The status as in the description: `200`, `4XX` or `default`.
    package let status: String
    package let contents: [Content]
    package let headers: [Header]
    /// The place of the status.
    package let place: Place

    /// A body in a range of media types.
    package struct Content: Sendable {
        package let range: MediaRange
        /// The range as written in the description.
        package let text: String
        /// The number under which the contract keeps the schema; nil for a body that has no schema, or is not JSON.
        package let schema: Int?
        package let place: Place
    }

    /// The precision with which this description matches a status; nil if it doesn't match. Of several descriptions, the most
    /// precise one is used.
    package func precision(for code: Int) -> Int? {
        if status == String(code) { return 2 }
        if status.lowercased() == "\(code / 100)xx" { return 1 }
        return status == "default" ? 0 : nil
    }

    package struct Header: Sendable {
        package let name: String
        package let isRequired: Bool
        /// The number under which the contract keeps the schema.
        package let schema: Int?
        /// The rules for converting the string of the header to a value.
        package let reading: HeaderReading
        package let place: Place
    }
}

extension OpenAPIContract.State {
    mutating func makeResponses(
        of outline: OpenAPIOutline
    ) -> (Result<[DescribedResponse], OpenAPIProblem>, warnings: [Diagnostic]) {
        let known = document.brokenReferences.count
        var problems: [Diagnostic] = []
        let responses = document.responses(of: outline).map { response in
            DescribedResponse(
                status: response.status, contents: response.contents.compactMap { content($0, &problems) },
                headers: response.headers?.members.compactMap { header($0, &problems) } ?? [], place: response.place)
        }
        let warnings = problems.filter { $0.severity != .error }
        problems = document.brokenReferences[known...].map(\.diagnostic) + problems.filter { $0.severity == .error }
        return (problems.isEmpty ? .success(responses) : .failure(OpenAPIProblem(problems)), warnings)
    }

    private mutating func content(
        _ content: OpenAPIContent, _ problems: inout [Diagnostic]
    ) -> DescribedResponse.Content? {
        guard let range = MediaRange(content.mediaType) else {
            problems.append(
                Diagnostic(
                    code: .openAPI, "\"\(content.mediaType)\" is not a media type", at: content.place,
                    hint: "expected a media type such as application/json"))
            return nil
        }
        return DescribedResponse.Content(
            range: range, text: content.mediaType,
            schema: range.mayBeJSON ? content.schema.flatMap { compiled($0, &problems) } : nil, place: content.place)
    }

    private mutating func header(
        _ member: JSONValue.Member, _ problems: inout [Diagnostic]
    ) -> DescribedResponse.Header? {
        // `Content-Type` is skipped, because the media type states it already (OpenAPI 3.1, section 4.8.17).
        guard let value = document.resolve(member.value), value.kind == .object,
            member.name.lowercased() != "content-type"
        else { return nil }
        let media = document.resolve(value["content"]?.members.first { _ in true }?.value)
        let schema = media?["schema"] ?? value["schema"]
        return DescribedResponse.Header(
            name: member.name, isRequired: value["required"]?.bool == true,
            schema: schema.flatMap { compiled($0, &problems) },
            reading: HeaderReading(
                of: schema, isJSON: media != nil, isExploded: value["explode"]?.bool == true, &document),
            place: member.key.place)
    }

    private mutating func compiled(_ schema: JSONValue, _ problems: inout [Diagnostic]) -> Int? {
        guard schema.isSchema else {
            problems.append(
                Diagnostic(code: .openAPI, "expected a schema: an object, true or false", at: schema.place))
            return nil
        }
        let path = document.references.path(of: schema)
        let (node, found) = compiler.add(schema, inFileAt: path.isEmpty ? document.files.mainName : path)
        problems += found
        return node
    }
}

extension BrokenReference {
    var diagnostic: Diagnostic {
        Diagnostic(code: .openAPI, "cannot follow \"\(reference)\": \(reason)", at: place)
    }
}
