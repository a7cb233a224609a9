import Exchange
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONSchema
import ReqcliOpenAPI
import ReqcliText
import RequestBuilding

/// A response that is made from the expectation of an endpoint without stub variants.
enum SampleResponse {
    /// The response; nil if the endpoint expects no schema, or no value that fits it is found.
    static func stub(of endpoint: LocatedEndpoint, in workspace: Workspace) -> Stub? {
        guard let expectation = endpoint.expectation(in: ""), let matcher = expectation.schema,
            case .plain(let source) = matcher.operand, let compiled = workspace.schemas.schema(source).value
        else { return nil }
        let schema = source.string.map { OrderedJSON.object(["$ref": .string($0)]) } ?? OrderedJSON(source)
        let document = OpenAPIDocument(schema: .writing(schema, name: "schema")) { path in
            let whole = workspace.path("\(SchemaStore.folder)/\(path)")
            guard let bytes = try? workspace.files.read(whole, Workspace.largestFile) else {
                return .failure(OpenAPIFileProblem("there is no such file"))
            }
            return .success(SourceFile(name: path, bytes: bytes))
        }
        guard var document else { return nil }
        for usesExamples in [true, false] {
            var maker = SchemaSample(isForRequests: false, usesExamples: usesExamples)
            guard let value = maker.value(of: document.root, &document),
                let root = JSONDocument.writing(value, name: "value").root, compiled.accepts(root)
            else { continue }
            let statuses = expectation.status?.value.map(\.range.lowerBound) ?? []
            return Stub(json: value.compact, status: statuses.first { (200..<300).contains($0) } ?? 200)
        }
        return nil
    }
}
