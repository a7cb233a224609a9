import ReqcliDefinitions
import ReqcliJSONSchema
import ReqcliOpenAPI
import ReqcliText

/// A value of a description that must fit a schema.
struct SampleCheck {
    enum Kind {
        case param(String)
        /// A variant. The body of the variant is either made from the schema or an example of the description.
        case variant(String, isMade: Bool)
    }

    /// The index of the request.
    let request: Int
    let kind: Kind
    /// The schema as endpoint files refer to it.
    let schema: OrderedJSON
    /// The schema as the description has it.
    let source: JSONValue?
    let place: Place
}

extension OpenAPIReader {
    /// Removes examples that don't fit their schemas, since endpoint files must not contain such examples.
    ///
    /// - Parameter file: The file with the shared schemas, which other schemas refer to.
    mutating func checkSamples(in api: inout ImportedAPI, _ file: OrderedJSON?) {
        let text = file?.compact ?? "{}"
        let name = schemaName + ".json"
        let store = SchemaStore(
            SchemaFolder(
                read: { path throws(SchemaFolder.Problem) in path == name ? SourceFile(name: path, text: text) : nil },
                paths: { [name] }))
        let sources = Dictionary(samples.map { ($0.schema.compact, $0.schema) }, uniquingKeysWith: { $1 })
            .compactMapValues { JSONDocument.writing($0, name: "schema").root }
        store.prepare(sources.sorted { $0.key < $1.key }.map(\.value))
        let compiled = sources.compactMapValues { store.schema($0).value }
        func fits(_ value: OrderedJSON, _ schema: OrderedJSON) -> Bool {
            guard let known = compiled[schema.compact], let root = JSONDocument.writing(value, name: "value").root
            else {
                return true
            }
            return known.accepts(root)
        }
        for sample in samples {
            switch sample.kind {
            case .variant(let name, let isMade):
                guard let index = api.requests[sample.request].variants.firstIndex(where: { $0.name == name }),
                    case .json(let body)? = api.requests[sample.request].variants[index].body,
                    !fits(body, sample.schema)
                else { continue }
                var maker = SchemaSample(isForRequests: false, usesExamples: false)
                if isMade, let made = maker.value(of: sample.source, &document), fits(made, sample.schema) {
                    api.requests[sample.request].variants[index].body = .json(made)
                } else if isMade {
                    note(.lost, "no sample response could be made that matches the schema", at: sample.place)
                    // Without a success before it, an error would be the default.
                    if api.requests[sample.request].variants.contains(where: { $0.status >= 400 }) {
                        api.requests[sample.request].variants[index].body = nil
                    } else {
                        api.requests[sample.request].variants.remove(at: index)
                    }
                } else {
                    note(.remark, OpenAPIImport.badExample, at: sample.place)
                }
            case .param(let name):
                guard let index = api.requests[sample.request].params.firstIndex(where: { $0.name == name }),
                    case var param = api.requests[sample.request].params[index], let example = param.example,
                    !fits(example, sample.schema)
                else { continue }
                param.example = nil
                if param.required == nil {
                    let made = [true, false].compactMap { usesExamples -> OrderedJSON? in
                        var maker = SchemaSample(isForRequests: true, usesExamples: usesExamples)
                        return maker.value(of: sample.source, &document)
                    }
                    param.example = made.first { fits($0, sample.schema) }
                }
                note(.lost, "an example doesn't match its schema", name, at: sample.place)
                api.requests[sample.request].params[index] = param
            }
        }
    }
}
