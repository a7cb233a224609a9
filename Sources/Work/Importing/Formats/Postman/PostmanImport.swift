package import ReqcliDefinitions
package import ReqcliText

/// Collections of Postman (2.1 and 2.0, and folders in the format v3), together with files of environments.
package enum PostmanImport: ImportFormat {
    package static let name = "postman"
    package static let summary = "collections (2.1, 2.0, and v3 folders) and environments of Postman"
    package static let hiddenFolders = [".resources"]
    package static let isUpdatable = true

    package static func looksLike(_ file: SourceFile) -> Bool {
        if PostmanFolder.looksLike(file) { return true }
        return SourceJSON.object(of: file).map { collection(in: $0) != nil || isEnvironment($0) } ?? false
    }

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI {
        var reader = PostmanReader(options)
        let folder = try PostmanFolder(source.files)
        let isFolder = !folder.collections.isEmpty
        for (name, variables) in folder.environments { reader.variables.addEnvironment(name, variables) }
        var collections: [JSONValue] = []
        // A folder with a collection v3 may contain any other files, such as a README.
        for file in folder.others where !isFolder || SourceJSON.object(of: file) != nil {
            let root = try SourceJSON.root(of: file)
            if let collection = collection(in: root) {
                collections.append(collection)
            } else if isEnvironment(root) {
                reader.variables.addEnvironment(
                    root["name"]?.string, CollectionVariable.list(postman: root.list("values")))
            } else if !isFolder {
                throw ImportProblem(
                    "expected a collection or an environment of Postman", at: root.place,
                    hint: "export the collection as \"Collection v2.1\"", isUsage: true)
            }
        }
        if isFolder {
            // The folder may contain the same collection in the older format.
            reader.notes += collections.map {
                ConversionNote(.remark, "a collection is left out: the folder has collections v3", at: $0.place)
            }
            var folderReader = PostmanFolderReader(reader)
            try folderReader.read(folder)
            reader = folderReader.reader
        } else {
            for collection in collections { try reader.read(collection) }
        }
        guard !reader.api.requests.isEmpty else {
            let isMissing = collections.isEmpty && !isFolder
            throw ImportProblem(
                isMissing ? "the files are environments, but there is no collection" : "the collection has no request",
                at: collections.first?.place, hint: isMissing ? "also name the file of the collection" : nil,
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
