import Definitions
import NearNames
import SourceText

extension Planner {
    /// Everything that these endpoints need, directly or not; circles and gaps are reported.
    mutating func dependencies(of endpoints: [LocatedEndpoint]) -> [String: CheckPlan.Dependency] {
        var search = DependencySearch()
        var seen: Set<String> = []
        for endpoint in endpoints where seen.insert(endpoint.id).inserted { visit(endpoint, &search) }
        return search.found
    }

    private mutating func visit(_ endpoint: LocatedEndpoint, _ search: inout DependencySearch) {
        if !search.done.insert(endpoint.id).inserted { return }
        search.path.append(endpoint.id)
        defer { search.path.removeLast() }
        take(endpoint.capturesHandedToNeeds())
        for need in endpoint.needs {
            guard let id = need.value.endpoint else { continue }
            if let start = search.path.firstIndex(of: id.value) {
                let circle = (search.path[start...] + [id.value]).joined(separator: " → ")
                report(
                    .definitions, .needsCycle, "endpoints need each other in a circle: \(circle)", at: id.place)
                continue
            }
            guard let target = catalogue.endpoint(id.value) else {
                reportMissing(id)
                continue
            }
            checkParameters(need, of: target, at: id.place)
            if search.found[target.id] == nil { search.found[target.id] = dependency(on: target) }
            visit(target, &search)
        }
    }

    private mutating func dependency(on endpoint: LocatedEndpoint) -> CheckPlan.Dependency? {
        let compiled = endpoint.expectation(in: request.environment).map { CompiledExpectation.compile($0) }
        take(compiled?.diagnostics ?? [])
        guard let captures = captures(of: endpoint) else { return nil }
        return CheckPlan.Dependency(endpoint: endpoint, expectation: compiled?.value, captures: captures)
    }

    private mutating func reportMissing(_ id: Located<String>) {
        // It may well be in a file that can't be read.
        let selector = Selector(id.value)
        let broken = catalogue.broken.filter { $0.id.isEmpty || selector.couldSelect(fromFile: $0.id) }
        for file in broken { take(file.diagnostics) }
        guard broken.isEmpty else { return }
        report(
            .definitions, .endpointUnknown, "there is no endpoint \"\(id.value)\"", at: id.place,
            hint: NearNames.question(for: id.value, among: catalogue.endpoints.map(\.id)))
    }

    private mutating func checkParameters(_ need: Named<Need>, of target: LocatedEndpoint, at place: Place) {
        let names = target.parameters.map(\.name)
        for given in need.value.parameters where !names.contains(given.name) {
            report(
                .definitions, .parameterUnknown, "\(target.id) has no param \"\(given.name)\"", at: given.namePlace,
                hint: NearNames.question(for: given.name, among: names))
        }
        for parameter in target.parameters
        where parameter.value.isRequired && need.value.parameters[named: parameter.name] == nil {
            report(
                .definitions, .parameterMissing, "\(target.id) needs the param \"\(parameter.name)\"", at: place,
                hint: "give it in \"with\"")
        }
    }
}

private struct DependencySearch {
    var found: [String: CheckPlan.Dependency] = [:]
    var done: Set<String> = []
    var path: [String] = []
}
