import ReqcliJSONPath
import ReqcliMatching
import ReqcliText

/// Checks the values that a path selects: each one must meet all conditions.
struct PathJudgement {
    let path: JSONPath
    let conditions: Conditions
    let root: JSONValue
    let judgement: Judgement

    /// The maximum number of failing values that are shown.
    private static let mostShown = 5

    var failures: [ExpectationFailure] {
        guard let first = conditions.all.first else { return [] }
        let nodes: [JSONValue]
        do throws(JSONPathLimit) {
            nodes = try path.nodes(in: root)
        } catch {
            return [
                failure(
                    expected: first.phrase(judgement.excerpts), actual: Wording(own: error.message), at: first.place)
            ]
        }
        if let wanted = conditions.all.first(where: { $0.wantsExistence != nil }), wanted.wantsExistence == false {
            return unwanted(nodes, wanted)
        }
        if nodes.isEmpty { return [nothingThere] }
        return conditions.all.flatMap { failures(of: $0, on: nodes) }
    }

    private func failure(expected: Wording, actual: Wording, at place: Place) -> ExpectationFailure {
        ExpectationFailure(Wording(own: path.text), expected: expected, actual: actual, at: place)
    }

    private func spot(of node: JSONValue) -> ValueSpot {
        let text = Wording(own: path.text)
        let normalized = node.normalizedPath(in: root)
        // In a path that selects a single value, all names are from the workspace. In any other path, some names may be from the
        // server, so they are quoted.
        guard !path.isSingular else {
            return ValueSpot(subject: text, path: normalized.map(Wording.init(own:)), root: text)
        }
        return ValueSpot(
            subject: text, path: normalized.map(Wording.init(quoting:)),
            root: node.shortPath(in: root).map(Wording.init(quoting:)) ?? text)
    }

    private func unwanted(_ nodes: [JSONValue], _ condition: Condition) -> [ExpectationFailure] {
        guard let node = nodes.first else { return [] }
        let more: Wording = nodes.count > 1 ? " and \(nodes.count - 1) more" : ""
        let spot = spot(of: node)
        return [
            ExpectationFailure(
                spot.subject, path: spot.path, title: spot.title, expected: condition.phrase(judgement.excerpts),
                actual: judgement.excerpts.json(node) + more, at: condition.place)
        ]
    }

    /// The failure if the path selects nothing. Reported once, with the most specific condition.
    private var nothingThere: ExpectationFailure {
        let condition = conditions.all.first { $0.wantsExistence == nil } ?? conditions.all.first
        return failure(
            expected: condition?.phrase(judgement.excerpts) ?? "a value",
            actual: "nothing: the path selects no value", at: condition?.place ?? conditions.place)
    }

    private func failures(of condition: Condition, on nodes: [JSONValue]) -> [ExpectationFailure] {
        if case .schema(let schema) = condition.operand, !condition.isNegated {
            return SchemaJudgement(condition: condition, schema: schema, root: root, excerpts: judgement.excerpts)
                .failures(of: nodes)
        }
        var shown: [ExpectationFailure] = []
        var more = 0
        for node in nodes {
            if shown.count < Self.mostShown {
                let failure = judgement.failure(of: condition, on: .json(node), spot(of: node))
                failure.map { shown.append($0) }
            } else if condition.objection(to: .json(node)) != nil {
                more += 1
            }
        }
        guard more > 0 else { return shown }
        return shown + [
            failure(
                expected: "\(condition.phrase(judgement.excerpts)), each of \(nodes.count) values",
                actual: more == 1
                    ? "1 more value that does not meet the condition"
                    : "\(more) more values that do not meet the condition", at: condition.place)
        ]
    }
}
