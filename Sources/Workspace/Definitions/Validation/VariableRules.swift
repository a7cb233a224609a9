import ReqcliText

/// Checks that no variable refers to itself, and that no chain of variables is too long, in any environment.
enum VariableRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        definitionIndex.chains.flatMap { chain in
            let circles = circles(chain)
            // A chain of variables through a cycle would also be reported as too long.
            return circles.isEmpty ? tooLong(chain) : circles
        }
    }

    private static func circles(_ chain: EnvironmentChain) -> [Diagnostic] {
        graph(chain).cycles().map { cycle in
            .cycle(
                .variableCycle, "variables refer to each other", cycle.names, at: cycle.place,
                hint: "give one of these variables a value that uses no other variable")
        }
    }

    /// Reports variables that refer to each other in a chain that is too long to fill in.
    static func tooLong(_ chain: EnvironmentChain) -> [Diagnostic] {
        guard chain.variables.count > Limits.chain else { return [] }
        return graph(chain).chains(longerThan: Limits.chain).map { path in
            Diagnostic(
                code: .variableDepth,
                "a chain of references has more than \(Limits.chain) variables: \(path.description)", at: path.place,
                hint: "give one of these variables a value that uses no other variable")
        }
    }

    /// The variables in force, each with the variables to which its value refers. Messages point to the name of the variable.
    private static func graph(_ chain: EnvironmentChain) -> ReferenceGraph {
        ReferenceGraph(
            chain.variables.map { variable in
                let used = variable.value.set?.placeholders.compactMap { placeholder in
                    if case .name(let name) = placeholder.value { Located(name, at: variable.namePlace) } else { nil }
                }
                return (variable.name, used ?? [])
            })
    }
}
