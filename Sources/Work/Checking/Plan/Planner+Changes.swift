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

    /// Sentences for the reports about the cases and probes that are left out.
    var leftOut: [String] {
        let cases = unasked.isEmpty ? [] : ["\(Unasked.sentence(unasked)); such cases run only if you name them"]
        return cases + unprobed.map { "not probed: \($0.text)" }
    }

    mutating func reportOnlyUnasked() {
        report(
            .usage, .nothingSelected,
            "there is nothing to \(request.comparesStubs ? "compare" : "check"): \(Unasked.sentence(unasked))", at: nil,
            hint: "name a case, as in \"\(unasked[0])\", or add \"expect\" to the endpoint itself")
    }
}

/// The wording for the cases that a run left out because they may change something.
enum Unasked {
    /// A sentence that names at most three of the ids.
    static func sentence(_ ids: [String]) -> String {
        let more = ids.count > 3 ? " and \(ids.count - 3) more" : ""
        let subject = ids.count == 1 ? "1 case may change" : "\(ids.count) cases may change"
        return "\(subject) something on the server: \(ids.prefix(3).joined(separator: ", "))\(more)"
    }
}
