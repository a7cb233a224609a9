import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
import ReqcliText

/// A selected scenario.
struct ScenarioChoice: Sendable {
    let scenario: LocatedScenario
    /// The number of steps to run: all steps, or the steps up to the step that a selector names.
    var stepCount: Int
    /// The numbers of the rows to run; nil for all.
    var rows: Set<Int>?
}

// MARK: - Selecting

extension Planner {
    /// The scenarios that the selectors name, or all without selectors. Excluded scenarios are left out.
    mutating func scenarioSelection() -> [ScenarioChoice] {
        if request.comparesStubs {
            for selector in request.selectors + request.exclusions where selector.isScenario {
                problems.append(Failure(.usage, [selector.complaint(among: catalogue.endpoints)]))
            }
            return []
        }
        var chosen: [String: ScenarioChoice] = [:]
        if request.selectors.isEmpty, request.added.isEmpty {
            takeScenarioProblems(of: catalogue.brokenScenarios)
            for scenario in catalogue.scenarios { chosen[scenario.id] = whole(scenario) }
        }
        for selector in request.selectors {
            takeScenarioProblems(of: brokenScenarios(for: selector))
            for choice in choices(of: selector) {
                chosen[choice.scenario.id] = chosen[choice.scenario.id].map { $0.joined(with: choice) } ?? choice
            }
        }
        for selector in request.exclusions {
            if case .scenario(_, let step, let row) = selector.subject, step != nil || row != nil {
                report(
                    .usage, .nothingSelected,
                    "--exclude can only leave out whole scenarios; found \"\(selector.text)\"",
                    at: nil)
            }
            for choice in choices(of: selector) { chosen[choice.scenario.id] = nil }
        }
        return catalogue.scenarios.compactMap { chosen[$0.id] }
    }

    /// Whether a selector names a scenario. Called only for a selector that names no endpoint.
    func namesScenario(_ selector: Selector) -> Bool {
        guard selector.mayBeScenario else { return false }
        return !brokenScenarios(for: selector).isEmpty || catalogue.scenarios.contains { selector.names($0) }
    }

    func whole(_ scenario: LocatedScenario) -> ScenarioChoice {
        ScenarioChoice(scenario: scenario, stepCount: scenario.definition.steps.count)
    }

    private mutating func choices(of selector: Selector) -> [ScenarioChoice] {
        let named = catalogue.scenarios.filter { selector.names($0) }
        guard case .scenario(let glob, let step, let row) = selector.subject else { return named.map(whole) }
        if named.isEmpty, brokenScenarios(for: selector).isEmpty {
            let names = catalogue.scenarios.map(\.id)
            problems.append(
                Failure(
                    .usage, code: .selectionEmpty,
                    glob.isLiteral
                        ? "there is no scenario \"\(glob.text)\"" : "no scenario's id matches \"\(glob.text)\"",
                    hint: NearNames.question(for: glob.text, among: names)
                        ?? (names.isEmpty
                            ? "scenarios/ contains no scenarios" : "run \"reqcli list\" to see all scenarios")))
        }
        if let row, !hasRow(row, selector) { return [] }
        return named.compactMap { scenario in
            var choice = whole(scenario)
            choice.rows = row.map { [$0] }
            guard let step else { return choice }
            guard let index = scenario.definition.steps.firstIndex(where: { $0.name?.value == step }) else {
                reportMissingStep(step, scenario)
                return nil
            }
            choice.stepCount = index + 1
            return choice
        }
    }

    private mutating func reportMissingStep(_ step: String, _ scenario: LocatedScenario) {
        let names = scenario.definition.steps.compactMap { $0.name?.value }
        report(
            .usage, .selectionEmpty, "\(scenario.id) has no step \"\(step)\"", at: nil,
            hint: NearNames.question(for: step, among: names)
                ?? "steps of the scenario: \(names.joined(separator: ", "))")
    }

