import ReqcliText

/// An environment with all environments that it extends: the layers in order, with the environment itself as the last.
///
/// The type is a class, because a run uses the chain for each request, and the merged layers are computed only once.
package final class EnvironmentChain: Sendable {
    package let name: String
    package let layers: [EnvironmentDefinition]
    /// The variables in force, each from the last environment that sets it.
    package let variables: [Named<Setting<ValueTemplate>>]
    package let secrets: [Named<Setting<SecretSource>>]
    /// The endpoints to call before each endpoint, each from the last environment that names its alias.
    package let needs: [Named<Need>]
    private let variablePositions: [String: Int]
    private let secretPositions: [String: Int]
    /// The policies of all layers, merged key by key; `null` removes what earlier layers set.
    package let policy: Policy?

    package init(name: String, layers: [EnvironmentDefinition]) {
        self.name = name
        self.layers = layers
        variables = Self.inForce(layers.map(\.variables))
        secrets = Self.inForce(layers.map(\.secrets))
        needs = Self.inForce(layers.map(\.needs)).split().set
        variablePositions = variables.positions()
        secretPositions = secrets.positions()
        policy = layers.compactMap(\.policy).reduce(nil) { merged, setting in
            setting.set.map { merged?.merged(with: $0) ?? $0 }
        }
    }

    /// The conditions for the response of each endpoint that sets no conditions itself.
    package var expectation: Setting<Expectation>? { layers.last { $0.expectation != nil }?.expectation }

    /// Whether endpoints are the same in this environment as on their own.
    package var saysNothingOfEndpoints: Bool { needs.isEmpty && expectation == nil }

    /// The environment with only what leads to its server: no headers, credentials or needs.
    package var server: EnvironmentChain {
        EnvironmentChain(
            name: name,
            layers: layers.map { definition in
                var definition = definition
                definition.needs = []
                definition.layer = definition.layer.server
                definition.layer.retry = nil
                definition.layer.redirects = nil
                definition.layer.cachePolicy = nil
                return definition
            })
    }

    /// Whether the environment needs the endpoint before others.
    func needs(_ id: String) -> Bool { needs.contains { $0.value.endpoint?.value == id } }

    package func variable(_ name: String) -> Setting<ValueTemplate>? {
        variablePositions[name].map { variables[$0].value }
    }

    package func secret(_ name: String) -> Setting<SecretSource>? {
        secretPositions[name].map { secrets[$0].value }
    }

    /// The only origins that may receive a secret; nil if it may be sent anywhere. The environment that gives the source of the
    /// secret also gives its origins.
    package func origins(ofSecret name: String) -> [Located<String>]? {
        layers.last { $0.secrets[named: name] != nil }?.origins[named: name]
    }

    /// Whether a secret is limited to some origins.
    package var limitsSecrets: Bool { layers.contains { !$0.origins.isEmpty } }

    package var stubs: [Named<Located<String>>]? {
        var said: [[Named<Setting<String>>]]?
        for setting in layers.compactMap(\.stubs) { said = setting.set.map { (said ?? []) + [$0] } }
        return said.map { said in
            Self.inForce(said).compactMap { item in
                item.value.set.map { Named(item.name, at: item.namePlace, Located($0, at: item.value.place)) }
            }
        }
    }

    /// The last value of each name, in the order in which these values were set. Names that are removed with `null` are left out.
    private static func inForce<Value>(_ layers: [[Named<Setting<Value>>]]) -> [Named<Setting<Value>>] {
        let all = layers.flatMap(\.self)
        var last: [String: Int] = [:]
        for (index, item) in all.enumerated() { last[item.name] = index }
        return all.enumerated().filter { last[$1.name] == $0 && $1.value.set != nil }.map(\.element)
    }
}

extension [EnvironmentChain] {
    /// The environments without those that are only the base of others: they name no server, and another environment extends them.
    package var withoutBases: [EnvironmentChain] {
        filter { chain in
            let namesServer = chain.layers.contains { $0.layer.baseURL != nil || $0.layer.host != nil }
            return namesServer || !contains { $0.name != chain.name && $0.layers.contains { $0.name == chain.name } }
        }
    }
}
