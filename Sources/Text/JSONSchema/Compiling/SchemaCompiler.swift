import ReqcliBasics
package import ReqcliText

/// Reads and compiles schemas. All schemas of a run share one compiler, so that each file is read once.
package struct SchemaCompiler {
    package enum FormatUse: Sendable {
        /// A value must have the `format` that its schema states.
        case assert
        /// `format` has no effect on whether a value is valid.
        case annotate
    }

    var library: SchemaLibrary
    let formats: FormatUse
    /// The schemas that were compiled, by place. The value for a schema with mistakes is nil.
    private var compiled: [Spot: JSONSchema?] = [:]
    /// The schemas that were compiled without a problem, by the reference that leads to them.
    private var compiledByPath: [String: JSONSchema] = [:]
    /// The documents that were checked against their metaschema, by their resource.
    private var checked: Set<Int> = []
    /// The checked documents that don't have the shape of a schema.
    private var faulty: Set<Int> = []
    /// The schemas of a description that were added, and their program.
    private var described: ProgramBuilder?
    private var describedProgram: SchemaProgram?
    /// The program of all schemas that were prepared together, and the index of each schema's node.
    private var prepared: (program: SchemaProgram, indices: [Spot: Int])?
    /// The number of inline schemas that were added.
    private var placed = 0
    /// The documents whose findings were reported.
    var inspected: Set<Int> = []

    package init(
        folder: SchemaFolder = .empty, formats: FormatUse = .assert, defaultDraft: Draft = .draft202012
    ) {
        let dialect =
            Dialect.all[defaultDraft] ?? Dialect(defaultDraft, metaSchema: defaultDraft.uri, vocabularies: nil)
        library = SchemaLibrary(folder: folder, defaultDialect: dialect)
        self.formats = formats
    }

    /// A compiler for the schemas of a description of an API; nil for a dialect that is not known.
    ///
    /// - Parameters:
    ///   - dialect: The URI of the dialect for schemas that name no dialect; nil for the dialect of OpenAPI 3.0.
    ///   - folder: The description and the files that it may refer to.
    package init?(describedIn dialect: String?, folder: SchemaFolder, formats: FormatUse) {
        guard let dialect = Dialect.ofDescription(named: dialect ?? MetaSchemas.openAPI30) else { return nil }
        library = SchemaLibrary(folder: folder, defaultDialect: dialect)
        self.formats = formats
    }

    /// Adds a schema from a file of a description. The added schemas share all schemas that they refer to. Returns the schema's
    /// node, or nil for a schema with mistakes. Also returns the schema's problems, on every call.
    ///
    /// - Parameter path: The path of the file below the folder.
    package mutating func add(
        _ schema: JSONValue, inFileAt path: String
    ) -> (node: Int?, problems: [Diagnostic]) {
        let encoded = path.replacing("%", with: "%25").replacing("#", with: "%23").replacing("?", with: "%3F")
        let uri = URIReference(library.folder.uri + encoded)
        guard let file = library.find(uri, at: schema.place) else { return (nil, library.takeProblems()) }
        if library.owner(of: schema) == nil { library.indexSubschemas(of: schema, in: file) }
        let target = SchemaLibrary.Subschema(value: schema, resource: library.owner(of: schema) ?? file)
        var builder = described ?? ProgramBuilder(library: library, formats: formats, keepsFaults: true)
        described = nil
        // The library is swapped and not copied, because it is large.
        swap(&library, &builder.library)
        let known = builder.roots.count
        let node = builder.reached(target)
        builder.complete()
        // The program is made again only when a schema is asked for. Making a copy for each added schema would take too much
        // memory.
        if builder.roots.count > known { describedProgram = nil }
        swap(&library, &builder.library)
        for root in builder.roots[known...] { builder.add(faults: shapeProblems(of: root), at: builder.reached(root)) }
        let faults = builder.faults
        let problems = faults.isEmpty ? [] : builder.nodes(from: node).flatMap { faults[$0] ?? [] }
        described = builder
        return (problems.contains { $0.severity == .error } ? nil : node, problems)
    }

    /// The schema of a node that `add` returned.
    package mutating func schema(at node: Int) -> JSONSchema? {
        if describedProgram == nil, var builder = described {
            described = nil
            swap(&library, &builder.library)
            describedProgram = builder.program()
            swap(&library, &builder.library)
            described = builder
        }
        return describedProgram.map { JSONSchema(program: $0, root: node) }
    }

    /// Compiles an inline schema, which is not in a file of the folder. Its references are relative to the folder of schemas.
    package mutating func compile(_ schema: JSONValue) -> (schema: JSONSchema?, problems: [Diagnostic]) {
        if let known = compiled[Spot(schema)] { return (known, []) }
        guard schema.isSchema else {
            let problem = Diagnostic(
                code: .schemaValue, "expected a schema: an object, true or false", at: schema.place)
            return (nil, [problem])
        }
        return compile(place(schema))
    }

    /// Adds an inline schema. The schema gets its own URI, so that `#` in the schema leads to this schema.
    private mutating func place(_ schema: JSONValue) -> SchemaLibrary.Subschema {
        placed += 1
        let resource = library.add(schema, file: URIReference(library.folder.uri + "?\(placed)"))
        return SchemaLibrary.Subschema(value: schema, resource: resource)
    }

    /// Builds many schemas as one program, so that their shared parts are built only once. Otherwise, n schemas that all lead to
    /// each other would be built n times. If one of the schemas has a mistake, nothing is prepared, and each schema is compiled
    /// separately.
    ///
    /// - Parameter schemas: Inline schemas, and strings with paths below the folder.
    package mutating func prepare(_ schemas: [JSONValue]) {
        guard schemas.count > 1 else { return }
        var trial = self
        var targets: [SchemaLibrary.Subschema] = []
        for schema in schemas {
            if schema.kind == .string {
                guard let target = trial.library.target(of: schema) else { return }
                targets.append(target)
            } else if schema.isSchema {
                targets.append(trial.place(schema))
            }
        }
        var builder = ProgramBuilder(library: trial.library, formats: formats)
        let program = builder.buildAll(targets)
        trial.library = builder.library
        for resource in builder.documents { trial.checkShape(of: resource) }
        guard trial.library.takeProblems().isEmpty, trial.faulty.isEmpty else { return }
        trial.prepared = (program, builder.indices)
        self = trial
    }

    /// Compiles the schema at a path below the folder, optionally with a fragment: `order.json#/$defs/short`.
    ///
    /// - Parameter reference: The string that contains the path. Problems are reported at its place.
    package mutating func compile(at reference: JSONValue) -> (schema: JSONSchema?, problems: [Diagnostic]) {
        if let known = reference.string.flatMap({ compiledByPath[$0] }) { return (known, []) }
        guard let target = library.target(of: reference) else { return (nil, library.takeProblems()) }
        if let known = compiled[Spot(target.value)] { return (known, library.takeProblems()) }
        let (schema, problems) = compile(target)
        if let path = reference.string, problems.isEmpty { compiledByPath[path] = schema }
        return (schema, problems)
    }

    /// The source of the schema at a path below the folder.
    package mutating func source(at reference: JSONValue) -> JSONValue? {
        let target = library.target(of: reference)
        _ = library.takeProblems()
        return target?.value
    }

    /// The schema that the `$ref` of a schema leads to. Nil if the schema has no `$ref` or was not read by this compiler.
    package mutating func target(ofReferenceIn schema: JSONValue) -> JSONValue? {
        guard let reference = schema["$ref"], let resource = library.owner(of: schema) else { return nil }
        let target = library.target(of: reference, from: resource)
        _ = library.takeProblems()
        return target?.value
    }

    private mutating func compile(
        _ target: SchemaLibrary.Subschema
    ) -> (schema: JSONSchema?, problems: [Diagnostic]) {
        if let prepared, let root = prepared.indices[Spot(target.value)] {
            let schema = JSONSchema(program: prepared.program, root: root)
            compiled[Spot(target.value)] = schema
            return (schema, library.takeProblems())
        }
        var builder = ProgramBuilder(library: library, formats: formats)
        let (program, root) = builder.build(target)
        library = builder.library
        for resource in builder.documents { checkShape(of: resource) }
        let problems = library.takeProblems()
        let hasErrors = problems.contains { $0.severity == .error } || !faulty.isDisjoint(with: builder.documents)
        let schema = hasErrors ? nil : JSONSchema(program: program, root: root)
        compiled[Spot(target.value)] = schema
        return (schema, problems)
    }

    /// Compiles schemas only to find their mistakes.
    mutating func buildAll(_ schemas: [SchemaLibrary.Subschema]) {
        let schemas = schemas.filter { prepared?.indices[Spot($0.value)] == nil }
        if schemas.isEmpty { return }
        var builder = ProgramBuilder(library: library, formats: formats)
        builder.buildAll(schemas)
        library = builder.library
        for resource in builder.documents { checkShape(of: resource) }
    }

    /// Checks a document against the metaschema of its dialect.
    private mutating func checkShape(of index: Int) {
        let resource = library.resources[index]
        guard !MetaSchemas.contains(resource.uri.resource), checked.insert(index).inserted else { return }
        guard let failures = metaSchema(of: resource.dialect)?.failures(of: resource.root) else { return }
        let others = library.resources.filter {
            $0.file.resource == resource.file.resource && $0.dialect.draft != resource.dialect.draft
        }
        for failure in failures.shown {
            let place = failure.value.place
            // A part with its own dialect is checked by the metaschema of that dialect.
            if others.contains(where: { $0.root.range.contains(place.range.lowerBound) }) { continue }
            faulty.insert(index)
            library.report(Diagnostic(code: .schemaValue, failure.sentence, at: place))
        }
    }

    /// The problems of the form of one schema in a description. The description as a whole can't be checked, because not every
    /// part of it is a schema.
    private mutating func shapeProblems(of schema: SchemaLibrary.Subschema) -> [Diagnostic] {
        let failures = metaSchema(of: library.resources[schema.resource].dialect)?.failures(of: schema.value)
        return (failures?.shown ?? []).map {
            Diagnostic(code: .schemaValue, $0.sentence, at: $0.value.place)
        }
    }

    private mutating func metaSchema(of dialect: Dialect) -> JSONSchema? {
        if MetaSchemas.contains(dialect.metaSchema) { return Self.metaSchema(at: dialect.metaSchema, dialect) }
        guard let index = library.index(for: dialect.metaSchema) else { return nil }
        let (schema, problems) = compile(
            SchemaLibrary.Subschema(value: library.resources[index].root, resource: index))
        for problem in problems { library.report(problem) }
        return schema
    }

    /// The metaschemas of the drafts that were used so far.
    private static let metaSchemas = Mutex<[String: JSONSchema]>([:])

    /// The metaschema of a dialect. Formats are not asserted, because patterns and references are checked anyway.
    private static func metaSchema(at uri: String, _ dialect: Dialect) -> JSONSchema? {
        metaSchemas.withLock { known in
            if let schema = known[uri] { return schema }
            guard let dialect = Dialect.all[dialect.draft], let file = MetaSchemas.file(with: uri) else { return nil }
            var library = SchemaLibrary(folder: .empty, defaultDialect: dialect)
            guard let resource = library.add(JSONDocument.read(file), URIReference(uri)) else { return nil }
            var builder = ProgramBuilder(library: library, formats: .annotate)
            let root = SchemaLibrary.Subschema(value: library.resources[resource].root, resource: resource)
            let (program, index) = builder.build(root)
            let schema = JSONSchema(program: program, root: index)
            known[uri] = schema
            return schema
        }
    }
}

extension SchemaFailure {
    /// The failure as a sentence for the message of a diagnostic.
    fileprivate var sentence: String { "expected \(expected); found \(found)" }
}
