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
                reader.variables.addEnvironment(root)
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

/// The settings that a request inherits from its folders.
struct PostmanScope {
    var folders: [String] = []
    /// The `auth` of the nearest folder that has `auth`.
    var auth: JSONValue?
    var scripts: [PostmanFindings] = []
    /// The settings for sending requests, `protocolProfileBehavior`.
    var behavior: JSONValue?
    /// Variables of folders, with their values.
    var variables: [OrderedJSON.Member] = []
}

/// Walks through a collection.
struct PostmanReader {
    var api = ImportedAPI()
    var notes: [ConversionNote] = []
    var variables = PostmanVariables()
    /// For each request, the names of placeholders that are replaced by JSON in the body.
    private var jsonNames: [Set<String>] = []
    /// The settings of each request for redirects.
    private var redirects: [PostmanBehavior.Redirects] = []
    let options: ImportOptions

    init(_ options: ImportOptions) { self.options = options }

    mutating func read(_ collection: JSONValue) throws(ImportProblem) {
        if api.title == nil { api.title = collection["info"]?["name"]?.string }
        variables.addCollection(collection.list("variable"))
        var scope = PostmanScope()
        scope.auth = collection["auth"].flatMap { $0.isNull ? nil : $0 }
        scope.behavior = collection["protocolProfileBehavior"]
        scope.scripts = scripts(of: collection, named: collection["info"]?["name"]?.string ?? "the collection")
        try read(collection.list("item"), scope)
    }

    /// Reads the items of a folder. The recursion can't become too deep, since the JSON reader limits the depth of the file.
    private mutating func read(_ items: [JSONValue], _ scope: PostmanScope) throws(ImportProblem) {
        for item in items {
            let name = item["name"]?.string ?? ""
            if let inner = item["item"], inner.kind == .array {
                var inside = scope
                inside.folders.append(name)
                if let auth = item["auth"], !auth.isNull { inside.auth = auth }
                inside.scripts += scripts(of: item, named: name)
                inside.variables += variables.members(item.list("variable"))
                if let text = Self.description(item["description"]) { api.groupDescriptions[inside.folders] = text }
                try read(Array(inner.elements), inside)
            } else if let request = item["request"], request.kind == .object || request.kind == .string {
                guard api.requests.count < ImportLimits.requests else { throw ImportLimits.tooMany(item.place) }
                add(item, request, named: name, scope)
            } else {
                notes.append(ConversionNote(.lost, "an item is neither a folder nor a request", name, at: item.place))
            }
        }
    }

    private mutating func add(_ item: JSONValue, _ source: JSONValue, named name: String, _ scope: PostmanScope) {
        let scripts = scripts(of: item, named: name)
        // `variables` is moved into the reader and back. If two values shared its storage, each change would copy the storage.
        let behavior = PostmanBehavior([item["protocolProfileBehavior"], scope.behavior].compactMap(\.self))
        let keepsBodies = behavior.keepsBodies
        var reader = PostmanRequestReader(
            source, at: item["name"]?.place ?? item.place, exchange(&variables, with: PostmanVariables()), options,
            keepsBodies: keepsBodies)
        reader.request.name = name
        reader.request.folders = scope.folders
        reader.request.description = Self.description(source["description"]) ?? Self.description(item["description"])
        reader.read(auth: scope.auth)
        redirects.append(behavior.redirects)
        reader.notes += behavior.lost(noted: &reader.variables.notedPlaces)
        reader.apply(scope.scripts + scripts)
        if options.stubs != .none { reader.readResponses(item.list("response")) }
        reader.addOptionalParams(scope.variables)
        notes += reader.notes
        variables = reader.variables
        api.requests.append(reader.request)
        jsonNames.append(reader.bareNames)
    }

    /// The tests, captures and params from the scripts of a folder or a request. Each script is read only once, even if many
    /// requests inherit the script.
    private mutating func scripts(of item: JSONValue, named owner: String) -> [PostmanFindings] {
        item.list("event").compactMap { event in
            guard let script = PostmanScript(event) else { return nil }
            var reader = PostmanScriptReader(script, owner: owner, exchange(&variables, with: PostmanVariables()))
            let findings = reader.read()
            variables = reader.variables
            notes += reader.notes
            return findings
        }
    }

    /// The first paragraph of a description, which is a string or an object with a string.
    private static func description(_ value: JSONValue?) -> String? {
        let text = (value?.string ?? value?["content"]?.string)?.firstParagraph ?? ""
        return text.isEmpty ? nil : text
    }

    /// The whole API, once all requests are known.
    mutating func finished() -> ImportedAPI {
        let captured = Set(api.requests.flatMap { $0.captures.map(\.name) })
        api.environments = variables.environments(captured: captured)
        api.keepTexts(notAmong: jsonNames)
        PostmanBehavior.apply(redirects, to: &api)
        return api
    }
}
