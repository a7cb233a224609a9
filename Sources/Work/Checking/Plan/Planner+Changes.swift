import ReqcliDefinitions
import ReqcliText

extension Planner {
    /// Whether a case of this endpoint may change something on a server.
    private func changes(_ endpoint: LocatedEndpoint) -> Bool {
        request.isLive
            && endpoint.mayChange(in: request.environment) { path in
                (try? catalogue.file(path)).map { String(decoding: $0.bytes, as: UTF8.self) }
            }
    }

    func turn(of endpoint: LocatedEndpoint) -> String? { changes(endpoint) ? endpoint.file.name : nil }

    /// Leaves out cases that may change something on a server, unless the user has asked for them. The user asks for a case with
    /// a selector that is the endpoint's id, or with an expectation in the endpoint itself and not only in its group's defaults.
    /// Probes are kept, because the policy must already allow them.
    mutating func withoutUnasked(_ all: [Selected]) -> [Selected] {
        guard request.isLive else { return all }
        let kept = all.filter { selected in
            let endpoint = selected.endpoint
            return selected.probe != nil || endpoint.hasOwnExpectation(in: request.environment)
                || request.selectors.contains { $0.isID(of: endpoint) } || !changes(endpoint)
        }
        if kept.count < all.count {
            let ids = Set(kept.map(\.id))
            unasked = all.map(\.id).filter { !ids.contains($0) }
        }
        return kept
    }

    /// Leaves out the cases whose endpoints have no stub variants, unless a selector is the endpoint's id.
    mutating func withoutStubless(_ all: [Selected]) -> [Selected] {
        guard request.leavesOutStubless else { return all }
        let kept = all.filter { selected in
            selected.endpoint.hasStubs || request.selectors.contains { $0.isID(of: selected.endpoint) }
        }
        if kept.count < all.count {
            let ids = Set(kept.map(\.id))
            stubless = all.map(\.id).filter { !ids.contains($0) }
        }
        return kept
    }

    /// Sentences for the reports about the cases and probes that are left out.
    var leftOut: [String] {
        var cases = unasked.isEmpty ? [] : ["\(Unasked.sentence(unasked)); such cases run only if you name them"]
        if !stubless.isEmpty { cases.append("\(Unasked.sentence(ofStubless: stubless)); left out") }
        return cases + unprobed.map { "not probed: \($0.text)" }
    }

    mutating func reportOnlyStubless() {
        report(
            .usage, .nothingSelected,
            "there is nothing to check with --stub: \(Unasked.sentence(ofStubless: stubless))",
            at: nil, hint: "add \"stubs\" to an endpoint, or save a response with \"reqcli send ID --save-stub NAME\"")
    }

    mutating func reportOnlyUnasked() {
        report(
            .usage, .nothingSelected,
            "there is nothing to \(request.comparesStubs ? "compare" : "check"): \(Unasked.sentence(unasked))", at: nil,
            hint: "name a case, as in \"\(unasked[0])\", or add \"expect\" to the endpoint itself")
    }
}

/// The wording for the cases that a run left out. Each sentence names at most three of the ids.
enum Unasked {
    static func sentence(_ ids: [String]) -> String {
        let subject = ids.count == 1 ? "1 case may change" : "\(ids.count) cases may change"
        return "\(subject) something on the server: \(first(ids))"
    }

    static func sentence(ofStubless ids: [String]) -> String {
        "\(ids.count == 1 ? "1 case has" : "\(ids.count) cases have") no stub variants: \(first(ids))"
    }

    private static func first(_ ids: [String]) -> String {
        ids.prefix(3).joined(separator: ", ") + (ids.count > 3 ? " and \(ids.count - 3) more" : "")
    }
}
