import SourceText

/// An environment and all that it builds on: the layers from the first to the last, the environment itself at the end.
///
/// A run asks it for each of its requests, so what the layers come to is worked out once.
package final class EnvironmentChain: Sendable {
    package let name: String
    package let layers: [EnvironmentDefinition]
    /// The variables in force, each with the environment that has the last word on it.
    package let variables: [Named<Setting<ValueTemplate>>]
    package let secrets: [Named<Setting<SecretSource>>]
    /// Merged by key, like everything; `null` takes back what was said before.
    package let policy: Policy?

    package init(name: String, layers: [EnvironmentDefinition]) {
        self.name = name
        self.layers = layers
        variables = Self.inForce(layers.map(\.variables))
        secrets = Self.inForce(layers.map(\.secrets))
        policy = layers.compactMap(\.policy).reduce(nil) { merged, setting in
            setting.value.value.map { merged?.merged(with: $0) ?? $0 }
        }
    }

    package var stubs: [Named<Located<String>>]? {
        var said: [[Named<Setting<String>>]]?
        for setting in layers.compactMap(\.stubs) { said = setting.value.value.map { (said ?? []) + [$0] } }
        return said.map { said in
            Self.inForce(said).compactMap { item in
                item.value.value.value.map { Named(item.name, at: item.namePlace, Located($0, at: item.value.place)) }
            }
        }
    }

    /// The last word on each name, in the order in which these were said; what was taken back is left out.
    private static func inForce<Value>(_ layers: [[Named<Setting<Value>>]]) -> [Named<Setting<Value>>] {
        let all = layers.flatMap(\.self)
        var last: [String: Int] = [:]
        for (index, item) in all.enumerated() { last[item.name] = index }
        return all.enumerated().filter { last[$1.name] == $0 && $1.value.value.value != nil }.map(\.element)
    }
}
