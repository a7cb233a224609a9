import ReqcliAssembly
import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliText

extension ExportFormat {
    /// An OpenAPI 3.1 description: an operation for each endpoint, with everything that OpenAPI can express.
    static let openAPI = ExportFormat(
        name: "openapi", summary: "an OpenAPI 3.1 description in JSON", mode: .whole,
        abilities: { _ in
            ToolAbilities(
                features: [.schema, .types, .hmac, .aws, .jwt], operations: [.type], takesEveryItem: true,
                takesIndexes: false
            )
        }
    ) { requests, notes in
        var writer = OpenAPIWriter(requests)
        let document = writer.document()
        notes += writer.notes
        return document.map { [ExportedFile("openapi.json", $0.pretty + "\n")] } ?? []
    }
}

/// Collects the parts of one description.
private struct OpenAPIWriter {
    private let source: ExportSource
    private let requests: ExportedRequests
    private let base: String?
    private var security: OpenAPISecurityWriter
    private var schemas: OpenAPISchemas
    private var notation = FileNotation()
    private var paths: [(path: String, erased: String, names: [String], operations: [OrderedJSON.Member])] = []
    private var pathIndex: [String: Int] = [:]
    private var tags: [String] = []
    var notes: [ConversionNote] = []

    init(_ requests: ExportedRequests) {
        self.requests = requests
        source = requests.source
        base = requests.maker.base()?.url
        security = OpenAPISecurityWriter(source.environment)
        schemas = OpenAPISchemas(source.workspace)
    }

    /// The description; nil if it has no operation.
    mutating func document() -> OrderedJSON? {
        noteEnvironmentHeaders()
        for request in requests.all { add(request) }
        if paths.isEmpty { return nil }
        let servers = servers()
        notes += schemas.notes
        let components = OrderedJSON.object([
            "schemas": schemas.all.isEmpty ? nil : .object(schemas.all),
            "securitySchemes": security.schemes.isEmpty ? nil : .object(security.schemes),
        ])
        return .object([
            "openapi": "3.1.0",
            "info": .object([
                "title": .string(source.title), "version": "1.0.0",
            ]),
            "servers": servers.isEmpty ? nil : .array(servers),
            "security": security.root,
            "tags": tags.isEmpty ? nil : .array(tags.map { .object(["name": .string($0)]) }),
            "paths": .object(
                paths.map { OrderedJSON.Member($0.path, .object($0.operations)) }),
            "components": components == .object([]) ? nil : components,
            OpenAPIDocument.notationKey: .object([
                "version": .int(OpenAPIDocument.notationVersion),
                "schemas": schemas.files.isEmpty ? nil : .object(schemas.files),
            ]),
        ])
    }

    // MARK: Servers

    private mutating func servers() -> [OrderedJSON] {
        var servers: [OrderedJSON] = []
        for chain in source.environments {
            guard let base = RequestMaker(source, in: chain, .whole).base() else {
                notes.append(
                    ConversionNote(
                        .toDo, "an environment has no server", chain.name, at: chain.layers.last?.place))
                continue
            }
            let auth = security.notation(of: chain)
            let notation = FileNotation.environment(
                chain, base: StandIn.template(of: base.url), auth: auth, secrets: security.secrets(in: chain))
            servers.append(
                server(
                    base.url, description: chain.layers.last?.summary.map { "\(chain.name): \($0)" } ?? chain.name,
                    notation: notation))
        }
        return servers
    }

    /// A server, with a variable for each value that is only known when a request is sent.
    private func server(
        _ url: String, description: String?, notation: OrderedJSON? = nil,
        sample: (OpenValue) -> OrderedJSON? = { _ in nil }
    ) -> OrderedJSON {
        var variables: [OrderedJSON.Member] = []
        let text = StandIn.replacing(in: url) { value in
            let name = value.name
            if !variables.contains(where: { $0.name == name }) {
                variables.append(
                    OrderedJSON.Member(name, .object(["default": .string(sample(value)?.plainText ?? name)])))
            }
            return "{\(name)}"
        }
        return .object([
            "url": .string(text.isEmpty ? "/" : text), "description": description.map { .string($0) },
            "variables": variables.isEmpty ? nil : .object(variables), OpenAPIDocument.notationKey: notation,
        ])
    }

    private mutating func noteEnvironmentHeaders() {
        for layer in source.environment.layers {
            for header in layer.layer.headers where !OpenAPIParameters.isIgnored(header.name) {
                notes.append(
                    ConversionNote(
                        .lost, "headers of environments are not converted", header.name, at: header.namePlace))
            }
        }
    }

    // MARK: Operations

    private mutating func add(_ request: OpenRequest) {
        let endpoint = request.endpoint
        let method = request.method.lowercased()
        guard Self.methods.contains(method), request.method == method.uppercased() else {
            notes.append(
                ConversionNote(
                    .lost, "OpenAPI does not support the method: the endpoint is left out",
                    "\(endpoint.id), \(request.method)",
                    at: endpoint.definition.request.method?.place ?? endpoint.definition.place))
            return
        }
        let address = OpenAPIAddress(request, base: base)
        let index = pathIndex[address.erased] ?? paths.count
        if index == paths.count {
            pathIndex[address.erased] = index
            paths.append((address.path, address.erased, address.names, []))
        }
        if paths[index].operations.contains(where: { $0.name == method }) {
            notes.append(
                request.note(.lost, "another endpoint has the same method and path: the endpoint is left out"))
            return
        }
        // Paths that differ only in the names of their params become one path, with the names of the first path.
        let path = Array(zip(paths[index].names, address.values))
        paths[index].operations.append(OrderedJSON.Member(method, operation(request, path, address)))
    }

    private static let methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    private mutating func operation(
        _ request: OpenRequest, _ path: [(String, OpenValue)], _ address: OpenAPIAddress
    ) -> OrderedJSON {
        let endpoint = request.endpoint
        var parameters = OpenAPIParameters(request, &schemas)
        for (name, value) in path { parameters.addPath(name, value) }
        parameters.addQuery(address.query, except: security.carriers(of: endpoint))
        parameters.addHeaders(except: security.carriers(of: endpoint))
        let body = parameters.body()
        schemas = parameters.schemas
        notes += parameters.notes
        let all = [endpoint.folder].compactMap(\.self) + endpoint.tags.filter { $0 != endpoint.folder }
        for tag in all where !tags.contains(tag) { tags.append(tag) }
        var responses = OpenAPIResponses(request, requests, schemas)
        let described = responses.all()
        let notation = notation.endpoint(request, address, responses.variants, &security)
        schemas = responses.schemas
        notes += responses.notes
        return .object([
            "operationId": .string(endpoint.id),
            "summary": endpoint.definition.summary.map { .string($0) },
            "deprecated": endpoint.tags.contains("deprecated") ? true : nil,
            "tags": all.isEmpty ? nil : .array(all.map { .string($0) }),
            "servers": address.server.map { .array([server($0, description: nil, sample: request.sample)]) },
            "security": security.requirement(of: request),
            "parameters": parameters.all.isEmpty ? nil : .array(parameters.all),
            "requestBody": body,
            "responses": described,
            OpenAPIDocument.notationKey: notation,
        ])
    }
}

extension OpenValue {
    /// The name of the value, without the kind of the value.
    var name: String {
        switch self {
        case .parameter(let name), .variable(let name), .secret(let name), .processVariable(let name): name
        case .capture(_, let name): name
        case .generated(let generated): String(generated.rawValue.dropFirst())
        case .computed(let text, _): text.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.joined(separator: "_")
        }
    }
}
