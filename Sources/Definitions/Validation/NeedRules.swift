import NearNames
import SourceText

/// `needs`: endpoints that exist, params that they have, and no circle.
enum NeedRules {
    static func check(_ census: Census) -> [Diagnostic] {
        census.endpoints.flatMap { endpoint in
            endpoint.needs.flatMap { problems($0, of: endpoint, census) }
        } + cycles(census)
    }

    private static func problems(_ need: Named<Need>, of endpoint: LocatedEndpoint, _ census: Census) -> [Diagnostic] {
        guard let id = need.value.endpoint else { return [] }
        guard let target = census.endpoint(id.value) else {
            return [
                Diagnostic(
                    code: .endpointUnknown, "there is no endpoint \"\(id.value)\"", at: id.place,
                    hint: NearNames.question(for: id.value, among: census.endpointIDs))
            ]
        }
        return ParameterRules.unknown(need.value.parameters, of: target)
            + ParameterRules.missing(need.value.parameters, of: target, at: id.place)
    }

    private static func cycles(_ census: Census) -> [Diagnostic] {
        census.endpoints.compactMap { endpoint in
            guard let need = endpoint.needs.first else { return nil }
            return Cycle.path(from: endpoint.id) { id in
                census.endpoint(id)?.needs.compactMap { $0.value.endpoint?.value } ?? []
            }.map { path in
                Diagnostic(
                    code: .needsCycle, "endpoints need each other in a circle: \(path.joined(separator: " → "))",
                    at: need.value.endpoint?.place ?? need.namePlace)
            }
        }
    }
}

/// Values given for an endpoint's params in a file.
enum ParameterRules {
    static func unknown(_ given: [Named<ValueTemplate>], of endpoint: LocatedEndpoint) -> [Diagnostic] {
        let names = endpoint.parameters.map(\.name)
        return given.compactMap { value in
            guard let parameter = endpoint.parameters[named: value.name] else {
                return Diagnostic(
                    code: .parameterUnknown, "\(endpoint.id) has no param \"\(value.name)\"", at: value.namePlace,
                    hint: NearNames.question(for: value.name, among: names)
                        ?? (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"))
            }
            guard value.value.placeholders.isEmpty, let complaint = parameter.complaint(about: value.value.source)
            else {
                return nil
            }
            return Diagnostic(
                code: .typeMismatch,
                "the param \"\(value.name)\" \(complaint); found \(value.value.source.shortDescription)",
                at: value.value.place)
        }
    }

    static func missing(_ given: [Named<ValueTemplate>], of endpoint: LocatedEndpoint, at place: Place) -> [Diagnostic]
    {
        endpoint.parameters.filter { $0.value.isRequired && given[named: $0.name] == nil }.map { parameter in
            Diagnostic(
                code: .parameterUnknown, "\(endpoint.id) needs the param \"\(parameter.name)\"", at: place,
                hint: "give it in \"with\"")
        }
    }
}

/// The cases of an endpoint.
enum CheckRules {
    static func check(_ census: Census) -> [Diagnostic] {
        census.endpoints.flatMap { endpoint in
            var names: [String: Place] = [:]
            return endpoint.definition.checks.flatMap { check -> [Diagnostic] in
                var problems = ParameterRules.unknown(check.parameters, of: endpoint)
                if let name = check.name, let first = names.updateValue(name.place, forKey: name.value) {
                    problems.append(
                        Diagnostic(
                            code: .keyDuplicate, "two checks are called \"\(name.value)\"", at: name.place,
                            hint: "reports tell them apart by name",
                            notes: [Diagnostic.Note("the other one is here", at: first)]))
                }
                return problems
            }
        }
    }
}
