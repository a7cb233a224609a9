import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliText

/// Schemas of `expect.openapi`.
extension ModelWriter {
    /// A description of an API with its operations in their order.
    struct Description {
        let root: JSONValue
        let operations: [OpenAPIOperation]
    }

    /// The sources of the types, for the line at the top of the file.
    var sourceNames: [String] {
        (sources.count > descriptions.count || descriptions.isEmpty ? ["schemas/"] : []) + descriptions.keys.sorted()
    }

    /// The schema that the description has for a successful response. If there is no such schema, returns nil and adds a note.
    mutating func schema(of endpoint: LocatedEndpoint, _ expectation: OpenAPIExpectation) -> (JSONValue, Context)? {
        guard let (description, operation) = operation(of: endpoint, expectation) else {
            return leave("a response whose operation depends on the request", endpoint, expectation)
        }
        let contents = operation.responses.filter { response in
            response.status.hasPrefix("2")
        }.compactMap { response in response.contents.first { $0.isJSON && $0.schema != nil } }
        guard let schema = contents.first?.schema else {
            return leave("a response without a JSON schema in the description", endpoint, expectation)
        }
        if contents.count > 1 {
            notes.append(
                ConversionNote(
                    .lost, "the type is that of the first successful response in the description", endpoint.id,
                    at: expectation.file.place)
            )
        }
        return (schema, context(description, expectation))
    }

    /// The schema that the description has for the body in JSON of the endpoint's request.
    mutating func describedBody(of endpoint: LocatedEndpoint) -> (JSONValue, Context)? {
        guard let expectation = endpoint.expectation(in: "")?.openAPI,
            let (description, operation) = operation(of: endpoint, expectation),
            let schema = operation.body?.contents.first(where: \.isJSON)?.schema
        else { return nil }
        return (schema, context(description, expectation))
    }

    private func context(_ description: Description, _ expectation: OpenAPIExpectation) -> Context {
        Context(file: "", root: description.root, owner: expectation.file.value, isDescribed: true)
    }

    private mutating func leave(
        _ what: String, _ endpoint: LocatedEndpoint, _ expectation: OpenAPIExpectation
    ) -> (JSONValue, Context)? {
        notes.append(ConversionNote(.lost, "\(what) has no type", endpoint.id, at: expectation.file.place))
        return nil
    }

    /// The operation that the expectation names, else the only operation that fits the endpoint's method and path.
    private mutating func operation(
        of endpoint: LocatedEndpoint, _ expectation: OpenAPIExpectation
    ) -> (Description, OpenAPIOperation)? {
        guard let contract = workspace.schemas.description(at: expectation.file).value,
            let description = description(at: expectation.file.value)
        else { return nil }
        if let named = expectation.namedOperation(in: contract).value {
            return (description, description.operations[named])
        }
        guard expectation.operation == nil else { return nil }
        let path = endpoint.path(in: nil)
        let segments = path.drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.contains("{{") ? nil : $0.removingPercentEncoding ?? String($0) }
        let found = contract.candidates(endpoint.method, segments, isWhole: path.hasPrefix("/"))
        return found.count == 1 ? (description, description.operations[found[0]]) : nil
    }

    private mutating func description(at path: String) -> Description? {
        if let known = descriptions[path] { return known }
        guard let bytes = try? workspace.files.read(workspace.path(path), Workspace.largestFile) else { return nil }
        let source = SourceFile(name: workspace.shown(path), bytes: bytes)
        guard
            var document = try? OpenAPIDocument.read(
                source, loading: { _ in .failure(OpenAPIFileProblem("only the description itself is read")) })
        else { return nil }
        add(source)
        let description = Description(root: document.root, operations: document.operations())
        descriptions[path] = description
        return description
    }
}
