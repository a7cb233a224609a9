package import ReqcliDefinitions
import ReqcliText

/// The servers that get the values that only the user has: secrets, params, captured values, and credentials in files. They are
/// found in the files, for every endpoint in every environment.
package struct ValueFlows {
    struct Flow: Hashable {
        let value: FlowingValue
        let server: String
    }

    /// An endpoint in an environment.
    struct Place: Hashable {
        let endpoint: String
        let environment: String
    }

    /// The flows, each with the endpoint that sends the value or passes it to an endpoint that it needs.
    private(set) var uses: [(flow: Flow, place: Place)] = []
    private(set) var flows: Set<Flow> = []
    /// The endpoints that send each value.
    private(set) var users: [FlowingValue: Set<String>] = [:]
    /// All values, also values that no endpoint sends.
    private(set) var values: Set<FlowingValue> = []
    /// The endpoints that have a server, in each environment.
    private(set) var served: Set<Place> = []
    /// For each environment, the variables with a server that its secrets are for.
    package private(set) var chosenVariables: [String: Set<String>] = [:]
    /// The secrets that read each value, each with the name of the environment that declares the secret.
    private(set) var secrets: [FlowingValue: [(environment: String, name: String)]] = [:]

    package init(_ workspace: Workspace) {
        let files = workspace.load(endpointFiles: workspace.endpointEntries().value)
        let endpoints = files.compactMap(\.value).flatMap(\.located)
        for endpoint in endpoints {
            values.formUnion(endpoint.parameters.map { .parameter($0.name, of: endpoint.id) })
            values.formUnion(endpoint.definition.captures.map { .capture($0.name, of: endpoint.id) })
        }
        for name in workspace.environmentNames {
            guard case .found(let chain) = workspace.environment(name).value else { continue }
            add(chain, chain.needs.isEmpty ? endpoints : endpoints.map { $0.inside(chain) })
        }
        values.formUnion(flows.map(\.value))
    }

    private mutating func add(_ chain: EnvironmentChain, _ endpoints: [LocatedEndpoint]) {
        var graph = FlowGraph(FlowScope(chain), endpoints)
        let own = graph.environmentOnly
        var known = own.values
        for layer in chain.layers {
            for secret in layer.secrets {
                guard let source = secret.value.set else { continue }
                secrets[FlowingValue(source, name: secret.name), default: []].append((layer.name, secret.name))
            }
        }
        for secret in chain.secrets {
            if let source = secret.value.set { known.insert(FlowingValue(source, name: secret.name)) }
        }
        values.formUnion(known)
        // The secrets of an environment are for its server.
        var servers = own.servers
        for endpoint in endpoints {
            let place = Place(endpoint: endpoint.id, environment: chain.name)
            if graph.node(endpoint).hasServer { served.insert(place) }
            for flow in graph.flows(of: endpoint) {
                uses.append((flow, place))
                users[flow.value, default: []].insert(endpoint.id)
                flows.insert(flow)
                if known.contains(flow.value) { servers.insert(flow.server) }
            }
        }
        // If the environment has no server yet, all its variables may be meant as servers.
        let variables = chain.variables.map { ($0.name, graph.scope.servers(ofVariable: $0.name)) }
            .filter { !$0.1.isEmpty }
        let allowed = servers.isEmpty ? variables.reduce(into: Set()) { $0.formUnion($1.1) } : own.servers
        for value in known { flows.formUnion(allowed.map { Flow(value: value, server: $0) }) }
        chosenVariables[chain.name] = Set(
            variables.filter { $0.1.isSubset(of: servers.isEmpty ? allowed : servers) }.map(\.0))
    }
}

/// The endpoints of a workspace in one environment, with the values that they pass to each other.
private struct FlowGraph {
    struct Node {
        /// The names of params and variables that are sent.
        let names: Set<String>
        let values: Set<FlowingValue>
        /// The servers that the request can be sent to.
        let servers: Set<String>
        /// Whether a file gives the request a server, even if variables in it have no values.
        let hasServer: Bool
    }