    private mutating func hasRow(_ row: Int, _ selector: Selector) -> Bool {
        guard let rows = request.data?.rows else {
            report(
                .usage, .selectionEmpty, "\"\(selector.text)\" names a row, but --data is missing", at: nil,
                hint: "pass the table with --data")
            return false
        }
        if rows.contains(where: { $0.number == row }) { return true }
        report(
            .usage, .selectionEmpty, "\"\(selector.text)\" names row \(row), but the table ends with row \(rows.count)",
            at: nil)
        return false
    }

    private func brokenScenarios(for selector: Selector) -> [Catalogue.BrokenFile] {
        catalogue.brokenScenarios.filter { file in
            switch selector.subject {
            case .endpoint: false
            case .tag: true
            case .scenario(let glob, _, _): file.id.isEmpty || glob.matches(file.id)
            }
        }
    }

    /// Collects the problems of broken files. A broken file stops the run, unless its scenario is excluded.
    private mutating func takeScenarioProblems(of files: [Catalogue.BrokenFile]) {
        for file in files {
            let isExcluded = request.exclusions.contains { selector in
                if case .scenario(let glob, nil, nil) = selector.subject { glob.matches(file.id) } else { false }
            }
            if !isExcluded { take(file.diagnostics) }
        }
    }
}

extension ScenarioChoice {
    /// A choice with all steps and rows of this choice and of another one.
    fileprivate func joined(with other: ScenarioChoice) -> ScenarioChoice {
        var result = self
        result.stepCount = max(stepCount, other.stepCount)
        result.rows = rows.flatMap { rows in other.rows.map { rows.union($0) } }
        return result
    }
}

extension Selector {
    /// Whether the selector names a scenario, by its id or a tag.
    package func names(_ scenario: LocatedScenario) -> Bool {
        switch subject {
        case .endpoint: false
        case .tag(let glob): scenario.definition.tags.contains(where: glob.matches)
        case .scenario(let glob, _, _):
            glob.matches(scenario.id) || glob.isLiteral && scenario.id.hasPrefix(glob.text + ".")
        }
    }
}

// MARK: - Planning

extension Planner {
    /// One scenario for each row of data, or a single scenario if there is no data.
    mutating func cases(of choice: ScenarioChoice) -> [ScenarioCase] {
        let scenario = choice.scenario
        let definition = scenario.definition
        let wanted = definition.wantedCaptures { catalogue.endpoint($0) }
        let steps = definition.steps.prefix(choice.stepCount).map { planned($0, wanted, isCleanup: false) }
        let cleanup = definition.cleanup.map { planned($0, wanted, isCleanup: true) }
        let whole = steps.compactMap(\.self)
        guard whole.count == steps.count, !cleanup.contains(where: { $0 == nil }) else { return [] }
        let selected = Selected(
            endpoint: scenario.scope, expectation: .empty(at: definition.place), place: definition.place)
        let rows = request.data.map { $0.rows.map(Optional.some) } ?? [nil]
        return rows.compactMap { row in
            if let row, let chosen = choice.rows, !chosen.contains(row.number) { return nil }
            var missing: [Diagnostic] = []
            guard let parameters = parameters(of: selected, row, &missing) else { return nil }
            return ScenarioCase(
                id: scenario.id + (row.map { "#\($0.number)" } ?? ""), scenario: scenario, parameters: parameters,
                row: row, steps: whole, cleanup: cleanup.compactMap(\.self),
                problem: missing.isEmpty ? nil : Failure(.broken, missing))
        }
    }

