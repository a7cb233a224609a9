import Calling
import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Options of the commands about access tokens.
enum AccountOptions {
    static let endpoint = Argument(
        optional: "ENDPOINT", .text("ENDPOINT", completing: .endpoint),
        "An endpoint with its own \"oauth2\"; by default that of the environment")
    static let values = OptionGroup(
        "Values", RequestOptions.environmentFiles, RequestOptions.trust, RequestOptions.noInput)
}

/// The client of `auth.oauth2` that a command is about.
struct TokenAccount: Sendable {
    let workspace: Workspace
    /// The environment that was chosen.
    private let environment: EnvironmentChain
    /// The parts of a request that lead to the server of the environment, with the client's `auth`.
    private let chain: EnvironmentChain
    let client: OAuthClient
    private let world: World
    /// A request to the environment's server with the client's token.
    let assembled: AssembledRequest
    private(set) var need: TokenNeed

    /// - Parameter mayLackSecrets: Whether secrets that can't be read have stand-ins. Then nothing can be sent.
    init(
        _ arguments: ParsedArguments, _ context: Context, mayLackSecrets: Bool = false
    ) throws(Failure) {
        let workspace = try context.open(arguments)
        let environment = try context.environment(flag: arguments[SharedOptions.environment], in: workspace)
        let endpoint = try arguments[AccountOptions.endpoint].map { id throws(Failure) in
            try context.endpoint(id, in: workspace)
        }
        let auth = endpoint.map { $0.auth(in: environment) } ?? environment.auth
        guard case .oauth2? = auth?.set?.credentials else {
            let logsIn = environment.layers.contains { $0.needs.contains { $0.value.set != nil } }
            throw Failure(
                .broken, code: .tokenMissing,
                "\(own: endpoint?.id ?? "the environment \(environment.name)") has no \"oauth2\"",
                hint: logsIn
                    ? "requests make the logins of \"needs\" by themselves"
                    : endpoint == nil
                        ? "choose another environment with --env, or name an endpoint" : "name another endpoint")
        }
        self.workspace = workspace
        self.environment = environment
        // Only what leads to the server: headers and needs could depend on other calls.
        var layers = environment.server.layers
        layers[layers.count - 1].layer.auth = auth
        chain = EnvironmentChain(name: environment.name, layers: layers)
        var call = Call(
            workspace: workspace.inside(chain), endpoint: LocatedEndpoint(typed: endpoint?.id ?? "", in: nil),
            environment: chain)
        call.environmentFiles = try arguments[RequestOptions.environmentFiles].map { path throws(Failure) in
            try context.pathFromHere(path)
        }
        call.version = Program.version
        call.mayLackSecrets = mayLackSecrets
        let trust = TrustFlags(arguments)
        var world = context.world
        world.permits = { request, root in context.permission(for: request, root, trust) }
        self.world = world
        assembled = try Assembler(world: world).assemble(call)
        guard let client = assembled.request.tokenClient else {
            throw Failure(.broken, code: .tokenMissing, "\"oauth2\" of \(own: environment.name) gives no token")
        }
        self.client = client
        need = TokenNeed(
            client, assembled, to: nil, context.files, guardedBy: SecretOrigins(assembled.call.environment))
        if let endpoint { need.words = [endpoint.id] + need.words }
    }
}

extension TokenAccount {
    /// The need of a request to a server: `https://api.example.com`.
    func need(for origin: String?) -> TokenNeed {
        var result: TokenNeed = self.need
        result.origin = origin
        return result
    }

    /// The places that get the token: the OAuth server, the server of the environment, those of endpoints with their own, and more
    /// servers. Also the ids of endpoints whose server is only known when they are called.
    func places(_ more: [String]) throws(Failure) -> (places: [TokenPlace], unknown: [String]) {
        let auth = chain.auth?.set?.source()
        let catalogue = workspace.endpoints()
        let endpoints = catalogue.value.filter { $0.auth(in: environment)?.set?.source() == auth }
        var places: Set = [TokenPlace(origin: nil, way: need.way)]
        places.insert(try place(of: chain))
        places.formUnion(more.map { TokenPlace(origin: $0, way: need.way) })
        var unknown: [String] = []
        for endpoint in endpoints {
            // Without a server or a way of its own, an endpoint has those of the environment.
            let own = endpoint.layers(in: chain.name).filter(\.leadsElsewhere)
            guard !own.isEmpty else { continue }
            let servers = own.compactMap { layer -> EnvironmentDefinition? in
                var server = chain.layers.last
                server?.layer.replaceServer(byThatOf: layer)
                return server
            }
            do throws(Failure) {
                places.insert(try place(of: EnvironmentChain(name: chain.name, layers: chain.layers + servers)))
            } catch {
                // The server depends on params.
                unknown.append(endpoint.id)
            }
        }
        return (places.sorted { $0.phrase < $1.phrase }, unknown.sorted())
    }

    private func place(of chain: EnvironmentChain) throws(Failure) -> TokenPlace {
        var call = Call(workspace: workspace, endpoint: LocatedEndpoint(typed: "", in: nil), environment: chain)
        call.environmentFiles = assembled.call.environmentFiles
        let assembled = try Assembler(world: world).assemble(call)
        return TokenPlace(origin: WebOrigin(assembled.request.url).text, way: TokenWay(of: assembled))
    }
}

extension RequestLayer {
    /// Whether the layer names a server, or another way to it.
    fileprivate var leadsElsewhere: Bool {
        baseURL != nil || scheme != nil || host != nil || port != nil || proxy != nil || noProxy != nil || tls != nil
    }

    fileprivate mutating func replaceServer(byThatOf other: RequestLayer) {
        (baseURL, scheme, host, port) = (other.baseURL, other.scheme, other.host, other.port)
        (proxy, noProxy, tls) = (other.proxy, other.noProxy, other.tls)
    }
}

extension ValueSpec where Value == String {
    /// A server, as an origin.
    static let serverOrigin = ValueSpec("URL", expected: "a server, such as https://api.example.com", text: { $0 }) {
        (text) throws(InvalidValue) in
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
            url.host?.isEmpty == false
        else { throw InvalidValue() }
        return WebOrigin(url).text
    }
}
