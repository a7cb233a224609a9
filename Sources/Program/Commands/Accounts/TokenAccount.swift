import CommandLineKit
import Exchange
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
    /// What leads to the server of the environment, with the client's `auth`.
    private let chain: EnvironmentChain
    let client: OAuthClient
    private let world: World
    /// A request to the environment's server with the client's token.
    let assembled: AssembledRequest
    private(set) var need: TokenNeed

    init(_ arguments: ParsedArguments, _ context: Context) throws(Failure) {
        let workspace = try context.open(arguments)
        let environment = try context.environment(flag: arguments[SharedOptions.environment], in: workspace)
        let endpoint = try arguments[AccountOptions.endpoint].map { id throws(Failure) in
            try context.endpoint(id, in: workspace)
        }
        let auth = endpoint.map { $0.auth(in: environment) } ?? environment.auth
        guard case .oauth2? = auth?.set?.credentials else {
            throw Failure(
                .broken, code: .tokenMissing,
                "\(own: endpoint?.id ?? "the environment \(environment.name)") has no \"oauth2\"",
                hint: endpoint == nil
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
        let trust = TrustFlags(arguments)
        var world = context.world
        world.permits = { request, root in context.permission(for: request, root, trust) }
        self.world = world
        assembled = try Assembler(world: world).assemble(call)
        guard let client = assembled.request.tokenClient else {
            throw Failure(.broken, code: .tokenMissing, "\"oauth2\" of \(own: environment.name) gives no token")
        }
        self.client = client
        need = TokenNeed(client, assembled, to: nil, context.files)
        if let endpoint { need.words = [endpoint.id] + need.words }
    }
}

extension TokenAccount {
    /// The servers whose endpoints get the token: that of the environment, and those of endpoints with their own.
    func origins(_ context: Context) throws(Failure) -> [String] {
        let auth = chain.auth?.set?.source()
        let catalogue = workspace.endpoints()
        let endpoints = catalogue.value.filter { $0.auth(in: environment)?.set?.source() == auth }
        // Without a server, an endpoint has that of the environment.
        let own = endpoints.compactMap { endpoint -> EnvironmentChain? in
            let layers = endpoint.layers(in: chain.name)
            guard layers.contains(where: \.namesServer) else { return nil }
            let servers = layers.compactMap { layer -> EnvironmentDefinition? in
                var server = chain.layers.last
                server?.layer.replaceServer(byThatOf: layer)
                return server
            }
            return EnvironmentChain(name: chain.name, layers: chain.layers + servers)
        }
        var origins: Set<String> = []
        for place in [chain] + own {
            var call = Call(
                workspace: workspace, endpoint: LocatedEndpoint(typed: "", in: nil), environment: place)
            call.environmentFiles = assembled.call.environmentFiles
            do throws(Failure) {
                origins.insert(WebOrigin(try Assembler(world: world).assemble(call).request.url).text)
            } catch {
                // A server that depends on params is only known when the endpoint is called.
                if place === chain { throw error }
            }
        }
        return origins.sorted()
    }
}

extension RequestLayer {
    fileprivate var namesServer: Bool { baseURL != nil || scheme != nil || host != nil || port != nil }

    fileprivate mutating func replaceServer(byThatOf other: RequestLayer) {
        (baseURL, scheme, host, port) = (other.baseURL, other.scheme, other.host, other.port)
    }
}