    /// Plans a step. Nil if the step is wrong; the problem is then reported.
    private mutating func planned(
        _ step: ScenarioStep, _ wanted: [String: Set<String>], isCleanup: Bool
    ) -> PlannedStep? {
        guard let id = step.endpoint else { return nil }
        guard let endpoint = catalogue.endpoint(id.value) else {
            reportMissing(id)
            return nil
        }
        let captures = CaptureReader.compile(endpoint, adding: step.captures)
        take(captures.diagnostics)
        var source = step.expectation ?? endpoint.expectation(in: request.environment)
        if step.expectation == nil, step.poll != nil { source = nil }
        // A snapshot belongs to the endpoint's own case, not to a step.
        source?.snapshot = nil
        if source?.isEmpty == true { source = nil }
        // An API description from a flag applies even to a step that expects nothing, unless the step polls.
        if request.description != nil, step.poll == nil { source = source ?? .empty(at: step.place) }
        let expectation = source.map { compiled(described($0)) }
        let conditions = step.conditions.compactMap { condition -> PlannedStep.Condition? in
            guard let value = condition.value, let expectation = compiled(condition.expectation) else { return nil }
            return PlannedStep.Condition(value: value, expectation: expectation)
        }
        let poll = step.poll.flatMap { poll -> PlannedStep.Poll? in
            poll.until.flatMap { compiled($0) }.map {
                PlannedStep.Poll(definition: poll, until: $0, giveUp: poll.giveUp.flatMap { compiled($0) })
            }
        }
        let elements = elements(of: step.loop)
        guard let reader = captures.value, expectation.map({ $0 != nil }) ?? true,
            conditions.count == step.conditions.count, (poll == nil) == (step.poll == nil)
        else { return nil }
        return PlannedStep(
            definition: step, endpoint: endpoint, isCleanup: isCleanup, expectation: expectation ?? nil,
            captures: reader,
            wanted: Set(step.captures.map(\.name)).union(step.name.flatMap { wanted[$0.value] } ?? []),
            conditions: conditions, poll: poll, elements: elements)
    }

    private mutating func compiled(_ expectation: Expectation) -> CompiledExpectation? {
        let compiled = CompiledExpectation.compile(expectation, catalogue.schemas)
        take(compiled.diagnostics)
        return compiled.value
    }

    /// The elements of a loop over a file; nil for a list in the scenario.
    private mutating func elements(of loop: StepLoop?) -> [OrderedJSON]? {
        guard let loop, case .file(let path) = loop.list else { return nil }
        let file: SourceFile
        do throws(FileProblem) { file = try catalogue.file(path.value) } catch {
            report(
                .broken, .fileUnreadable, "cannot read \(JSONStringText.quoted(path.value)): \(error.reason)",
                at: path.place)
            return nil
        }
        let read = LoopElements.read(file)
        take(read.diagnostics)
        if read.value.count > StepLoop.mostElements {
            report(
                .broken, .valueSize,
                "\"forEach\" takes at most \(StepLoop.mostElements) elements; \"\(path.value)\" has \(read.value.count)",
                at: path.place)
        }
        return read.value
    }
}

extension ScenarioDefinition {
    /// The captures that other steps use, by the names of the steps that make them.
    fileprivate func wantedCaptures(_ endpoint: (_ id: String) -> LocatedEndpoint?) -> [String: Set<String>] {
        var wanted: [String: Set<String>] = [:]
        for step in all {
            for case .capture(let name, let capture) in step.placeholders.map(\.value) {
                wanted[name, default: []].insert(capture)
            }
            guard !step.needs.isEmpty, let id = step.endpoint?.value, let user = endpoint(id) else { continue }
            for used in user.usedCaptures {
                let parts = used.split(separator: ".", maxSplits: 1).map(String.init)
                guard parts.count == 2, let source = step.needs[named: parts[0]] else { continue }
                wanted[source.value, default: []].insert(parts[1])
            }
        }
        return wanted
    }
}

/// The elements of a loop over a file.
private enum LoopElements {
    /// The elements of a list in JSON, or an object for each row of a table.
    static func read(_ file: SourceFile) -> Diagnosed<[OrderedJSON]> {
        if file.name.hasSuffix(".json") {
            let document = JSONDocument.read(file)
            guard let root = document.validRoot else {
                return Diagnosed([], document.diagnostics)
            }
            if root.kind == .array { return Diagnosed(root.elements.map { OrderedJSON($0) }) }
            return Diagnosed([], [Diagnostic(code: .dataInvalid, "expected a list", at: root.place)])
        }
        let table = DataTable.read(file, mayBeEmpty: true)
        let rows = table.value?.rows ?? []
        return Diagnosed(
            rows.map { row in
                .object(
                    row.values.map { value in
                        switch value.value {
                        case .value(let json): OrderedJSON.Member(value.name, json)
                        case .text(let text), .file(let text): OrderedJSON.Member(value.name, .string(text))
                        }
                    })
            }, table.diagnostics)
    }
}
