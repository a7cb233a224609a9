import ReqcliDefinitions
import ReqcliText

/// The settings that a request inherits from its folders.
struct PostmanScope {
    var folders: [String] = []
    /// The credentials of the nearest folder that has some.
    var auth: CollectionRequest.Auth?
    var scripts: [PostmanFindings] = []
    /// The settings for sending requests, `protocolProfileBehavior`.
    var behavior: JSONValue?
    /// Variables of folders, with their values.
    var variables: [OrderedJSON.Member] = []
}

/// Makes an API of the folders and requests of a collection.
struct PostmanReader {
    var api = ImportedAPI()
    var notes: [ConversionNote] = []
    var variables = PostmanVariables()
    /// For each request, the names of placeholders that are replaced by JSON in the body.
    private var jsonNames: [Set<String>] = []
    /// The settings of each request for redirects.
    private var redirects: [PostmanBehavior.Redirects] = []
    let options: ImportOptions
    /// The names in the scripts of the tool.
    let dialect: ScriptDialect

    init(_ options: ImportOptions, _ dialect: ScriptDialect = .postman) {
        self.options = options
        self.dialect = dialect
    }

    /// Reads a collection 2.1 or 2.0.
    mutating func read(_ collection: JSONValue) throws(ImportProblem) {
        if api.title == nil { api.title = collection["info"]?["name"]?.string }
        addVariables(CollectionVariable.list(postman: collection.list("variable")), at: collection.place)
        var scope = PostmanScope()
        scope.auth = CollectionRequest.Auth(postman: collection["auth"])
        scope.behavior = collection["protocolProfileBehavior"]
        scope.scripts = scripts(of: collection, named: collection["info"]?["name"]?.string ?? "the collection")
        try read(collection.list("item"), scope)
    }

    /// Adds the variables of a collection.
    mutating func addVariables(_ added: [CollectionVariable], at place: Place) {
        for name in variables.addCollection(added) {
            notes.append(
                ConversionNote(
                    .toDo, "another collection has another value for a variable: import the collections one by one",
                    name, at: place))
        }
    }

    /// Reads the items of a folder. The recursion can't become too deep, since the JSON reader limits the depth of the file.
    private mutating func read(_ items: [JSONValue], _ scope: PostmanScope) throws(ImportProblem) {
        for item in items {
            let name = item["name"]?.string ?? ""
            if let inner = item["item"], inner.kind == .array {
                var inside = scope
                inside.folders.append(name)
                if let auth = CollectionRequest.Auth(postman: item["auth"]) { inside.auth = auth }
                inside.scripts += scripts(of: item, named: name)
                inside.variables += variables.members(CollectionVariable.list(postman: item.list("variable")))
                if let text = CollectionRequest.paragraph(item["description"]) {
                    api.groupDescriptions[inside.folders] = text
                }
                try read(Array(inner.elements), inside)
            } else if let request = item["request"], request.kind == .object || request.kind == .string {
                let behavior = PostmanBehavior([item["protocolProfileBehavior"], scope.behavior].compactMap(\.self))
                let scripts = scripts(of: item, named: name)
                try add(CollectionRequest(postman: request, of: item), behavior, scripts, scope)
            } else {
                notes.append(ConversionNote(.lost, "an item is neither a folder nor a request", name, at: item.place))
            }
        }
    }

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - behavior: The settings for sending the request.
    ///   - scripts: What the scripts of the request add to it.
    ///   - scope: The settings of the folders around the request.
    mutating func add(
        _ source: CollectionRequest, _ behavior: PostmanBehavior, _ scripts: [PostmanFindings], _ scope: PostmanScope
    ) throws(ImportProblem) {
        guard api.requests.count < ImportLimits.requests else { throw ImportLimits.tooMany(source.place) }
        // `variables` is moved into the reader and back. If two values shared its storage, each change would copy the storage.
        var reader = PostmanRequestReader(
            source, exchange(&variables, with: PostmanVariables()), options, keepsBodies: behavior.keepsBodies)
        reader.request.folders = scope.folders
        reader.read(auth: scope.auth)
        redirects.append(behavior.redirects)
        reader.notes += behavior.lost(noted: &reader.variables.notedPlaces)
        reader.apply(scope.scripts + scripts)
        if options.stubs != .none { reader.readResponses() }
        reader.addOptionalParams(scope.variables)
        notes += reader.notes
        variables = reader.variables
        api.requests.append(reader.request)
        jsonNames.append(reader.bareNames)
    }

    private mutating func scripts(of item: JSONValue, named owner: String) -> [PostmanFindings] {
        findings(of: item.list("event").compactMap { PostmanScript($0) }, named: owner)
    }

    /// The whole API, once all requests are known.
    mutating func finished() -> ImportedAPI {
        let flowing = flowingNames()
        let captured = Set(api.requests.flatMap { $0.captures.map(\.name) })
        api.environments = variables.environments(captured: captured)
        for index in api.environments.indices { api.environments[index].remove(flowing, usedBy: api.requests) }
        api.keepTexts(notAmong: jsonNames)
        PostmanBehavior.apply(redirects, to: &api)
        return api
    }

    /// The names of variables that one request captures for the others. If several requests set a variable, but only one of them
    /// has no credentials, the variable is captured from this request: it logs in.
    private mutating func flowingNames() -> Set<String> {
        var makers: [String: [Int]] = [:]
        for (index, request) in api.requests.enumerated() {
            for capture in request.captures { makers[capture.name, default: []].append(index) }
        }
        var flowing: Set<String> = []
        for (name, makers) in makers.sorted(by: { $0.key < $1.key }) {
            let open = makers.count > 1 ? makers.filter { api.requests[$0].auth == .none } : makers
            // A request that sends the variable needs a first value.
            guard open.count == 1, let maker = open.first, !api.requests[maker].placeholders.contains(name) else {
                continue
            }
            flowing.insert(name)
            for index in makers where index != maker { api.requests[index].captures.removeAll { $0.name == name } }
            if makers.count > 1 {
                notes.append(
                    ConversionNote(
                        .remark, "several requests set a variable; it is captured from the request without auth", name,
                        at: api.requests[maker].place))
            }
        }
        return flowing
    }
}

extension ImportedEnvironment {
    /// Removes the values that scripts have stored for captured variables, unless another variable or a server uses them.
    fileprivate mutating func remove(_ captured: Set<String>, usedBy requests: [ImportedRequest]) {
        let used = Set(placeholders).union(requests.compactMap(\.base).flatMap(\.placeholders))
        let stored = captured.subtracting(used)
        variables.removeAll { stored.contains($0.name) }
        secrets.removeAll { stored.contains($0.name) }
    }
}
