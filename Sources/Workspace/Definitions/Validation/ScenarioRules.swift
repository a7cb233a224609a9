import ReqcliBasics
import ReqcliText

/// Checks the steps of scenarios against their endpoints, and against each other.
enum ScenarioRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        definitionIndex.scenarios.flatMap { ScenarioExamination($0, definitionIndex).problems }
    }
}

/// A walk through the steps of a scenario, in the order in which they run.
private struct ScenarioExamination {
    private let definitionIndex: DefinitionIndex
    private let scenario: LocatedScenario
    private(set) var problems: [Diagnostic] = []
    /// The captures of earlier steps, by the name of the step; nil if the endpoint of the step isn't known.
    private var earlier: [String: Set<String>?] = [:]
    private let places: [String: Place]

    init(_ scenario: LocatedScenario, _ definitionIndex: DefinitionIndex) {
        self.definitionIndex = definitionIndex
        self.scenario = scenario
        places = Dictionary(
            scenario.definition.all.compactMap { step in step.name.map { ($0.value, $0.place) } },
            uniquingKeysWith: { first, _ in first })
        for step in scenario.definition.all {
            if let name = step.name, let first = places[name.value], first.range != name.place.range {
                problems.append(
                    Diagnostic(
                        code: .keyDuplicate, "two steps have the name \"\(name.value)\"", at: name.place,
                        hint: "give each step its own name: later steps refer to steps by name",
                        notes: [Diagnostic.Note("the other step is here", at: first)]))
            }
            examine(step)
        }
        problems += unusedParameters
    }

    private mutating func examine(_ step: ScenarioStep) {
        guard let id = step.endpoint else { return }
        let parameters = scenario.definition.parameters.map(\.name)
        checkSnapshots(of: step)
        if let loop = step.loop { check(loop, parameters) }
        let item = step.loop?.item
        let scope = Scope.step(
            definitionIndex, parameters: parameters + (item.map { [$0, Placeholder.index] } ?? []),
            steps: earlier.merging(item.map { [$0: nil] } ?? [:]) { first, _ in first })
        problems += unknown(step.placeholdersOfCall, scope)
        var captures: Set<String>? = Set(step.captures.map(\.name))
        switch definitionIndex.endpoint(id.value) {
        case .uncertain, .missing: captures = nil
        case .found(let endpoint):
            let given = GivenParameters(step.parameters, for: endpoint)
            problems += given.mismatches() + given.missing(at: id.place)
            checkNeeds(of: step, endpoint)
            captures?.formUnion(endpoint.definition.captures.map(\.name))
        }
        if let name = step.name { earlier.updateValue(captures, forKey: name.value) }
    }

    // MARK: Placeholders

    /// The problems with placeholders. A capture of the step itself or of a later step has its own message.
    private func unknown(_ placeholders: [Located<Placeholder>], _ scope: Scope) -> [Diagnostic] {
        placeholders.flatMap { placeholder -> [Diagnostic] in
            if case .capture(let step, _) = placeholder.value, earlier[step] == nil, places[step] != nil {
                return [
                    Diagnostic(
                        code: .captureTooLate, "the step \"\(step)\" has not run when this value is needed",
                        at: placeholder.place, hint: "a step can only use captures of earlier steps")
                ]
            }
            return scope.problems(in: [placeholder])
        }
    }

    private var unusedParameters: [Diagnostic] {
        let used = Set(scenario.definition.all.flatMap(\.placeholders).map(\.value))
        return scenario.definition.parameters.filter { !used.contains(.name($0.name)) }.map {
            Diagnostic(
                .warning, code: .parameterUnused, "nothing uses the param \"\($0.name)\"", at: $0.namePlace,
                hint: "use it as {{\($0.name)}}, or remove it")
        }
    }

    // MARK: Loops

    private mutating func check(_ loop: StepLoop, _ parameters: [String]) {
        if let other = places[loop.item] {
            problems.append(
                Diagnostic(
                    code: .keyConflict, "the element of \"forEach\" and a step both have the name \"\(loop.item)\"",
                    at: loop.itemPlace,
                    hint: "give the element another name with \"as\"",
                    notes: [Diagnostic.Note("the step is here", at: other)]))
        }
        if parameters.contains(loop.item) {
            problems.append(
                Diagnostic(
                    code: .keyConflict, "the element of \"forEach\" and a param both have the name \"\(loop.item)\"",
                    at: loop.itemPlace,
                    hint: "give the element another name with \"as\""))
        }
        guard case .values(let values) = loop.list else { return }
        problems += unknown(values.placeholders, .step(definitionIndex, parameters: parameters, steps: earlier))
        guard let count = values.elementCount else { return }
        if count == 0, !loop.mayBeEmpty {
            problems.append(
                Diagnostic(
                    code: .valueInvalid, "the list of \"forEach\" is empty", at: loop.place,
                    hint: "add an element, or \"orNone\": true"))
        } else if count > StepLoop.mostElements {
            problems.append(
                Diagnostic(
                    code: .valueSize, "\"forEach\" takes at most \(StepLoop.mostElements) elements; found \(count)",
                    at: loop.place))
        }
    }

    // MARK: Needs and snapshots

    private mutating func checkNeeds(of step: ScenarioStep, _ endpoint: LocatedEndpoint) {
        // The environment of a run is not known here, so the aliases of all environments count.
        let aliases = endpoint.needs.map(\.name) + definitionIndex.chains.flatMap(\.needs).map(\.name)
        for need in step.needs {
            guard aliases.contains(need.name) else {
                problems.append(
                    Diagnostic(
                        code: .captureUnknown, "\(endpoint.id) has no need \"\(need.name)\"", at: need.namePlace,
                        hint: NearNames.question(for: need.name, among: aliases)
                            ?? (aliases.isEmpty
                                ? "the endpoint has no needs" : "needs of the endpoint: \(aliases.listed)")))
                continue
            }
            let name = need.value
            guard let captures = earlier[name.value] else {
                let isLater = places[name.value] != nil
                problems.append(
                    Diagnostic(
                        code: .captureUnknown,
                        isLater
                            ? "the step \"\(name.value)\" has not run when this value is needed"
                            : "no earlier step is called \"\(name.value)\"", at: name.place,
                        hint: NearNames.question(for: name.value, among: earlier.keys.sorted())))
                continue
            }
            guard let captures else { continue }
            let used = endpoint.usedCaptures.filter { $0.hasPrefix(need.name + ".") }
                .map { String($0.dropFirst(need.name.count + 1)) }
            if let missing = used.first(where: { !captures.contains($0) }) {
                problems.append(
                    Diagnostic(
                        code: .captureUnknown,
                        "\(endpoint.id) uses {{\(need.name).\(missing)}}, but the step \"\(name.value)\" has no capture \"\(missing)\"",
                        at: name.place, hint: "add it to the \"capture\" of that step"))
            }
        }
    }

    /// Reports snapshots of a step. Only a case can have a snapshot, because the call of a case is the same each time.
    private mutating func checkSnapshots(of step: ScenarioStep) {
        problems += step.expectations.compactMap(\.snapshot).map {
            Diagnostic(
                code: .keyConflict, "a step of a scenario cannot have a snapshot", at: $0.place,
                hint: "expect values with \"json\" or \"schema\"")
        }
    }
}

extension ValueTemplate {
    /// The number of elements of a list; nil for a value that isn't written as a list.
    package var elementCount: Int? {
        switch self {
        case .plain(let value): value.kind == .array ? value.count : nil
        case .list(let elements, _): elements.count
        case .text, .scalar, .object, .choice: nil
        }
    }
}
