import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Makes endpoints from the operations of a description.
struct OpenAPIReader {
    var document: OpenAPIDocument
    let options: ImportOptions
    /// The URL of the description, if the description was read from a server.
    let url: String?
    var notes: [ConversionNote] = []
    var catalog: SchemaCatalog
    /// The name that groups, schemas and process variables begin with.
    let title: String
    /// The params and responses that must fit a schema. They are checked at the end, when all schemas are known.
    var samples: [SampleCheck] = []
    /// Whether `export` has written the description.
    let isExported: Bool
    /// The group of each tag: the names of its parents, then its own name.
    private var folders: [String: [String]] = [:]

    init(_ document: OpenAPIDocument, _ options: ImportOptions, url: String?) {
        var document = document
        isExported = document.isExported
        title = APITitle.short(document.title()?.withoutTokens ?? "")
        self.document = document
        self.options = options
        self.url = url
        let file = Words.kebab(options.group?.split(separator: ".").last.map(String.init) ?? title)
        schemaName = file.isEmpty ? "api" : file
        catalog = SchemaCatalog(fileName: schemaName + ".json")
    }

    /// The name of the file for schemas, without extension.
    let schemaName: String

    mutating func read() -> ImportedAPI {
        var api = ImportedAPI(title: title.isEmpty ? nil : title)
        notes += document.warnings.map { ConversionNote(.remark, $0.message, at: $0.place) }
        folders = tagFolders()
        for tag in document.root["tags"]?.elementList ?? [] {
            guard let name = tag["name"]?.string, let text = tag["description"]?.string?.firstParagraph, !text.isEmpty
            else { continue }
            api.groupDescriptions[folders[name] ?? [name]] = text
        }
        let servers = serverEnvironments()
        api.environments = servers
        let operations = document.operations()
        var security = OpenAPISecurity(
            prefix: Words.variablePrefix(options.group ?? title),
            ([document.root["security"]] + operations.map(\.security)).compactMap(\.self))
        let credentials = operations.map { operation in
            exported(operation) == nil ? security.credentials(for: operation, &document, &notes) : nil
        }
        let usual = isExported ? nil : OpenAPISecurity.mostUsed(credentials.compactMap(\.self))
        if let usual {
            for index in api.environments.indices { api.environments[index].auth = usual.auth }
        }
        for (index, (operation, credentials)) in zip(operations, credentials).enumerated() {
            var request = exported(operation) ?? request(for: operation, at: index)
            credentials?.apply(to: &request, usual: usual)
            api.requests.append(request)
        }
        noteWhatIsNoRequest()
        let schemas = catalog.file(in: &document)
        checkSamples(in: &api, schemas)
        api.schemas = schemas.map { [OrderedJSON.Member(schemaName, $0)] } ?? []
        if isExported {
            (api.isExported, api.statesEnvironments) = (true, true)
            api.schemas += exportedSchemas()
            api.declareNamedSecrets()
        }
        for loss in catalog.takeLosses() { note(.lost, loss.message, loss.detail, at: loss.place) }
        for broken in document.brokenReferences { note(.lost, broken.reason, broken.reference, at: broken.place) }
        return api
    }

    // MARK: Operations

    private mutating func request(for operation: OpenAPIOperation, at index: Int) -> ImportedRequest {
        var draft = OperationDraft(index: index)
        var request = ImportedRequest(at: operation.place, method: operation.method)
        request.key = OperationName.short(operation)
        request.name = operation.id
        request.description = OperationText.summary(of: operation.value)
        request.folders = operation.tags.first.flatMap { folders[$0] ?? [$0] } ?? []
        request.tags = operation.tags.dropFirst().map { Words.kebab($0) }.filter { !$0.isEmpty }
        if operation.isDeprecated, !request.tags.contains("deprecated") { request.tags.append("deprecated") }
        addParameters(of: operation, to: &request, &draft)
        if let base = ownBase(of: operation) {
            // The path of the base is moved to the path of the request. Later, the passes find the part that all paths share.
            let origin = URLText(TemplateText(base)).base?.text ?? base
            request.base = origin
            request.path = base.dropFirst(origin.count) + request.path
        }
        if let body = operation.body { add(body, to: &request, &draft) }
        request.params = draft.params
        addResponses(of: operation, at: index, to: &request)
        for member in operation.value.members where member.name == "callbacks" && member.value.count > 0 {
            note(.lost, "callbacks are not converted", operation.pointer + "/callbacks", at: member.key.place)
        }
        return request
    }