    let scope: FlowScope
    private let endpoints: [String: LocatedEndpoint]
    private var nodes: [String: Node] = [:]
    /// For each endpoint, the servers that get its params and the variables that it uses, by their names.
    private var sinks: [String: [String: Set<String>]] = [:]

    init(_ scope: FlowScope, _ endpoints: [LocatedEndpoint]) {
        self.scope = scope
        self.endpoints = Dictionary(endpoints.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A request that sets nothing, as every endpoint of the environment inherits it.
    var environmentOnly: Node { made(LocatedEndpoint(typed: "", in: scope.environment)) }

    private func made(_ endpoint: LocatedEndpoint) -> Node {
        let request = EffectiveRequest(endpoint, in: scope.environment)
        let placeholders = request.placeholders
        let servers = scope.servers(of: request, endpoint)
        return Node(
            names: placeholders.names, values: scope.values(of: placeholders, in: endpoint).union(request.literals),
            servers: servers.filter(FlowScope.isKnown), hasServer: !servers.isEmpty)
    }

    mutating func node(_ endpoint: LocatedEndpoint) -> Node {
        if let known = nodes[endpoint.id] { return known }
        let node = made(endpoint)
        nodes[endpoint.id] = node
        return node
    }

    mutating func flows(of endpoint: LocatedEndpoint) -> Set<ValueFlows.Flow> {
        let own = node(endpoint)
        var flows = self.flows(of: own.values, to: own.servers)
        for need in endpoint.needs.map(\.value) where !need.parameters.isEmpty {
            guard let id = need.endpoint?.value else { continue }
            let sinks = sinks(of: id)
            for given in need.parameters {
                guard let servers = sinks[given.name] else { continue }
                let values = scope.values(of: given.value.placeholders.map(\.value), in: endpoint)
                flows.formUnion(self.flows(of: values, to: servers))
            }
        }
        return flows
    }

    private mutating func flows(of values: Set<FlowingValue>, to servers: Set<String>) -> Set<ValueFlows.Flow> {
        var flows: Set<ValueFlows.Flow> = []
        for value in values {
            // The server of an endpoint knows the values that are captured from its responses.
            var others = servers
            if case .capture(_, let id) = value, let maker = endpoints[id] { others.subtract(node(maker).servers) }
            flows.formUnion(others.map { ValueFlows.Flow(value: value, server: $0) })
        }
        return flows
    }

    /// The servers that get the params of an endpoint, also through the endpoints that it needs. The walk is not recursive, because
    /// its depth depends on the files.
    private mutating func sinks(of id: String) -> [String: Set<String>] {
        if let known = sinks[id] { return known }
        var path: [(id: String, open: [String])] = []
        func enter(_ id: String) {
            guard sinks[id] == nil, let endpoint = endpoints[id] else { return }
            sinks[id] = [:]  // Endpoints that need each other in a cycle can't be sent.
            let needs = endpoint.needs.map(\.value).filter { !$0.parameters.isEmpty }
            path.append((id, needs.compactMap { $0.endpoint?.value }))
        }
        enter(id)
        while let last = path.indices.last {
            if let next = path[last].open.popLast() {
                enter(next)
            } else if let endpoint = endpoints[path.removeLast().id] {
                sinks[endpoint.id] = ownSinks(of: endpoint)
            }
        }
        return sinks[id] ?? [:]
    }

    /// The servers that get the params of an endpoint, if those of the endpoints that it needs are known.
    private mutating func ownSinks(of endpoint: LocatedEndpoint) -> [String: Set<String>] {
        let own = node(endpoint)
        var found = Dictionary(own.names.map { ($0, own.servers) }, uniquingKeysWith: { first, _ in first })
        for need in endpoint.needs.map(\.value) {
            guard let inner = need.endpoint.flatMap({ sinks[$0.value] }) else { continue }
            for given in need.parameters {
                guard let servers = inner[given.name] else { continue }
                for name in given.value.placeholders.map(\.value).names {
                    found[name, default: []].formUnion(servers)
                }
            }
        }
        return found
    }
}

extension [Placeholder] {
    /// The names of params and variables.
    fileprivate var names: Set<String> {
        Set(compactMap { if case .name(let name) = $0 { name } else { nil } })
    }
}
