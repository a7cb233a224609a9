import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A scenario for a person to read: its params, its steps in their order, and its cleanup.
struct ScenarioPage {
    let scenario: LocatedScenario
    /// The width to which lines are wrapped; nil if there is no terminal.
    let width: Int?

    private var definition: ScenarioDefinition { scenario.definition }

    var lines: [Styled] {
        let sections = [("Params", params), ("Steps", steps(definition.steps)), ("Cleanup", steps(definition.cleanup))]
        return heading
            + sections.filter { !$0.1.isEmpty }.flatMap { title, rows in
                var columns = Columns()
                for row in rows { columns.add(row) }
                return ["", Styled(title, .bold)] + columns.lines(indent: 2, width: width, overflow: .wrapped)
            }
    }

    private var heading: [Styled] {
        let summary = definition.summary.map { [Styled(harmlessLine($0))] } ?? []
        let tags = definition.tags.map { "tag:\(harmlessLine($0))" }.joined(separator: " ")
        return [Styled(scenario.id, [.bold, .cyan])] + summary
            + [Styled(definition.place.lineText, .dim) + Styled(tags.isEmpty ? "" : "  " + tags, .dim)]
    }

    private var params: [[Styled]] {
        definition.parameters.map { parameter in
            [Styled(parameter.name, .cyan), Styled(parameter.value.typeName), Styled(parameter.value.explanation)]
        }
    }

    private func steps(_ steps: [ScenarioStep]) -> [[Styled]] {
        steps.map { step in
            [
                Styled(step.name?.value ?? "-", .cyan), Styled(step.endpoint?.value ?? ""),
                Styled(harmlessLine(step.details.joined(separator: "; ")), .dim),
            ]
        }
    }
}

extension ScenarioStep {
    /// Phrases about what the step adds to its endpoint.
    fileprivate var details: [String] {
        var parts: [String] = []
        if !parameters.isEmpty {
            parts.append(parameters.map { "\($0.name)=\($0.value.source.plainText)" }.joined(separator: " "))
        }
        if let loop {
            let list =
                switch loop.list {
                case .values(let values): values.source.plainText
                case .file(let path): path.value
                }
            parts.append("for each \(loop.item) of \(list)")
        }
        if !conditions.isEmpty {
            parts.append("if \(conditions.compactMap { $0.value?.source.plainText }.joined(separator: ", "))")
        }
        if let poll { parts.append("polls within \(poll.within.text)") }
        if !captures.isEmpty { parts.append("captures \(captures.map(\.name).joined(separator: ", "))") }
        if !needs.isEmpty {
            parts.append("needs \(needs.map { "\($0.name)=\($0.value.value)" }.joined(separator: " "))")
        }
        return parts
    }
}

extension LocatedScenario {
    /// The scenario for a program to read.
    var record: OrderedJSON {
        .object([
            "id": .string(id), "description": definition.summary.map { .string($0) }, "file": .string(file.name),
            "line": .int(definition.place.start.line), "tags": .array(definition.tags.map { .string($0) }),
            "params": .array(definition.parameters.map { $0.value.record(named: $0.name) }),
            "steps": .array(definition.steps.map(\.record)), "cleanup": .array(definition.cleanup.map(\.record)),
        ])
    }
}

extension ScenarioStep {
    fileprivate var record: OrderedJSON {
        .object([
            "name": name.map { .string($0.value) }, "endpoint": endpoint.map { .string($0.value) },
            "line": .int(place.start.line), "captures": .array(captures.map { .string($0.name) }),
        ])
    }
}
