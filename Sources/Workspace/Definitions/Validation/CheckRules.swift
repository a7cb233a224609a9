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

/// The values that a file gives for an endpoint's params.
struct GivenParameters {
    private let given: [Named<ValueTemplate>]
    private let endpoint: LocatedEndpoint

    init(_ given: [Named<ValueTemplate>], for endpoint: LocatedEndpoint) {
        self.given = given
        self.endpoint = endpoint
    }

    /// Diagnostics for invalid values.
    func mismatches() -> [Diagnostic] {
        let parameters = endpoint.parameters
        let byName = Dictionary(parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return given.compactMap { value in
            guard let parameter = byName[value.name], let literal = value.value.literal,
                let complaint = parameter.complaint(about: literal)
            else { return nil }
            return Diagnostic(
                code: .typeMismatch, "the param \"\(value.name)\" \(complaint); found \(parameter.shown(literal))",
                at: value.value.place)
        }
    }

    /// Diagnostics for required params that are not given.
    func missing(at place: Place) -> [Diagnostic] {
        let names = Set(given.map(\.name))
        return endpoint.parameters.filter { $0.value.isRequired && !names.contains($0.name) }.map { parameter in
            Diagnostic(
                code: .parameterMissing, "\(endpoint.id) needs the param \"\(parameter.name)\"", at: place,
                hint: "give the param in \"with\"")
        }
    }
}
