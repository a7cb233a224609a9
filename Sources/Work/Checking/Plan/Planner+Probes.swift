import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension Planner {
    /// The probes of an endpoint; empty without `--probe`.
    func probes(of endpoint: LocatedEndpoint) -> [Selected] {
        guard let probing = request.probing, let expectation = endpoint.expectation(in: request.environment) else {
            return []
        }
        var onlyStatus = Expectation.empty(at: endpoint.definition.place)
        onlyStatus.status = expectation.status
        // A check with the name of a probe replaces the probe, because the user has written the same test by hand.
        let names = Set(endpoint.definition.checks.compactMap { $0.name?.value })
        return endpointProbes(of: endpoint, probing).probes.filter { !names.contains($0.name) }.map {
            Selected(endpoint: endpoint, expectation: onlyStatus, place: $0.place, probe: $0)
        }
    }

    private func endpointProbes(of endpoint: LocatedEndpoint, _ probing: Probing) -> EndpointProbes {
        let row = request.data?.rows.first
        let values: [(String, OrderedJSON)] = endpoint.parameters.compactMap { parameter in
            if case .value(let value)? = row?.given(to: parameter) { return (parameter.name, value) }
            let value = parameter.value.isRequired ? parameter.value.example : parameter.value.defaultValue
            return value.map { (parameter.name, $0.value) }
        }
        return EndpointProbes(
            endpoint, in: request.environment, values: Dictionary(values) { first, _ in first }, probing,
            catalogue.schemas)
    }

    /// The case that calls an endpoint with one param changed.
    mutating func probedCase(
        of selected: Selected, _ probe: Probe, _ row: DataRow?, _ expectation: CompiledExpectation,
        _ captures: CaptureReader
    ) -> [CheckCase] {
        // Missing values are reported for the case that the probe changes, so they are not reported again here.
        var missing: [Diagnostic] = []
        let known = problems.count
        let parameters = parameters(of: selected, row, &missing)
        problems.removeSubrange(known...)
        return [
            CheckCase(
                id: "\(selected.endpoint.id)/\(probe.name)", endpoint: selected.endpoint, checkName: probe.name,
                summary: selected.endpoint.definition.summary, tags: selected.endpoint.tags,
                parameters: parameters ?? [], row: nil, expectation: expectation, captures: captures,
                snapshot: nil, place: probe.place, problem: nil, probe: probe,
                turn: turn(of: selected.endpoint))
        ]
    }

    /// The cases that probes change, by the ids of their endpoints.
    mutating func bases(of cases: [CheckCase]) -> [String: CheckPlan.Base] {
        var bases: [String: CheckPlan.Base] = [:]
        for probed in cases where probed.probe != nil && bases[probed.endpoint.id] == nil {
            let endpoint = probed.endpoint
            let own = cases.first { $0.endpoint.id == endpoint.id && $0.checkName == nil }
            if let own, own.row == nil || own.row?.number == request.data?.rows.first?.number {
                bases[endpoint.id] = CheckPlan.Base(each: own, isSelected: true)
            } else if let base = ownCase(of: endpoint) {
                bases[endpoint.id] = CheckPlan.Base(each: base, isSelected: false)
            }
        }
        return bases
    }

    /// The endpoint's own case, with the first row of data.
    private mutating func ownCase(of endpoint: LocatedEndpoint) -> CheckCase? {
        endpoint.expectation(in: request.environment).flatMap { expectation in
            let selected = Selected(endpoint: endpoint, expectation: expectation, place: endpoint.definition.place)
            return cases(of: selected, CompiledExpectation.compile(expectation, catalogue.schemas)).first
        }
    }

    /// Collects the reasons why endpoints of the run have no probes, or only some of them. A run without any probe is reported as
    /// a mistake.
    mutating func noteUnprobed(among all: [Selected]) {
        guard let probing = request.probing, !all.isEmpty else { return }
        var reasons: [Unprobed] = []
        var seen: Set<String> = []
        for endpoint in all.map(\.endpoint) where seen.insert(endpoint.id).inserted {
            let reason = endpointProbes(of: endpoint, probing).reason
            if let reason { reasons.append(Unprobed(id: endpoint.id, reason: reason)) }
        }
        unprobed = reasons.filter(\.reason.isNoteworthy)
        guard !all.contains(where: { $0.probe != nil }), problems.isEmpty else { return }
        let shown = reasons.prefix(3).map(\.text).joined(separator: "; ")
        let more = reasons.count > 3 ? "; and \(reasons.count - 3) more" : ""
        report(
            .usage, .nothingProbed,
            "there is nothing to probe" + (shown.isEmpty ? ": no probes are selected" : ": \(shown)\(more)"), at: nil,
            hint: reasons.first?.reason.advice)
    }
}