    private mutating func noteWhatIsNoRequest() {
        for member in document.root.members where member.name == "webhooks" || member.name == "x-webhooks" {
            for webhook in member.value.members {
                note(.lost, "webhooks are not converted", webhook.name, at: webhook.key.place)
            }
        }
    }

    mutating func note(_ kind: ConversionNote.Kind, _ message: String, _ detail: String? = nil, at place: Place) {
        notes.append(ConversionNote(kind, message, detail, at: place))
    }

    // MARK: Groups

    /// The groups of tags with parents. In OpenAPI 3.2, a tag may have a parent tag.
    private func tagFolders() -> [String: [String]] {
        var parents: [String: String] = [:]
        for tag in document.root["tags"]?.elementList ?? [] {
            guard let name = tag["name"]?.string, let parent = tag["parent"]?.string else { continue }
            parents[name] = parent
        }
        return parents.mapValues { _ in [] }.reduce(into: [:]) { folders, entry in
            var path = [entry.key]
            while let parent = parents[path[0]], path.count < 8, !path.contains(parent) { path.insert(parent, at: 0) }
            folders[entry.key] = path
        }
    }
}

/// The params of an operation so far, and the names that are taken.
struct OperationDraft {
    /// The index of the request.
    let index: Int
    private(set) var params: [ImportedParam] = []
    private var kinds: [String: Parameter.Kind] = [:]
    private var counts: [String: Int] = [:]
    /// The names of headers in lower case.
    var headerNames: Set<String> = []
    var cookies: [OrderedJSON.Member] = []

    init(index: Int) { self.index = index }

    /// Adds a param and returns its name. If the name is taken, the place of the param or a number is appended.
    mutating func add(_ param: ImportedParam, from place: String) -> String {
        let stem = ParamNames.clean(param.name)
        var name = stem
        if kinds[name] != nil { name = "\(stem)-\(place)" }
        while kinds[name] != nil {
            counts[stem, default: 1] += 1
            name = "\(stem)-\(counts[stem, default: 2])"
        }
        kinds[name] = param.kind
        params.append(param)
        params[params.count - 1].name = name
        return name
    }

    /// The name of an existing param that can also be used for this value, such as an id that is in the path and in the body. Nil
    /// if no param fits.
    func shared(_ name: String, _ type: ParamType) -> String? {
        kinds[name] == type.kind && type.isScalar ? name : nil
    }
}

enum OperationText {
    /// The summary, else the first paragraph of the description.
    static func summary(of value: JSONValue) -> String? {
        for text in [value["summary"]?.string, value["description"]?.string] {
            if let line = text?.firstParagraph, !line.isEmpty { return line }
        }
        return nil
    }
}

enum APITitle {
    private static let fillers: Set<String> = [
        "api", "apis", "openapi", "swagger", "rest", "restful", "http", "specification", "spec", "documentation",
        "docs",
        "reference", "the", "service", "public", "web", "description", "definition",
    ]

    /// The words of a title that name the API: `Shop` for "The Shop API v3 - OpenAPI 3.0".
    static func short(_ title: String) -> String {
        let words = title.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "'") }.map(String.init)
        let kept = words.filter { word in
            let lower = word.lowercased()
            let isVersion =
                lower.allSatisfy { $0.isNumber || $0 == "." }
                || lower.hasPrefix("v") && lower.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
            return !isVersion && !fillers.contains(lower)
        }
        return (kept.isEmpty ? words : kept).prefix(4).joined(separator: " ")
    }
}

enum OperationName {
    /// The operationId without the parts that frameworks add: `read_item` for `read_item_items__item_id__get`.
    static func short(_ operation: OpenAPIOperation) -> String? {
        guard let id = operation.id, !id.isEmpty else { return nil }
        let slug = String(
            decoding: operation.path.utf8.map { byte -> UInt8 in
                (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 ? byte : UInt8(ascii: "_")
            }, as: UTF8.self)
        let suffix = slug + "_" + operation.method.lowercased()
        if id.hasSuffix(suffix), id.utf8.count > suffix.utf8.count { return String(id.dropLast(suffix.count)) }
        for mark in ["Controller_", "Controller.", "Controller#"] {
            if let range = id.firstRange(of: mark), range.upperBound < id.endIndex {
                return String(id[range.upperBound...])
            }
        }
        return id
    }
}
