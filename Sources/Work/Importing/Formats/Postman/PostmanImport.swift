package import ReqcliDefinitions
package import ReqcliText

/// Collections of Postman (2.1 and 2.0), together with files of environments.
package enum PostmanImport: ImportFormat {
    package static let name = "postman"
    package static let summary = "collections (2.1 and 2.0) and environments of Postman"
    package static let isUpdatable = true

    package static func looksLike(_ file: SourceFile) -> Bool {
        SourceJSON.object(of: file).map { collection(in: $0) != nil || isEnvironment($0) } ?? false
    }

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI {
        var reader = PostmanReader(options)
        var collections: [JSONValue] = []
        for file in source.files {
            let root = try SourceJSON.root(of: file)
            if let collection = collection(in: root) {
                collections.append(collection)
            } else if isEnvironment(root) {
                reader.variables.addEnvironment(
                    root["name"]?.string, CollectionVariable.list(postman: root.list("values")))
            } else {
                throw ImportProblem(
                    "expected a collection or an environment of Postman", at: root.place,
                    hint: "export the collection as \"Collection v2.1\"", isUsage: true)
            }
        }
        for collection in collections { try reader.read(collection) }
        guard !reader.api.requests.isEmpty else {
            throw ImportProblem(
                collections.isEmpty
                    ? "the files are environments, but there is no collection" : "the collection has no request",
                at: collections.first?.place, hint: collections.isEmpty ? "also name the file of the collection" : nil,
                isUsage: true)
        }
        let api = reader.finished()
        notes += reader.notes
        return api
    }

    /// The collection of a file. Postman's API returns the collection inside another object.
    private static func collection(in root: JSONValue) -> JSONValue? {
        for value in [root, root["collection"]].compactMap({ $0 }) {
            let schema = value["info"]?["schema"]?.string ?? ""
            if value["item"]?.kind == .array, value["info"]?.kind == .object || schema.contains("getpostman") {
                return value
            }
        }
        return nil
    }

    private static func isEnvironment(_ root: JSONValue) -> Bool {
        root["values"]?.kind == .array
            && (root["_postman_variable_scope"] != nil || root["name"]?.kind == .string)
    }
}
