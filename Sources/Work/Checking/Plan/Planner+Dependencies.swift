import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

extension Planner {
    /// All endpoints that these endpoints require, directly or indirectly. Reports the problems of their needs.
    mutating func dependencies(of endpoints: [LocatedEndpoint]) -> [String: CheckPlan.Dependency] {
        var found: [String: CheckPlan.Dependency] = [:]
        var required: Set<String> = []
        var queue = endpoints
        var head = 0
        while head < queue.count {
            for id in queue[head].needs.compactMap(\.value.endpoint) {
                guard let target = catalogue.endpoint(id.value) else {
                    reportMissing(id)
                    continue
                }
                guard required.insert(target.id).inserted else { continue }
                found[target.id] = dependency(on: target)
                queue.append(target)
            }
            head += 1
        }
        take(NeedRules.problems(of: catalogue.inOrder(queue), catalogue.endpoint))
        return found
    }

    private mutating func dependency(on endpoint: LocatedEndpoint) -> CheckPlan.Dependency? {
        let compiled = endpoint.expectation(in: request.environment).map {
            // If the endpoint is also a case of the run, it is called only once, and the call is checked against the API
            // description of the case.
            CompiledExpectation.compile(ownCases.contains(endpoint.id) ? described($0) : $0, catalogue.schemas)
        }
        take(compiled?.diagnostics ?? [])
        guard let captures = captures(of: endpoint) else { return nil }
        return CheckPlan.Dependency(endpoint: endpoint, expectation: compiled?.value, captures: captures)
    }

    mutating func reportMissing(_ id: Located<String>) {
        // The endpoint may be in a file that can't be read.
        let selector = Selector(id.value)
        let broken = catalogue.broken.filter { $0.id.isEmpty || selector.couldSelect(fromFile: $0.id) }
        for file in broken { take(file.diagnostics) }
        guard broken.isEmpty else { return }
        report(
            .broken, .endpointUnknown, "there is no endpoint \"\(id.value)\"", at: id.place,
            hint: NearNames.question(for: id.value, among: catalogue.endpoints.map(\.id)))
    }
}
