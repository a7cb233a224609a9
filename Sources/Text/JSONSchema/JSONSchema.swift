package import ReqcliText

/// A compiled schema, which can check any number of values.
package struct JSONSchema: Sendable {
    let program: SchemaProgram
    let root: Int

    /// Whether a value fits. If a key occurs twice, the values of both members are checked.
    package func accepts(_ value: JSONValue) -> Bool {
        run(value, report: nil).isValid
    }

    /// The ways in which a value doesn't fit; nil if it fits.
    package func failures(of value: JSONValue) -> SchemaFailures? {
        // Tries without a report first: nearly all values fit, and a check without a report is faster.
        if accepts(value) { return nil }
        let (_, report, limit) = run(value, report: EvaluationReport())
        var shown = (report ?? EvaluationReport()).entries.map { failure($0, in: value) }
        if let limit { shown = [gaveUp(limit, on: value)] }
        return SchemaFailures(shown: shown, more: limit == nil ? (report?.count ?? 0) - shown.count : 0)
    }

    private func run(_ value: JSONValue, report: EvaluationReport?) -> (
        isValid: Bool, report: EvaluationReport?, limit: SchemaLimit?
    ) {
        let result = value.withCursor { cursor in
            var evaluator = SchemaEvaluator(program, root: root, size: value.range.count, report: report)
            let isValid = evaluator.fits(root, cursor)
            return (isValid && evaluator.limit == nil, evaluator.report, evaluator.limit)
        }
        return result ?? (false, report, nil)
    }

    private func failure(_ entry: EvaluationReport.Entry, in root: JSONValue) -> SchemaFailure {
        let node = program.nodes[entry.node]
        let assertion = node.assertions[entry.assertion]
        let resource = program.resources[node.resource]
        let path = entry.path.map {
            "/" + JSONPointer.escaped($0.keyword) + ($0.token.map { "/" + JSONPointer.escaped($0) } ?? "")
        }
        let isKeyword = !assertion.keyword.isEmpty
        let steps = assertion.value.steps(from: resource.root).map(JSONPointer.text) ?? ""
        return SchemaFailure(
            value: entry.value, steps: entry.located.steps(from: root) ?? [],
            keyword: path.joined() + (isKeyword ? "/" + assertion.keyword : ""),
            absolute: resource.name + "#" + steps, place: assertion.value.place, expected: entry.expected,
            found: entry.found, otherBranches: entry.otherBranches)
    }

    private func gaveUp(_ limit: SchemaLimit, on value: JSONValue) -> SchemaFailure {
        let node = program.nodes[root]
        let resource = program.resources[node.resource]
        return SchemaFailure(
            value: value, steps: [], keyword: "", absolute: resource.name + "#", place: node.schema.place,
            expected: limit == .steps
                ? "a schema that can be evaluated in fewer steps"
                : "a schema that nests fewer than \(SchemaEvaluator.deepest) schemas",
            found: "a schema whose evaluation was stopped", otherBranches: 0)
    }
}

extension JSONSchema {
    /// The formats that are checked, except the formats of numbers.
    package static let formats = Set(Format.all.filter { $0.kinds == .string }.map(\.name))
}
