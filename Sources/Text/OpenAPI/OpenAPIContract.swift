import ReqcliBasics
package import ReqcliJSONSchema
package import ReqcliText

/// A description of an API that responses are compared with. The file of the description is read once. The descriptions of an
/// operation's responses are compiled when they are first needed.
package final class OpenAPIContract: Sendable {
    package struct Operation: Sendable {
        package let method: String
        package let path: String
        package let id: String?
        /// The place of the operation's responses.
        package let place: Place
        /// The number of statuses for which the description has a response.
        package let statusCount: Int

        /// The operation's name in messages: its id, or `GET /orders/{id}` if the operation has no id.
        package var name: String { id ?? "\(method) \(path)" }
        /// The operation's name in lists: `GET /orders/{id} (getOrder)`.
        package var title: String { "\(method) \(path)" + (id.map { " (\($0))" } ?? "") }
    }

    /// The mutable state of the contract.
    struct State {
        var document: OpenAPIDocument
        var compiler: SchemaCompiler
        fileprivate(set) var responses: [Int: Result<[DescribedResponse], OpenAPIProblem>] = [:]
        /// Warnings about keywords without effect in the schemas of an operation.
        var warnings: [Int: [Diagnostic]] = [:]
    }

    /// The operations in the order of the description.
    package let operations: [Operation]
    /// The name of the file in messages.
    package let name: String
    private let outlines: [OpenAPIOutline]
    private let finder: OperationFinder
    private let indices: [String: [Int]]
    private let state: Mutex<State>

    /// Reads a description of OpenAPI 3.
    package init(
        _ file: SourceFile, formats: SchemaCompiler.FormatUse = .assert,
        loading load: @escaping OpenAPIDocument.Load = { _ in .failure(OpenAPIFileProblem("there is no such file")) }
    ) throws(OpenAPIProblem) {
        var document = try OpenAPIDocument.read(file, loading: load)
        guard document.version != .swagger else {
            throw OpenAPIProblem(
                "responses can't be compared with a Swagger 2.0 description",
                at: (document.root["swagger"] ?? document.root).place,
                hint: "convert the description to OpenAPI 3")
        }
        let dialect = document.root["jsonSchemaDialect"]
        let name = document.version.hasJSONSchema ? dialect?.string ?? Draft.draft202012.uri : nil
        let folder = document.files.folder
        guard let compiler = SchemaCompiler(describedIn: name, folder: folder, formats: formats) else {
            throw OpenAPIProblem(
                "unknown dialect \"\(name ?? "")\"", at: dialect?.place ?? document.root.place, hint: nil)
        }
        let outlines = document.outlines()
        if let broken = document.brokenReferences.first { throw OpenAPIProblem(broken) }
        guard !outlines.isEmpty else {
            let paths = document.root["paths"] ?? document.root
            throw OpenAPIProblem(
                "the description has no operations", at: Place(file, paths.range.lowerBound..<paths.range.lowerBound),
                hint: "expected operations below \"paths\"")
        }
        operations = outlines.map { outline in
            let key = outline.value.members.first { $0.name == "responses" }?.key
            let statuses = document.resolve(outline.value["responses"])?.members.filter { !$0.name.hasPrefix("x-") }
            return Operation(
                method: outline.method, path: outline.path, id: outline.id, place: key?.place ?? outline.place,
                statusCount: statuses?.count ?? 0)
        }
        let ids = outlines.enumerated().compactMap { index, outline in outline.id.map { ($0, index) } }
        indices = Dictionary(grouping: ids, by: \.0).mapValues { $0.map(\.1) }
        finder = OperationFinder(outlines, in: document)
        self.outlines = outlines
        self.name = file.name
        state = Mutex(State(document: document, compiler: compiler))
    }

    /// The operations with this id; there should be only one.
    package func operations(named id: String) -> [Int] { indices[id] ?? [] }

    /// The operations that a request could mean: the operations whose path matches best.
    package func operations(_ method: String, _ path: String) -> [Int] { finder.operations(method, path) }

    /// The operations that a request could mean, if only a part of its path is known. A nil is an unknown segment.
    package func candidates(_ method: String, _ path: [String?], isWhole: Bool) -> [Int] {
        finder.candidates(method, path, isWhole: isWhole)
    }

    /// The operations that are most similar to a request.
    package func near(_ method: String, _ path: [String?]) -> [Operation] {
        finder.near(method, path).map { operations[$0] }
    }

    /// A schema of a response, by its number.
    package func schema(_ number: Int) -> JSONSchema? { state.withLock { $0.compiler.schema(at: number) } }

    /// The descriptions of an operation's responses, in the order of the file.
    package func responses(of operation: Int) throws(OpenAPIProblem) -> [DescribedResponse] {
        try state.withLock { state in
            if let known = state.responses[operation] { return known }
            let (made, warnings) = state.makeResponses(of: outlines[operation])
            state.warnings[operation] = warnings
            state.responses[operation] = made
            return made
        }.get()
    }

    /// Warnings about keywords without effect in the schemas of an operation. Empty until the operation's responses are asked
    /// for.
    package func warnings(of operation: Int) -> [Diagnostic] { state.withLock { $0.warnings[operation] ?? [] } }
}

extension OpenAPIProblem {
    fileprivate init(_ broken: BrokenReference) { self.init([broken.diagnostic]) }
}
