package import ReqcliText

/// The score of a suite: how many of the changes in responses its checks have noticed.
package struct MutationResult: Sendable {
    static let format = "reqcli.mutations"
    static let version = 1

    package let cases: [MutatedCase]
    /// The lowest percentage that passes; nil if any passes.
    package let minimum: Int?

    package init(_ cases: [MutatedCase], minimum: Int?) { (self.cases, self.minimum) = (cases, minimum) }

    package var count: Int { cases.reduce(0) { $0 + $1.count } }
    package var killed: Int { cases.reduce(0) { $0 + $1.killed } }

    /// The percentage, rounded down, so that 100 means that every change was noticed; nil if nothing was changed.
    package var score: Int? { Self.score(killed, count) }

    static func score(_ killed: Int, _ count: Int) -> Int? { count == 0 ? nil : killed * 100 / count }

    package var exitStatus: ExitStatus {
        let isTooLow = (score ?? 0) < minimum ?? 0
        return ExitStatus.worst(of: cases.map(\.original.exitStatus) + (isTooLow ? [.expectationFailed] : []))
    }

    // MARK: Reports

    /// The same as a run, for reports: a case fails if the checks have not noticed a change, and the score is below the minimum.
    package func run(of plan: CheckPlan, startedAt: Double, duration: Duration) -> RunResult {
        let isFailing = (score ?? 0) < minimum ?? 100
        return RunResult(
            environment: plan.environment, shard: plan.shard, selectedCount: plan.selectedCount,
            cases: cases.map { isFailing ? $0.failing : $0.original }, exchanges: nil, dependencies: [],
            startedAt: startedAt, duration: duration, wasInterrupted: false, leftOut: plan.leftOut)
    }

    package var record: OrderedJSON {
        var endpoints: [(id: String, cases: [MutatedCase])] = []
        for each in cases {
            if endpoints.last?.id != each.original.endpointID { endpoints.append((each.original.endpointID, [])) }
            endpoints[endpoints.count - 1].cases.append(each)
        }
        return .object([
            "format": .string(Self.format), "version": .int(Self.version), "score": score.map { .int($0) },
            "mutants": .int(count), "killed": .int(killed), "kinds": kinds(of: cases),
            "endpoints": .array(
                endpoints.map { endpoint in
                    let counts = endpoint.cases.map { ($0.killed, $0.count) }
                    let (killed, count) = counts.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
                    return .object([
                        "id": .string(endpoint.id), "score": Self.score(killed, count).map { .int($0) },
                        "mutants": .int(count), "killed": .int(killed), "kinds": kinds(of: endpoint.cases),
                        "cases": .array(endpoint.cases.map(\.record)),
                    ])
                }),
        ])
    }

    private func kinds(of cases: [MutatedCase]) -> OrderedJSON {
        .array(
            Mutant.Kind.allCases.compactMap { kind in
                let count = cases.reduce(0) { $0 + $1.counts[kind, default: 0] }
                if count == 0 { return nil }
                let survived = cases.reduce(0) { $0 + $1.survivors.count { $0.kind == kind } }
                return .object([
                    "kind": .string(kind.rawValue), "mutants": .int(count), "killed": .int(count - survived),
                ])
            })
    }

    /// The result for a person.
    package var lines: [Styled] {
        let width = cases.map { TerminalText.width(of: TerminalText.harmless($0.id)) }.max() ?? 0
        let each = cases.flatMap { $0.lines(width: width) }
        guard let score else { return each + [Styled("no response could be changed", .yellow)] }
        let style: Style = score < minimum ?? 100 ? [.yellow, .bold] : [.green, .bold]
        let limit = minimum.map { $0 > score ? ", at least \($0) % wanted" : "" } ?? ""
        return each + [Styled("\(score) %", style) + Styled("  \(killed) of \(count) changes noticed\(limit)")]
    }
}

extension MutatedCase {
    private static let mostListed = 50

    fileprivate var record: OrderedJSON {
        .object([
            "id": .string(id), "score": MutationResult.score(killed, count).map { .int($0) }, "mutants": .int(count),
            "killed": .int(killed), "file": .string(original.place.file.name), "line": .int(original.place.start.line),
            "parts": .int(partCount),
            "unseen": .array(
                unseen.map { .object(["path": .string($0.path), "condition": $0.condition]) }),
            "survivors": .array(
                survivors.map {
                    .object([
                        "kind": .string($0.kind.rawValue), "subject": .string($0.subject), "change": .string($0.change),
                    ])
                }),
            "error": original.verdict == .passed
                ? nil : .string(original.outcome.reasons.map(\.text).joined(separator: "; ")),
        ])
    }

    /// The conditions to add to `expect.json`, so that a check looks at each part.
    fileprivate var paste: String? {
        if unseen.isEmpty { return nil }
        return unseen.map { "\(JSONStringText.quoted($0.path)): \($0.condition.compact)" }.joined(separator: ", ")
    }

    fileprivate func lines(width: Int) -> [Styled] {
        let name = TerminalText.padded(TerminalText.harmless(id), to: width)
        guard original.verdict == .passed, let score = MutationResult.score(killed, count) else {
            let reasons = original.outcome.reasons.map { "    " + TerminalText.harmless($0.text) }
            return [Styled(name + "  not passed, so nothing was changed", .red)] + reasons.map { Styled($0) }
        }
        let parts = partCount == 0 ? "" : "; \(partCount - unseen.count) of \(partCount) members looked at"
        let percent = TerminalText.padded("\(score) %", to: 7, .trailing)
        var lines = [
            Styled(name) + Styled(percent, score == 100 ? .green : .yellow)
                + Styled("  \(killed) of \(count) changes noticed\(parts)")
        ]
        func add(_ text: String) { lines.append(Styled("    " + TerminalText.harmless(text), .dim)) }
        if !unseen.isEmpty { add("no check looks at \(unseen.map(\.path).joined(separator: ", "))") }
        if let paste { add("add to \"expect\": \"json\": { \(paste) }") }
        let others = groups.filter { group in !unseen.contains { $0.path == group.subject } }
        if !others.isEmpty { add("not noticed: \(others.map(\.text).joined(separator: "; "))") }
        return lines
    }

    /// The survivors by subject: `header ETag removed, emptied`.
    private var groups: [(subject: String, text: String)] {
        var groups: [(subject: String, text: String)] = []
        for survivor in survivors {
            if let index = groups.firstIndex(where: { $0.subject == survivor.subject }) {
                if !groups[index].text.contains(survivor.change) { groups[index].text += ", \(survivor.change)" }
            } else {
                groups.append((survivor.subject, "\(survivor.subject) \(survivor.change)"))
            }
        }
        return groups
    }

    /// The case as a failed one, with a failure for each part whose changes were not noticed.
    fileprivate var failing: CaseResult {
        guard original.verdict == .passed, !survivors.isEmpty else { return original }
        var result = original
        result.outcome.verdict = .failed
        result.outcome.failures = groups.prefix(Self.mostListed).map { group in
            let condition = unseen.first { $0.path == group.subject }?.condition
            let hint = condition.map {
                "; add \(JSONStringText.quoted(group.subject)): \($0.compact) to \"expect.json\""
            }
            return ExpectationFailure(
                Wording(quoting: group.subject), expected: "a check that notices a change\(own: hint ?? "")",
                actual: "that all checks pass: \(group.text)", at: original.place)
        }
        return result
    }
}
