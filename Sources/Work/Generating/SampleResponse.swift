import Exchange
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONSchema
import ReqcliOpenAPI
import ReqcliText
import RequestBuilding

/// A response that is made from the schema of an endpoint without stub variants.
enum SampleResponse {
    /// The response; nil if the endpoint's response has no schema, or no value that fits it is found.
    static func stub(of endpoint: LocatedEndpoint, in workspace: Workspace) -> Stub? {
        guard let source = endpoint.responseSchema(in: ""), let compiled = workspace.schemas.schema(source).value
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
            return Stub(json: value.compact, status: endpoint.successStatus(in: ""))
        }
        return nil
    }
}
