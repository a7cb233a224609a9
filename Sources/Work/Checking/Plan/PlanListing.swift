package import ReqcliDefinitions
import ReqcliText

/// The list of the cases that would run, for `--list`.
package enum PlanListing {
    /// A line for each case with the endpoints that it requires, followed by a summary.
    package static func text(_ plan: CheckPlan) -> String {
        let cases = plan.cases.map { each in
            [
                TerminalText.harmless(each.id), each.endpoint.method, TerminalText.harmless(each.endpoint.pathSource),
                TerminalText.harmless(details(each)),
            ]
        }
        let rows =
            cases + plan.scenarios.map { [TerminalText.harmless($0.id), "", "", TerminalText.harmless(details($0))] }
        let widths = (0..<3).map { column in rows.map { TerminalText.width(of: $0[column]) }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = zip(row, widths).map { TerminalText.padded($0, to: $1) } + [row[3]]
            return cells.joined(separator: "  ").trimmingEnd
        }
        return
            (lines + [summary(plan)] + planned(plan)
            + plan.leftOut.map { TerminalText.harmless($0) }).map {
                $0 + "\n"
            }.joined()
    }

    private static func details(_ each: CheckCase) -> String {
        let needs = each.endpoint.needs.compactMap { $0.value.endpoint?.value }
        if let probe = each.probe { return probe.demand }
        let parts = [
            each.parameters.map(\.shown).joined(separator: " "),
            needs.isEmpty ? "" : "needs \(needs.joined(separator: ", "))",
            each.problem.map { "cannot run: \($0.diagnostics.map(\.message).joined(separator: ", "))" } ?? "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The steps and the cleanup of a scenario, such as `cart, add, pay; cleanup cart.delete`.
    private static func details(_ each: ScenarioCase) -> String {
        let steps = each.steps.map(\.label).joined(separator: ", ")
        let cleanup = each.cleanup.map(\.label).joined(separator: ", ")
        let parts = [
            each.parameters.map(\.shown).joined(separator: " "), steps, cleanup.isEmpty ? "" : "cleanup \(cleanup)",
            each.problem.map { "cannot run: \($0.diagnostics.map(\.message).joined(separator: ", "))" } ?? "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// A line with the expected durations, such as `planned: 4.2s in this shard, 4.1s to 4.3s in all 5`.
    private static func planned(_ plan: CheckPlan) -> [String] {
        guard let loads = plan.loads, let shard = plan.shard, let least = loads.min(), let most = loads.max() else {
            return []
        }
        let own = TimeText.short(loads[shard.index - 1])
        let range = [least, most].map(TimeText.short).joined(separator: " to ")
        return ["planned: \(own) in this shard, \(range) in all \(loads.count) shards"]
    }

    /// The number of cases and the required calls, such as `3 of 12 cases (shard 2/5), after auth.login`.
    package static func summary(_ plan: CheckPlan) -> String {
        func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        let counts = [(plan.cases.count, "case"), (plan.scenarios.count, "scenario")].filter { $0.0 > 0 }
        var text = counts.isEmpty ? "0 cases" : counts.map(counted).joined(separator: " and ")
        if let shard = plan.shard {
            let noun = plan.scenarios.isEmpty ? plan.selectedCount == 1 ? "case" : "cases" : "cases and scenarios"
            text = "\(plan.cases.count + plan.scenarios.count) of \(plan.selectedCount) \(noun) (shard \(shard.text))"
        }
        let endpoints = plan.cases.map(\.endpoint) + plan.scenarios.flatMap(\.allSteps).map(\.endpointWithUnmetNeeds)
        let needed = Set(endpoints.flatMap { plan.needed(by: $0) }).sorted()
        return text + (needed.isEmpty ? "" : ", after \(needed.joined(separator: ", "))")
    }
}

extension CheckPlan {
    /// The ids of all endpoints that an endpoint requires, directly or indirectly.
    package func needed(by endpoint: LocatedEndpoint) -> Set<String> {
        var found: Set<String> = []
        var open = [endpoint]
        while let next = open.popLast() {
            for id in next.needs.compactMap({ $0.value.endpoint?.value }) where found.insert(id).inserted {
                if let dependency = dependencies[id] { open.append(dependency.endpoint) }
            }
        }
        return found
    }
}

extension LocatedEndpoint {
    /// The path of the request as written in the file; empty if there is none.
    var pathSource: String { definition.request.path?.set?.source ?? "" }
}

extension String {
    /// The text without spaces at its end.
    var trimmingEnd: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}
