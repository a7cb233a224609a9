package import ReqcliText

/// All schema documents that were read, and the schemas in these documents that references can lead to.
struct SchemaLibrary {
    /// A schema with its own URI: a document, or a part of a document that has an `$id`.
    struct Resource: Sendable {
        let uri: URIReference
        /// The name in reports: the URI if the schema has an `$id`, otherwise the file.
        let name: String
        /// The URI by which the file is known.
        let file: URIReference
        /// The resource at the root of the document.
        let document: Int
        let root: JSONValue
        let dialect: Dialect
        var anchors: [String: JSONValue] = [:]
        var dynamicAnchors: [String: JSONValue] = [:]
    }

    /// A schema with its place, and the resource that its references are relative to.
    struct Subschema {
        let value: JSONValue
        let resource: Int
    }

    let folder: SchemaFolder
    let defaultDialect: Dialect
    private(set) var resources: [Resource] = []
    private(set) var problems = DiagnosticCollector()
    /// The resources by URI, without fragments.
    private var indexByURI: [String: Int] = [:]
    /// The resource of each schema in the documents.
    private var owners: [Spot: Int] = [:]
    var pointers = PointerLookup()
    var hasSearchedFolder = false
    /// The metaschemas that are being read, so that reading ends if two metaschemas name each other.
    var dialectsInProgress: Set<String> = []

    init(folder: SchemaFolder, defaultDialect: Dialect) {
        (self.folder, self.defaultDialect) = (folder, defaultDialect)
    }

    mutating func report(_ problem: Diagnostic) { problems.add(problem) }
    mutating func takeProblems() -> [Diagnostic] {
        defer { problems = DiagnosticCollector() }
        return problems.sorted
    }

    /// Adds a document or an inline schema, and returns its resource. A second call returns the same resource.
    mutating func add(_ root: JSONValue, file: URIReference) -> Int {
        if let known = owners[Spot(root)] { return known }
        let resource = addResource(root, id: identifier(of: root, in: defaultDialect), file: file, parent: nil)
        indexByURI[file.resource] = indexByURI[file.resource] ?? resource
        indexSubschemas(of: root, in: resource)
        return resource
    }

    func index(for uri: String) -> Int? { indexByURI[uri] }
    func owner(of value: JSONValue) -> Int? { owners[Spot(value)] }

    /// All schemas of a document, in the order of the text.
    func subschemas(of document: Int) -> [Subschema] {
        var found: [Subschema] = []
        var pending = [resources[document].root]
        while let value = pending.popLast() {
            let owner = owner(of: value) ?? document
            found.append(Subschema(value: value, resource: owner))
            pending += resources[owner].dialect.subschemas(of: value).reversed()
        }
        return found
    }

    /// Visits a schema and all schemas inside it. Uses a list instead of recursion, because a document may be deeply nested.
    mutating func indexSubschemas(of root: JSONValue, in resource: Int) {
        var pending = [(root, resource)]
        while let (value, parent) = pending.popLast() {
            let owner = enter(value, parent)
            owners[Spot(value)] = owner
            pending += resources[owner].dialect.subschemas(of: value).reversed().map { ($0, owner) }
        }
    }
}

// MARK: - Identifiers and anchors

extension SchemaLibrary {
    /// The key for `$recursiveAnchor` among the dynamic anchors. No other anchor has an empty name.
    static let recursiveAnchor = ""

    /// The identifier of a schema. It is ignored if the schema has a `$ref` that makes other keywords ineffective.
    private func identifier(of schema: JSONValue, in dialect: Dialect) -> JSONValue? {
        guard schema.kind == .object else { return nil }
        if isDescription(schema) { return schema["$self"].flatMap { $0.kind == .string ? $0 : nil } }
        let declared = dialect.keywords["$schema"] == nil ? nil : schema["$schema"]?.string.flatMap(Dialect.named)
        let dialect = declared ?? dialect
        if dialect.isReferenceAlone, schema["$ref"]?.kind == .string { return nil }
        return dialect.identifier.flatMap { schema[$0] }.flatMap { $0.kind == .string ? $0 : nil }
    }

    /// Whether a document is not a schema, but a description of an API with schemas in it.
    private func isDescription(_ root: JSONValue) -> Bool { defaultDialect.isOpenAPI && root["openapi"] != nil }

    private mutating func declaredDialect(of schema: JSONValue) -> Dialect? {
        // In a description, `$schema` may name a schema for editors.
        if defaultDialect.keywords["$schema"] == nil || isDescription(schema) { return nil }
        guard let name = schema["$schema"] else { return nil }
        return dialect(named: name)
    }

    private mutating func addResource(_ root: JSONValue, id: JSONValue?, file: URIReference, parent: Int?) -> Int {
        let outer = parent.map { resources[$0] }
        let base = outer?.uri ?? file
        let declared = id?.string.map(URIReference.init).flatMap { $0.resource.isEmpty ? nil : $0 }
        let uri = declared?.resolved(against: base) ?? base
        let dialect = declaredDialect(of: root) ?? outer?.dialect ?? defaultDialect
        let name = declared == nil ? outer?.name ?? root.place.file.name : uri.resource
        let index = resources.count
        resources.append(
            Resource(
                uri: uri, name: name, file: file, document: outer?.document ?? index, root: root, dialect: dialect))
        if let id, declared != nil {
            if let known = indexByURI[uri.resource], known != parent {
                report(
                    Diagnostic(
                        code: .schemaIdentifier, "another schema has the same identifier, \(uri.resource)",
                        at: id.place,
                        notes: [Diagnostic.Note("the other schema", at: resources[known].root.place)]))
            }
            indexByURI[uri.resource] = index
        }
        return index
    }

    /// Records the identifier and the anchors of a schema, and returns the resource that it belongs to.
    private mutating func enter(_ schema: JSONValue, _ parent: Int) -> Int {
        guard schema.kind == .object else { return parent }
        var owner = parent
        let id = identifier(of: schema, in: resources[parent].dialect)
        let reference = id?.string.map(URIReference.init)
        if Spot(resources[parent].root) != Spot(schema), let reference, !reference.resource.isEmpty {
            owner = addResource(schema, id: id, file: resources[parent].file, parent: parent)
        }
        let dialect = resources[owner].dialect
        if dialect.hasAnchorsInIdentifiers, let fragment = reference?.fragment, !fragment.isEmpty {
            resources[owner].anchors[fragment] = schema
        }
        func text(_ name: String) -> String? { dialect.keywords[name] == nil ? nil : schema[name]?.string }
        if let anchor = text("$anchor") { resources[owner].anchors[anchor] = schema }
        if let anchor = text("$dynamicAnchor") {
            resources[owner].anchors[anchor] = schema
            resources[owner].dynamicAnchors[anchor] = schema
        }
        if dialect.keywords["$recursiveAnchor"] != nil, schema["$recursiveAnchor"]?.bool == true {
            resources[owner].dynamicAnchors[Self.recursiveAnchor] = schema
        }
        return owner
    }
}

extension Diagnostic.Code {
    package static let schemaIdentifier: Self = "schema.identifier"
    package static let schemaDialect: Self = "schema.dialect"
    package static let schemaReference: Self = "schema.reference"
    package static let schemaKeyword: Self = "schema.keyword"
    package static let schemaPattern: Self = "schema.pattern"
    package static let schemaValue: Self = "schema.value"
}
