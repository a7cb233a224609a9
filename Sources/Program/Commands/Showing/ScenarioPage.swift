import Rendering
import ReqcliDefinitions
import ReqcliText

/// A scenario for a person to read: its params, its steps in their order, and its cleanup.
struct ScenarioPage {
    let scenario: LocatedScenario
    /// The width to which lines are wrapped; nil if there is no terminal.
    let width: Int?

    private var definition: ScenarioDefinition { scenario.definition }

    var lines: [Styled] {
        let sections = [
            ("Params", definition.parameters.map(\.row)), ("Steps", steps(definition.steps)),
            ("Cleanup", steps(definition.cleanup)),
        ]
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

    private func steps(_ steps: [ScenarioStep]) -> [[Styled]] {
        steps.map { step in
            [
                Styled(step.name?.value ?? "-", .cyan), Styled(step.endpoint?.value ?? ""),
                Styled(harmlessLine(step.details.joined(separator: "; ")), .dim),
            ]
        }
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
