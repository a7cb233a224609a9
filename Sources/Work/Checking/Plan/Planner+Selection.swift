import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension Planner {
    /// The cases to check: the cases that the selectors name, or all without selectors. Excluded cases are left out.
    mutating func selection() -> [Selected] {
        chosenScenarios = scenarioSelection()
        let offers = catalogue.endpoints.flatMap { self.offers(of: $0) }
        let chosen = chosen(from: offers)
        let excluded = excluded(from: offers)
        let kept = chosen.filter { !excluded.contains($0) }.map { offers[$0] }
        for offer in kept where offer.selected == nil {
            if !request.comparesStubs {
                reportNothingExpected(offer.endpoint)
            } else if offer.endpoint.hasStubs {
                uncalled.append(offer.endpoint)
            }
        }
        let selected = withoutStubless(withoutUnasked(kept.compactMap(\.selected)))
        if selected.isEmpty, chosenScenarios.isEmpty, request.added.isEmpty, problems.isEmpty {
            reportNothing(isExcluded: kept.isEmpty && !chosen.isEmpty, kept.first?.endpoint)
        }
        noteUnprobed(among: selected)
        return checkedForNames(selected)
    }

    /// The indexes of the selected offers, in the order of the files.
    private mutating func chosen(from offers: [Offer]) -> [Int] {
        if request.selectors.isEmpty, request.added.isEmpty {
            takeProblems(of: catalogue.broken)
            return offers.indices.filter { request.comparesStubs || offers[$0].selected != nil }
        }
        var chosen: Set<Int> = []
        for selector in request.selectors where !selector.isScenario {
            chosen.formUnion(indexes(of: selector, among: offers, mayBeVariant: true))
            takeProblems(of: brokenFiles(for: selector))
        }
        return chosen.sorted()
    }

    private mutating func excluded(from offers: [Offer]) -> Set<Int> {
        var excluded: Set<Int> = []
        for selector in request.exclusions where !selector.isScenario {
            excluded.formUnion(indexes(of: selector, among: offers, mayBeVariant: false))
        }
        return excluded
    }

    /// The endpoints that a selector names. If there are no such endpoints, and no broken file could define them, the selector is
    /// a mistake.
    private mutating func indexes(of selector: Selector, among offers: [Offer], mayBeVariant: Bool) -> [Int] {
        let indexes = selector.selected(among: offers.map(\.candidate))
        if indexes.isEmpty, brokenFiles(for: selector).isEmpty, !namesScenario(selector) {
            problems.append(
                Failure(
                    .usage,
                    [
                        selector.complaint(
                            among: catalogue.endpoints, otherWords: catalogue.scenarioIDs(), mayBeVariant: mayBeVariant)
                    ]))
        }
        return indexes
    }

    private func brokenFiles(for selector: Selector) -> [Catalogue.BrokenFile] {
        catalogue.broken.filter { $0.id.isEmpty || selector.couldSelect(fromFile: $0.id) }
    }

    /// Collects the problems of broken files. A broken file stops the run, unless all of its cases are excluded.
    private mutating func takeProblems(of files: [Catalogue.BrokenFile]) {
        for file in files where !request.exclusions.contains(where: { $0.selectsAll(ofFile: file.id) }) {
            take(file.diagnostics)
        }
    }

    /// An endpoint or a check that a selector can name. If `selected` is nil, nothing is expected of the endpoint.
    private struct Offer {
        let endpoint: LocatedEndpoint
        let candidate: Candidate
        let selected: Selected?
    }

    private func offers(of endpoint: LocatedEndpoint) -> [Offer] {
        var selected: [Selected] = []
        if let expectation = endpoint.expectation(in: request.environment) {
            selected.append(
                Selected(
                    endpoint: endpoint, expectation: described(expectation), place: endpoint.definition.place))
        } else if request.callsAll {
            let place = endpoint.definition.place
            selected.append(Selected(endpoint: endpoint, expectation: .empty(at: place), place: place))
        }
        for check in endpoint.definition.checks {
            guard let name = check.name, let expectation = check.expectation, !expectation.isEmpty else { continue }
            selected.append(
                Selected(endpoint: endpoint, check: check, expectation: described(expectation), place: name.place))
        }
        if request.comparesStubs { selected = stubbed(endpoint, selected) }
        selected += probes(of: endpoint)
        if selected.isEmpty { return [Offer(endpoint: endpoint, candidate: Candidate(endpoint), selected: nil)] }
        return selected.map { Offer(endpoint: endpoint, candidate: Candidate(endpoint, $0), selected: $0) }
    }

    /// The cases of an endpoint that has stubs. If nothing is expected of the endpoint, it is still called if its method is
    /// safe.
    private func stubbed(_ endpoint: LocatedEndpoint, _ selected: [Selected]) -> [Selected] {
        guard endpoint.hasStubs else { return [] }
        guard selected.isEmpty, HTTPMethod.isSafe(endpoint.method(in: request.environment)) else { return selected }
        let place = endpoint.definition.place
        return [Selected(endpoint: endpoint, expectation: .empty(at: place), place: place)]
    }

    /// Reports an error for checks of the same name, because reports tell cases apart by their names.
    private mutating func checkedForNames(_ all: [Selected]) -> [Selected] {
        var seen: Set<String> = []
        for selected in all {
            guard let name = selected.check?.name, !seen.insert("\(selected.endpoint.id)/\(name.value)").inserted else {
                continue
            }
            report(.broken, .keyDuplicate, "two checks have the name \"\(name.value)\"", at: name.place)
        }
        return all
    }

    // MARK: An earlier run

    /// The cases that did not pass in the earlier run; all cases without an earlier run.
    ///
    /// A case of the earlier report that no longer exists is an error, because otherwise the run could pass without this case. It
    /// is not an error if there are selectors, because they may have left out the case.
    mutating func notPassed(
        in drafts: [CheckCase], _ scenarios: [ScenarioCase]
    ) -> ([CheckCase], [ScenarioCase]) {
        guard let earlier = request.earlier else { return (drafts, scenarios) }
        if earlier.environment != request.environment {
            report(
                .usage, .earlierReportInvalid,
                "\"\(earlier.name)\" is a report of the environment \(earlier.environment), but this run uses \(request.environment)",
                at: nil, hint: "choose the same environment with --env \(earlier.environment)")
        }
        var missing = Set(earlier.notPassed)
        let wanted = missing
        func isWanted(_ id: String) -> Bool {
            let id = EarlierRun.written(id)
            missing.remove(id)
            return wanted.contains(id)
        }
        let kept = (drafts.filter { isWanted($0.id) }, scenarios.filter { isWanted($0.id) })
        if problems.isEmpty {
            reportMissing(
                earlier.notPassed.filter(missing.contains), of: earlier, isNone: kept.0.isEmpty && kept.1.isEmpty)
        }
        return kept
    }

    private mutating func reportMissing(_ ids: [String], of earlier: EarlierRun, isNone: Bool) {
        let unasked = unasked.filter { id in ids.contains { $0 == id || $0.hasPrefix(id + "#") } }
        if !unasked.isEmpty {
            report(
                .usage, .nothingSelected,
                "\"\(earlier.name)\" names cases that are left out: \(Unasked.sentence(unasked))",
                at: nil,
                hint: "also name a case, as in \"\(unasked[0])\", or add \"expect\" to the endpoint itself")
            return
        }
        if earlier.notPassed.isEmpty {
            report(
                .usage, .nothingSelected, "there is nothing to check: every case in \"\(earlier.name)\" passed",
                at: nil,
                hint: "leave out --failed to run all cases")
        } else if request.selectors.isEmpty, request.exclusions.isEmpty {
            guard !ids.isEmpty else { return }
            let more = ids.count > 5 ? " and \(ids.count - 5) more" : ""
            report(
                .usage, .nothingSelected,
                "\"\(earlier.name)\" names cases that no longer exist: \(ids.prefix(5).joined(separator: ", "))\(more)",
                at: nil,
                hint: ids.contains { $0.contains("#") } && request.data == nil
                    ? "pass the same table with --data"
                    : ids.contains { $0.contains("/" + Probe.prefix) } && request.probing == nil
                        ? "also pass --probe" : "leave out --failed to run all cases")
        } else if isNone {
            report(
                .usage, .nothingSelected,
                "there is nothing to check: none of the selected cases failed in \"\(earlier.name)\"", at: nil,
                hint: "select other cases, or leave out --failed")
        }
    }

    // MARK: Nothing selected

    /// - Parameter endpoint: One of the selected endpoints.
    private mutating func reportNothing(isExcluded: Bool, _ endpoint: LocatedEndpoint?) {
        if !unasked.isEmpty {
            reportOnlyUnasked()
            return
        }
        if !stubless.isEmpty {
            reportOnlyStubless()
            return
        }
        if isExcluded {
            report(
                .usage, .nothingSelected,
                "there is nothing to \(request.comparesStubs ? "compare" : "check"): --exclude leaves out every selected case",
                at: nil, hint: "exclude fewer cases, or select other cases: \"reqcli check --list\" lists all cases")
            return
        }
        if request.comparesStubs, uncalled.isEmpty {
            report(
                .usage, .nothingSelected, "there is nothing to compare: no selected endpoint has stubs", at: nil,
                hint: "\"reqcli send \(endpoint?.id ?? "ID") --save-stub standard\" keeps a response as a stub")
            return
        }
        if request.comparesStubs {
            report(
                .usage, .nothingSelected,
                "there is nothing to compare: every selected endpoint with stubs may change something on the server",
                at: nil, hint: "drift only calls endpoints that change nothing, or that have \"expect\" or \"checks\"")
            return
        }
        report(
            .usage, .nothingSelected, "there is nothing to check: no endpoint has \"expect\" or \"checks\"", at: nil,
            hint: "add the expected response to an endpoint, such as \"expect\": {\"status\": 200}")
    }

    private mutating func reportNothingExpected(_ endpoint: LocatedEndpoint) {
        report(
            .usage, .nothingExpected, "\(endpoint.id) is selected, but has neither \"expect\" nor \"checks\"",
            at: endpoint.definition.place,
            hint: "add \"expect\" or \"checks\" to it, or select other endpoints")
    }
}

extension LocatedEndpoint {
    var hasStubs: Bool { definition.stubs?.variants.isEmpty == false }
}
