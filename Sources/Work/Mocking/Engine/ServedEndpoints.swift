import Exchange
import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText

/// The endpoints of a server, as they were read from the workspace at one time.
package final class ServedEndpoints: Sendable {
    /// The maximum size of a file that is kept in memory.
    private static let largestInMemory = 64 << 10

    /// The endpoints in the order of the files.
    package let endpoints: [LocatedEndpoint]
    let router: Router
    let variables: [String: OrderedJSON]
    /// The variant that the environment names for all endpoints; nil for none.
    let rest: String?
    /// The endpoint and the variant that respond to requests for which there is no other endpoint.
    let last: (endpoint: LocatedEndpoint, variant: String?)?
    private let workspace: Workspace
    private let variants: [String: EndpointVariants]
    /// The variants that the command line or the environment names, by the endpoint's id.
    private let chosen: [String: String]
    private let fileSize: @Sendable (String) -> Int?
    private let knownMissSecrets = LazyReference<MissSecrets>()

    /// Prepares the endpoints for requests. Throws if a chosen variant is unknown or an endpoint can't be served.
    ///
    /// - Parameters:
    ///   - chosen: The variant that the command line or the environment names for an endpoint.
    ///   - rest: The variant that the environment names for all endpoints; nil for none.
    ///   - last: The endpoint that responds to requests for which there is no other endpoint.
    ///   - fileSize: Returns the size of the file at a path. A large file is not read into memory, but sent from the disk.
    package init(
        _ patterns: [RequestPattern], of workspace: Workspace, variables: [String: OrderedJSON],
        chosen: (LocatedEndpoint) -> String?, rest: String?,
        last: (endpoint: LocatedEndpoint, variant: String?)? = nil,
        fileSize: @escaping @Sendable (String) -> Int? = { _ in nil }
    ) throws(Failure) {
        self.workspace = workspace
        self.variables = variables
        self.rest = rest
        self.last = last
        self.fileSize = fileSize
        let schemas = workspace.schemas
        endpoints = patterns.map(\.endpoint)
        router = Router(patterns, schemas)
        let all =
            patterns.mapInParallel(\.variants)
            + [last?.endpoint].compactMap(\.self).map { EndpointVariants($0, schemas) }
        variants = Dictionary(all.map { ($0.endpoint.id, $0) }, uniquingKeysWith: { first, _ in first })
        let named = all.filter { !$0.isEmpty }.compactMap { each in chosen(each.endpoint).map { (each.endpoint, $0) } }
        self.chosen = Dictionary(named.map { ($0.id, $1) }, uniquingKeysWith: { first, _ in first })
        // Read the chosen variants now, so that a choice of an unknown variant is reported before the first request.
        for (endpoint, name) in named { _ = try script(name, of: endpoint) }
        if let last, let name = last.variant { _ = try script(name, of: last.endpoint) }
        try check()
    }

    /// Makes the patterns of endpoints, and takes the variants that an environment names. Throws all errors that `validate` finds
    /// in the files of the endpoints, because a pattern or a schema that can't be read would fit every request.
    ///
    /// - Parameters:
    ///   - reading: All files of the workspace.
    ///   - chosen: Returns the chosen variant of an endpoint. It takes precedence over the variant that the environment names.
    ///   - last: The endpoint that responds to requests for which there is no other endpoint.
    ///   - fileSize: Returns the size of the file at a path. A large file is not read into memory, but sent from the disk.
    package convenience init(
        _ endpoints: [LocatedEndpoint], of workspace: Workspace, _ reading: WorkspaceReading,
        in environment: EnvironmentChain, by maker: RequestPattern.Maker,
        chosen: @escaping @Sendable (LocatedEndpoint) -> String? = { _ in nil },
        last: (endpoint: LocatedEndpoint, variant: String?)? = nil,
        fileSize: @escaping @Sendable (String) -> Int?
    ) throws(Failure) {
        // Requests that can't be assembled are not reported here, but later, when the patterns are made.
        let errors = reading.errors(
            forCalling: endpoints + [last?.endpoint].compactMap(\.self), by: [], assembled: Set(endpoints.map(\.id)),
            in: environment.name, judging: { _, _, _ in [] })
        if !errors.isEmpty { throw Failure(.broken, errors) }
        let read = endpoints.mapInParallel { endpoint in
            Result { () throws(Failure) in try maker.pattern(of: endpoint) }
        }
        var patterns: [RequestPattern] = []
        for pattern in read { patterns.append(try pattern.get()) }
        let own = environment.stubs ?? []
        if let rest = own[named: "*"] {
            let lasts = last.map { $0.variant == nil ? [EndpointVariants($0.endpoint, workspace.schemas)] : [] } ?? []
            let unnamed = (patterns.mapInParallel(\.variants) + lasts).filter {
                !$0.isEmpty && own[named: $0.endpoint.id] == nil && chosen($0.endpoint) == nil
            }
            if let problem = Self.problem(of: rest, for: unnamed) { throw Failure(.broken, [problem]) }
        }
        try self.init(
            patterns, of: workspace, variables: endpoints.first.map(maker.variables) ?? [:],
            chosen: { chosen($0) ?? own[named: $0.id]?.value }, rest: own[named: "*"]?.value, last: last,
            fileSize: fileSize)
    }

    /// Finds secrets in requests that fit no endpoint. Made at the first such request.
    var missSecrets: MissSecrets {
        knownMissSecrets.value ?? knownMissSecrets.keep(MissSecrets(router, last: last?.endpoint))
    }

    /// Pairs of endpoints that no request can tell apart.
    package var indistinguishable: [(first: LocatedEndpoint, second: LocatedEndpoint)] { router.indistinguishable }

    /// The base path that all endpoints share, such as `/v1`; nil if there is none.
    package var basePath: String? { router.basePath }

    /// The variants of an endpoint; nil if it has none.
    func variants(of id: String) -> EndpointVariants? { variants[id].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether an endpoint has a variant of a name.
    func has(_ variant: String, of id: String) -> Bool { variants(of: id)?.names.contains(variant) ?? false }

    func chosen(for endpoint: LocatedEndpoint) -> String? { chosen.isEmpty ? nil : chosen[endpoint.id] }

    func script(_ name: String, of endpoint: LocatedEndpoint) throws(Failure) -> ServedScript {
        try script(name, of: variants[endpoint.id] ?? EndpointVariants(endpoint, workspace.schemas))
    }

    func script(_ name: String, of variants: EndpointVariants) throws(Failure) -> ServedScript {
        if let known = variants.script(name) { return known }
        let endpoint = variants.endpoint
        let script = try workspace.stubs(name, of: endpoint, ifUnknown: .usage) { [fileSize] path in
            fileSize(path).map { $0 > Self.largestInMemory } ?? false
        }
        let served = ServedScript(script, name, of: endpoint)
        variants.keep(served)
        return served
    }

    /// Whether a variant, such as `user.feed=empty`, is written in the same way in the files of both sets of endpoints.
    func hasSame(_ stub: String, as other: ServedEndpoints) -> Bool {
        source(of: stub).map { $0 == other.source(of: stub) } ?? false
    }

    private func source(of stub: String) -> OrderedJSON? {
        guard let equals = stub.firstIndex(of: "="), let endpoint = variants[String(stub[..<equals])]?.endpoint,
            let place = endpoint.definition.stubs?.variants[named: String(stub[stub.index(after: equals)...])]?.place
        else { return nil }
        return .string(String(decoding: place.file.bytes[place.range], as: UTF8.self))
    }
}

/// The responses of a variant. A class, because each request looks for a script, and a reference is fast to pass.
final class ServedScript: Sendable {
    /// The endpoint and the variant, as a header and the log name them.
    let name: String
    let variant: String
    let stubs: [ServedStub]
    /// Whether the response depends on the number of earlier requests; false for a variant that has only one response.
    let countsTurns: Bool
    private let afterwards: StubTransport.Afterwards

    init(_ script: StubScript, _ variant: String, of endpoint: LocatedEndpoint) {
        let name = "\(endpoint.id)=\(variant)"
        self.name = name
        self.variant = variant
        stubs = script.stubs.map { ServedStub($0, named: name) }
        afterwards = script.afterwards
        countsTurns = script.stubs.count != 1 || script.afterwards == .fail || script.stubs[0].isFilled
    }

    /// The stub for the request with this number, from 0; nil if there are no more.
    func stub(_ number: Int) -> ServedStub? {
        afterwards.element(number, of: stubs)
    }
}
