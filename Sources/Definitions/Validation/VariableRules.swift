import SourceText

/// Checks that no variable stands for itself, and none for too many others, in any environment.
enum VariableRules {
    static func check(_ census: Census) -> [Diagnostic] {
        census.chains.flatMap { chain in
            let circles = circles(chain)
            // A path through a cycle would be too long as well.
            return circles.isEmpty ? tooLong(chain) : circles
        }
    }

    private static func circles(_ chain: EnvironmentChain) -> [Diagnostic] {
        let uses = Uses(chain)
        return Circles.find(in: uses.names, steps: uses.names(usedBy:)).map { circle in
            Diagnostic(
                code: .variableCycle,
                "variables refer to each other in a cycle: \(circle.joined(separator: " → "))",
                at: uses.places[circle[0]], hint: "give one of them a value of its own")
        }
    }

    /// Variables with a chain of others that is too long to fill in.
    static func tooLong(_ chain: EnvironmentChain) -> [Diagnostic] {
        guard chain.variables.count > Limits.chain else { return [] }
        let uses = Uses(chain)
        return Chains.find(longerThan: Limits.chain, in: uses.names, steps: uses.names(usedBy:)).map { way in
            Diagnostic(
                code: .variableDepth,
                "more than \(Limits.chain) variables refer to each other in a row: \(way.description)",
                at: uses.places[way.first], hint: "give one of them a value of its own")
        }
    }
}

/// The variables in force, each with the variables that its value names.
private struct Uses {
    let names: [String]
    let places: [String: Place]
    private let values: [String: ValueTemplate?]

    init(_ chain: EnvironmentChain) {
        names = chain.variables.map(\.name)
        places = Dictionary(chain.variables.map { ($0.name, $0.namePlace) }, uniquingKeysWith: { $1 })
        values = Dictionary(chain.variables.map { ($0.name, $0.value.value.value) }, uniquingKeysWith: { $1 })
    }

    func names(usedBy name: String) -> [String] {
        (values[name]??.placeholders ?? []).compactMap { if case .name(let used) = $0.value { used } else { nil } }
    }
}
