import ReqcliBasics
import ReqcliText

/// Validates the checks of endpoints.
enum CheckRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        definitionIndex.endpoints.flatMap { endpoint in
            var names: [String: Place] = [:]
            return endpoint.definition.checks.flatMap { check -> [Diagnostic] in
                var problems = GivenParameters(check.parameters, for: endpoint).problems()
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

    /// Diagnostics for unknown params and invalid values.
    func problems() -> [Diagnostic] {
        let parameters = endpoint.parameters
        let byName = Dictionary(parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return given.compactMap { value in
            guard let parameter = byName[value.name] else {
                let names = parameters.map(\.name)
                return Diagnostic(
                    code: .parameterUnknown, "\(endpoint.id) has no param \"\(value.name)\"", at: value.namePlace,
                    hint: NearNames.question(for: value.name, among: names)
                        ?? (names.isEmpty ? "the endpoint has no params" : "params of the endpoint: \(names.listed)"))
            }
            guard let literal = value.value.literal, let complaint = parameter.complaint(about: literal) else {
                return nil
            }
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
