import ReqcliBasics
import ReqcliText

/// Checks the calls and conditions of loads.
enum LoadFileRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        definitionIndex.loads.flatMap { problems(of: $0.definition, definitionIndex) }
    }

    private static func problems(of load: LoadDefinition, _ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        var rows: [String: Place] = [:]
        // False if a row may belong to a scenario that can't be read.
        var knowsRows = true
        for entry in load.mix {
            var scenario: LocatedScenario?
            if let name = entry.scenario {
                scenario = definitionIndex.scenarios.first { $0.id == LocatedScenario.prefix + name.value }
                if scenario == nil { knowsRows = false }
                problems += [definitionIndex.unknownScenario(name)].compactMap(\.self)
            }
            for row in LoadEntry.rows(entry.id, of: scenario) {
                if let first = rows[row] {
                    problems.append(
                        Diagnostic(
                            code: .keyDuplicate, "two entries of \"mix\" have the name \"\(row)\"", at: entry.place,
                            hint: "give each its own \"name\"",
                            notes: [Diagnostic.Note("the other entry is here", at: first)]))
                }
                rows[row] = entry.place
            }
            problems += self.problems(with: entry, hasData: load.data != nil, definitionIndex)
        }
        guard knowsRows else { return problems }
        for threshold in load.thresholds {
            guard let action = threshold.action, rows[action] == nil, let place = threshold.place else { continue }
            problems.append(
                Diagnostic(
                    code: .valueUnknown, "the load has no \"\(action)\"", at: place,
                    hint: NearNames.question(for: action, among: rows.keys.sorted())
                        ?? "conditions can be about \((rows.keys.sorted() + ["*"]).listed)"))
        }
        return problems
    }

    /// The problems with the params of a call. Columns of a table give params, too, and are only known when the load begins.
    private static func problems(
        with entry: LoadEntry, hasData: Bool, _ definitionIndex: DefinitionIndex
    ) -> [Diagnostic] {
        guard let id = entry.call.endpoint, case .found(let endpoint) = definitionIndex.endpoint(id.value) else {
            return []
        }
        let mismatches = GivenParameters(entry.call.parameters, for: endpoint).mismatches()
        if hasData { return mismatches }
        return mismatches
            + Scope.step(definitionIndex, parameters: [], steps: [:]).problems(in: entry.call.placeholders)
    }
}

extension DefinitionIndex {
    /// The problem with the name of a scenario; nil if there is such a file.
    fileprivate func unknownScenario(_ name: Located<String>) -> Diagnostic? {
        let names = scenarioEntries.map(\.id)
        if names.contains(name.value) { return nil }
        return Diagnostic(
            code: .scenarioUnknown, "there is no scenario \"\(name.value)\"", at: name.place,
            hint: NearNames.question(for: name.value, among: names)
                ?? (names.isEmpty ? "scenarios/ contains no scenarios" : "scenarios: \(names.listed)"))
    }
}
