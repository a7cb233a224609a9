import CommandLineKit
import Definitions
import SourceText

extension Planner {
    /// What is to be checked: what the selectors name, or everything that expects something.
    mutating func selection() -> [Selected] {
        let offers = catalogue.endpoints.flatMap { makeOffers(of: $0) }
        if request.selectors.isEmpty {
            for file in catalogue.broken { take(file.diagnostics) }
            let all = offers.compactMap(\.selected)
            if all.isEmpty, problems.isEmpty { reportNothing() }
            return checkedForNames(all)
        }
        var chosen: Set<Int> = []
        for selector in request.selectors {
            let indexes = selector.selected(among: offers.map(\.candidate))
            let broken = catalogue.broken.filter { $0.id.isEmpty || selector.couldSelect(fromFile: $0.id) }
            for file in broken { take(file.diagnostics) }
            if indexes.isEmpty, broken.isEmpty {
                problems.append(
                    Failure(.usage, [selector.complaint(among: catalogue.endpoints, mayBeVariant: true)]))
            }
            chosen.formUnion(indexes)
        }
        let selected = chosen.sorted().map { offers[$0] }
        for offer in selected where offer.selected == nil { reportNothingExpected(offer.endpoint) }
        return checkedForNames(selected.compactMap(\.selected))
    }

    /// Something that a selector can name; without anything selected it is an endpoint that expects nothing.
    private struct Offer {
        let endpoint: LocatedEndpoint
        let candidate: Candidate
        let selected: Selected?
    }

    private mutating func makeOffers(of endpoint: LocatedEndpoint) -> [Offer] {
        var offers: [Offer] = []
        if let expectation = endpoint.expectation(in: request.environment) {
            offers.append(
                Offer(
                    endpoint: endpoint,
                    candidate: Candidate(endpointID: endpoint.id, checkName: nil, tags: endpoint.tags),
                    selected: Selected(
                        endpoint: endpoint, check: nil, expectation: expectation, place: endpoint.definition.place)))
        }
        for check in endpoint.definition.checks {
            guard let name = check.name, let expectation = check.expectation, !expectation.isEmpty else { continue }
            offers.append(
                Offer(
                    endpoint: endpoint,
                    candidate: Candidate(
                        endpointID: endpoint.id, checkName: name.value, tags: endpoint.tags + check.tags),
                    selected: Selected(endpoint: endpoint, check: check, expectation: expectation, place: name.place)))
        }
        if offers.isEmpty {
            let candidate = Candidate(endpointID: endpoint.id, checkName: nil, tags: endpoint.tags)
            offers.append(Offer(endpoint: endpoint, candidate: candidate, selected: nil))
        }
        return offers
    }

    /// Reports tell cases apart by their names.
    private mutating func checkedForNames(_ all: [Selected]) -> [Selected] {
        var seen: Set<String> = []
        for selected in all {
            guard let name = selected.check?.name, !seen.insert("\(selected.endpoint.id)/\(name.value)").inserted else {
                continue
            }
            report(.broken, .keyDuplicate, "two checks are called \"\(name.value)\"", at: name.place)
        }
        return all
    }

    // MARK: Nothing

    private mutating func reportNothing() {
        report(
            .usage, .nothingSelected, "there is nothing to check: no endpoint has \"expect\" or \"checks\"", at: nil,
            hint: "say in an endpoint what its answer has to be like: \"expect\": {\"status\": 200}")
    }

    private mutating func reportNothingExpected(_ endpoint: LocatedEndpoint) {
        report(
            .usage, .nothingExpected, "\(endpoint.id) is selected, but nothing is expected of it",
            at: endpoint.definition.place,
            hint: "give it \"expect\" or \"checks\", or select what has them")
    }
}
