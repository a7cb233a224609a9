import Assembly
package import CommandLineKit
package import Definitions
package import SourceText
import Synchronization

/// The endpoints that a server answers for, as one reading of the workspace gives them.
package final class ServedEndpoints: Sendable {
    /// Larger files are not kept.
    private static let largestInMemory = 64 << 10

    /// In the order of the files.
    package let endpoints: [LocatedEndpoint]
    let router: Router
    let variables: [String: OrderedJSON]
    /// The environment's variant for every endpoint.
    let rest: String?
    /// Answers what no endpoint is for.
    let last: (endpoint: LocatedEndpoint, variant: String?)?
    private let workspace: Workspace
    private let variants: [String: EndpointVariants]
    private let chosen: @Sendable (LocatedEndpoint) -> String?
    private let fileSize: @Sendable (String) -> Int?
    private let scripts = Mutex<[String: StubScript]>([:])

    /// - Parameters:
    ///   - chosen: The variant that the command line or the environment names for an endpoint.
    ///   - rest: The environment's variant for every endpoint.
    ///   - last: The endpoint that answers what no other is for.
    ///   - fileSize: The size of a file: a large one is sent from where it is.
    package init(
        _ patterns: [RequestPattern], of workspace: Workspace, variables: [String: OrderedJSON],
        chosen: @escaping @Sendable (LocatedEndpoint) -> String?, rest: String?,
        last: (endpoint: LocatedEndpoint, variant: String?)? = nil,
        fileSize: @escaping @Sendable (String) -> Int? = { _ in nil }
    ) throws(Failure) {
        self.workspace = workspace
        self.variables = variables
        self.chosen = chosen
        self.rest = rest
        self.last = last
        self.fileSize = fileSize
        endpoints = patterns.map(\.endpoint)
        router = Router(patterns, workspace.schemas)
        let all = (endpoints + [last?.endpoint].compactMap(\.self)).map { EndpointVariants($0, workspace.schemas) }
        variants = Dictionary(all.map { ($0.endpoint.id, $0) }, uniquingKeysWith: { first, _ in first })
        // A choice that names no variant is found before the first request.
        for each in all where !each.names.isEmpty {
            if let name = chosen(each.endpoint) { _ = try script(name, of: each.endpoint) }
        }
        if let last, let name = last.variant { _ = try script(name, of: last.endpoint) }
        try check()
    }

    /// Makes the patterns of endpoints, and takes the variants that an environment names.
    ///
    /// - Parameters:
    ///   - chosen: The variant that somebody names for an endpoint in place of the environment.
    ///   - last: The endpoint that answers what no other is for.
    ///   - fileSize: The size of a file: a large one is sent from where it is.
    package convenience init(
        _ endpoints: [LocatedEndpoint], of workspace: Workspace, in environment: EnvironmentChain,
        by maker: RequestPattern.Maker, chosen: @escaping @Sendable (LocatedEndpoint) -> String? = { _ in nil },
        last: (endpoint: LocatedEndpoint, variant: String?)? = nil,
        fileSize: @escaping @Sendable (String) -> Int?
    ) throws(Failure) {
        var patterns: [RequestPattern] = []
        for endpoint in endpoints { patterns.append(try maker.pattern(of: endpoint)) }
        let own = environment.stubs ?? []
        try self.init(
            patterns, of: workspace, variables: endpoints.first.map(maker.variables) ?? [:],
            chosen: { chosen($0) ?? own[named: $0.id]?.value }, rest: own[named: "*"]?.value, last: last,
            fileSize: fileSize)
    }

    /// Pairs of endpoints that no request can tell apart.
    package var indistinguishable: [(first: LocatedEndpoint, second: LocatedEndpoint)] { router.indistinguishable }

    /// The variants of an endpoint; nil if it has none.
    func variants(of id: String) -> EndpointVariants? { variants[id].flatMap { $0.names.isEmpty ? nil : $0 } }

    func chosen(for endpoint: LocatedEndpoint) -> String? { chosen(endpoint) }

    func script(_ name: String, of endpoint: LocatedEndpoint) throws(Failure) -> StubScript {
        let key = "\(endpoint.id)=\(name)"
        if let known = scripts.withLock({ $0[key] }) { return known }
        let script = try workspace.stubs(name, of: endpoint, ifUnknown: .usage) { [fileSize] path in
            fileSize(path).map { $0 > Self.largestInMemory } ?? false
        }
        scripts.withLock { $0[key] = script }
        return script
    }

    /// Whether a variant, named as in `user.feed=empty`, is written as in another reading.
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
