import SourceText

/// Variables come to an end: none stands for itself, in no environment.
enum VariableRules {
    static func check(_ census: Census) -> [Diagnostic] {
        let definitions = Dictionary(
            census.environments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return census.environments.flatMap { environment -> [Diagnostic] in
            var ignored: [Diagnostic] = []
            let layers = ExtendsWalk.layers(of: environment.name, reporting: &ignored) { name, _, _ in
                definitions[name]
            }
            return circles(EnvironmentChain(name: environment.name, layers: layers))
        }
    }

    private static func circles(_ chain: EnvironmentChain) -> [Diagnostic] {
        let variables = chain.variables
        let uses = Dictionary(variables.map { ($0.name, $0.value.value.value) }, uniquingKeysWith: { $1 })
        let places = Dictionary(variables.map { ($0.name, $0.namePlace) }, uniquingKeysWith: { $1 })
        return Circles.find(in: variables.map(\.name)) { name in
            (uses[name]??.placeholders ?? []).compactMap { if case .name(let used) = $0.value { used } else { nil } }
        }.map { circle in
            Diagnostic(
                code: .variableCycle,
                "variables stand for each other in a circle: \(circle.joined(separator: " → "))",
                at: places[circle[0]], hint: "give one of them a value of its own")
        }
    }
}
