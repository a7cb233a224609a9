import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

extension Planner {
    /// All endpoints that these endpoints require, directly or indirectly. Reports cycles, missing endpoints and chains that are
    /// too long.
    mutating func dependencies(of endpoints: [LocatedEndpoint]) -> [String: CheckPlan.Dependency] {
        var search = DependencySearch()
        for endpoint in endpoints where !endpoint.needs.isEmpty {
            search.enter(endpoint)
            while let (endpoint, need) = search.next() {
                if let need { follow(need, &search) } else { take(endpoint.capturesHandedToNeeds()) }
            }
        }
        take(NeedRules.tooLong(search.entered))
        return search.found
    }

    private mutating func follow(_ need: Named<Need>, _ search: inout DependencySearch) {
        guard let id = need.value.endpoint else { return }
        if let circle = search.circle(backTo: id.value) {
            report(
                .broken, .needsCycle,
                "endpoints need each other in a cycle: \(circle.joined(separator: " → "))", at: id.place)
            return
        }
        guard let target = catalogue.endpoint(id.value) else { return reportMissing(id) }
        checkParameters(need, of: target, at: id.place)
        if search.found[target.id] == nil { search.found[target.id] = dependency(on: target) }
        search.enter(target)
    }

    private mutating func dependency(on endpoint: LocatedEndpoint) -> CheckPlan.Dependency? {
        let compiled = endpoint.expectation(in: request.environment).map {
            // If the endpoint is also a case of the run, it is called only once. That call is checked against the description of
            // the case.
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

    private mutating func checkParameters(_ need: Named<Need>, of target: LocatedEndpoint, at place: Place) {
        let names = target.parameters.map(\.name)
        for given in need.value.parameters where !names.contains(given.name) {
            report(
                .broken, .parameterUnknown, "\(target.id) has no param \"\(given.name)\"", at: given.namePlace,
                hint: NearNames.question(for: given.name, among: names))
        }
        for parameter in target.parameters
        where parameter.value.isRequired && need.value.parameters[named: parameter.name] == nil {
            report(
                .broken, .parameterMissing, "\(target.id) needs the param \"\(parameter.name)\"", at: place,
                hint: "give the param in \"with\"")
        }
    }
}

/// A walk from endpoints to all endpoints that they require. Each endpoint is visited once. The walk is not recursive, because
/// its depth depends on the files.
private struct DependencySearch {
    var found: [String: CheckPlan.Dependency] = [:]
    private(set) var entered: [LocatedEndpoint] = []
    private var enteredIDs: Set<String> = []
    private var path: [(endpoint: LocatedEndpoint, nextNeed: Int)] = []
    private var open: Set<String> = []

    mutating func enter(_ endpoint: LocatedEndpoint) {
        guard enteredIDs.insert(endpoint.id).inserted else { return }
        entered.append(endpoint)
        path.append((endpoint, -1))
        open.insert(endpoint.id)
    }

    /// The endpoint that was entered last, with its next `needs` entry. The entry is nil if the endpoint has just been entered.
    mutating func next() -> (LocatedEndpoint, Named<Need>?)? {
        while let (endpoint, nextNeed) = path.last {
            if nextNeed < endpoint.needs.count {
                path[path.count - 1].nextNeed += 1
                return (endpoint, nextNeed < 0 ? nil : endpoint.needs[nextNeed])
            }
            open.remove(endpoint.id)
            path.removeLast()
        }
        return nil
    }

    /// The ids on the cycle from an endpoint back to itself; nil if the endpoint is not on the current path.
    func circle(backTo id: String) -> [String]? {
        open.contains(id) ? path.map(\.endpoint.id).drop { $0 != id } + [id] : nil
    }
}
