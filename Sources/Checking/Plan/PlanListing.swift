import CommandLineKit
package import Definitions
import SourceText
import TerminalText

/// The list of the cases that would run, for `--list`.
package enum PlanListing {
    /// A line for each case, and what runs before.
    package static func text(_ plan: CheckPlan) -> String {
        let rows = plan.cases.map { each in
            [
                TerminalText.harmless(each.id), each.endpoint.method, TerminalText.harmless(each.endpoint.pathSource),
                TerminalText.harmless(details(each)),
            ]
        }
        let widths = (0..<3).map { column in rows.map { TerminalText.width(of: $0[column]) }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = zip(row, widths).map { TerminalText.padded($0, to: $1) } + [row[3]]
            return cells.joined(separator: "  ").trimmingEnd
        }
        return
            (lines + [summary(plan)] + planned(plan)
            + plan.unprobed.map { TerminalText.harmless("not probed: \($0.text)") }).map {
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

    /// `planned: 4.2s in this shard, 4.1s to 4.3s in all 5`
    private static func planned(_ plan: CheckPlan) -> [String] {
        guard let loads = plan.loads, let shard = plan.shard, let least = loads.min(), let most = loads.max() else {
            return []
        }
        let own = TimeText.short(loads[shard.index - 1])
        let range = [least, most].map(TimeText.short).joined(separator: " to ")
        return ["planned: \(own) in this shard, \(range) in all \(loads.count)"]
    }

    /// `3 of 12 cases (shard 2/5), after auth.login`
    package static func summary(_ plan: CheckPlan) -> String {
        let noun = plan.selectedCount == 1 ? "case" : "cases"
        var text = "\(plan.cases.count) \(noun)"
        if let shard = plan.shard {
            text = "\(plan.cases.count) of \(plan.selectedCount) \(noun) (shard \(shard.text))"
        }
        let needed = Set(plan.cases.flatMap { plan.needed(by: $0.endpoint) }).sorted()
        return text + (needed.isEmpty ? "" : ", after \(needed.joined(separator: ", "))")
    }
}

extension CheckPlan {
    /// The ids of what an endpoint needs, directly or not.
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
    /// The path as it is written; empty where there is none.
    var pathSource: String { definition.request.path?.value.value?.source ?? "" }
}

extension String {
    /// The text without spaces at its end.
    var trimmingEnd: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}
