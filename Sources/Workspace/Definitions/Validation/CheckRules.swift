import ReqcliText

/// Validates the checks of endpoints.
enum CheckRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        definitionIndex.endpoints.flatMap { endpoint in
            var names: [String: Place] = [:]
            return endpoint.definition.checks.flatMap { check -> [Diagnostic] in
                var problems = GivenParameters(check.parameters, for: endpoint).mismatches()
                if let name = check.name {
                    if let first = names[name.value] {
                        problems.append(
                            Diagnostic(
                                code: .keyDuplicate, "two checks have the name \"\(name.value)\"", at: name.place,
                                hint: "give each check its own name: reports identify checks by name",
                                notes: [Diagnostic.Note("the other check is here", at: first)]))
                    } else {
                        names[name.value] = name.place
                    }
                }
                return problems
            }
        }
    }
}
