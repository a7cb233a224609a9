import ReqcliText

/// The secrets that calls pass to params of other endpoints: in `needs`, in scenarios, in loads and in checks.
package struct PassedSecrets: Sendable {
    private var secrets: [String: [String: Set<String>]] = [:]

    /// One value for a param.
    private struct Passage {
        /// The endpoint whose params the value can use; nil for a scenario or a load, whose params have no secrets.
        let caller: String?
        let endpoint: String
        let parameter: String
        let placeholders: [Located<Placeholder>]
    }

    package init(
        in environment: EnvironmentChain, _ endpoints: [LocatedEndpoint], _ scenarios: [LocatedScenario],
        _ loads: [LocatedLoad]
    ) {
        var passages: [Passage] = []
        func add(_ parameters: [Named<ValueTemplate>], of endpoint: String?, by caller: String?, each: StepLoop? = nil)
        {
            guard let endpoint else { return }
            let loop: [Located<Placeholder>] =
                if case .values(let values)? = each?.list { values.placeholders } else { [] }
            for given in parameters {
                passages.append(
                    Passage(
                        caller: caller, endpoint: endpoint, parameter: given.name,
                        placeholders: given.value.placeholders + loop))
            }
        }
        for endpoint in endpoints {
            for need in endpoint.inside(environment).needs {
                add(need.value.parameters, of: need.value.endpoint?.value, by: endpoint.id)
            }
            for check in endpoint.definition.checks { add(check.parameters, of: endpoint.id, by: endpoint.id) }
        }
        for need in environment.needs { add(need.value.parameters, of: need.value.endpoint?.value, by: nil) }
        for step in scenarios.flatMap(\.definition.all) {
            add(step.parameters, of: step.endpoint?.value, by: nil, each: step.loop)
        }
        for entry in loads.flatMap(\.definition.mix) {
            add(entry.call.parameters, of: entry.call.endpoint?.value, by: nil)
        }
        var isChanged = true
        while isChanged {
            isChanged = false
            for passage in passages {
                let found = environment.secrets(in: passage.placeholders, passage.caller.map { self[$0] } ?? [:])
                let known = secrets[passage.endpoint]?[passage.parameter] ?? []
                if found.isSubset(of: known) { continue }
                secrets[passage.endpoint, default: [:]][passage.parameter] = known.union(found)
                isChanged = true
            }
        }
    }

    /// The secrets that the params of an endpoint get, by the name of the param.
    package subscript(_ endpoint: String) -> [String: Set<String>] { secrets[endpoint] ?? [:] }
}
