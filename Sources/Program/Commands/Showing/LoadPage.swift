import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension LocatedLoad {
    /// The load for a person to read: its calls, its stages and its conditions.
    func page(width: Int?) -> [Styled] {
        let calls = definition.mix.map { entry in
            [
                Styled(harmlessLine(entry.id), .cyan),
                Styled(harmlessLine(entry.subject)),
                Styled("weight \(entry.weight)", .dim),
            ]
        }
        let stages = definition.stages.map { stage in
            [
                Styled(stage.rate?.text ?? stage.users.map { "\($0.text) users" } ?? "all users"),
                Styled("for \(stage.length.text)"), Styled(stage.isJudged ? "" : "not judged", .dim),
            ]
        }
        let conditions = definition.thresholds.map { [Styled(harmlessLine($0.text))] }
        let abort = definition.abort.map { [Styled($0.text)] }
        let sections = [("Calls", calls), ("Stages", stages), ("Conditions", conditions), ("Aborted unless", abort)]
        let users = definition.users.map { [Styled("\($0) users")] } ?? []
        return [Styled(id, [.bold, .cyan])] + (definition.summary.map { [Styled(harmlessLine($0))] } ?? [])
            + [Styled(definition.place.lineText, .dim)] + users
            + sections.filter { !$0.1.isEmpty }.flatMap { title, rows in
                var columns = Columns()
                for row in rows { columns.add(row) }
                return ["", Styled(title, .bold)] + columns.lines(indent: 2, width: width, overflow: .wrapped)
            }
    }

    /// The load for a program to read.
    var record: OrderedJSON {
        .object([
            "id": .string(id), "description": definition.summary.map { .string($0) }, "file": .string(file.name),
            "line": .int(definition.place.start.line), "users": definition.users.map { .int($0) },
            "calls": .array(
                definition.mix.map {
                    .object([
                        "name": .string($0.id), "calls": .string($0.subject), "weight": .int($0.weight),
                        "line": .int($0.place.start.line),
                    ])
                }),
            "conditions": .array(definition.thresholds.map { .string($0.text) }),
        ])
    }
}

extension LoadEntry {
    /// The id of the endpoint or scenario.
    fileprivate var subject: String { scenario.map { LocatedScenario.prefix + $0.value } ?? call.label }
}
