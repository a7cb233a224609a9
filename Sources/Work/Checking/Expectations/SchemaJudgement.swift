import ReqcliJSONPath
import ReqcliJSONSchema
import ReqcliMatching
import ReqcliText

/// Reports how values don't fit a schema: each failure with its place in the response and in the schema.
struct SchemaJudgement {
    let condition: Condition
    let schema: JSONSchema
    /// The whole body, which is the root of all paths.
    let root: JSONValue
    let excerpts: Excerpts

    /// The maximum number of failures that are shown.
    private static let mostShown = 20

    func failures(of nodes: [JSONValue]) -> [ExpectationFailure] {
        var shown: [ExpectationFailure] = []
        var more = 0
        for node in nodes {
            guard let failures = schema.failures(of: node) else { continue }
            let kept = failures.shown.prefix(Self.mostShown - shown.count)
            shown += kept.map { failure($0, in: node) }
            more += failures.more + failures.shown.count - kept.count
        }
        guard more > 0 else { return shown }
        return shown + [
            ExpectationFailure(
                "$", expected: condition.phrase(excerpts),
                actual: more == 1 ? "1 more value that doesn't match" : "\(more) more values that don't match",
                at: condition.place)
        ]
    }

    private func failure(_ failure: SchemaFailure, in node: JSONValue) -> ExpectationFailure {
        let path = failure.value.shortPath(in: root) ?? "$"
        // Secrets are masked before a value is shortened.
        let found =
            failure.quotesValue ? excerpts.json(failure.value) : excerpts.line(Array(failure.found.utf8))
        return ExpectationFailure(
            Wording(quoting: path), path: failure.value.normalizedPath(in: root).map(Wording.init(quoting:)),
            expected: excerpts.line(Array(failure.expectation.utf8)), actual: found, at: failure.place,
            schema: SchemaSpot(
                keyword: failure.keyword, absolute: failure.absolute,
                instance: JSONPointer.text((node.steps(from: root) ?? []) + failure.steps)))
    }
}

/// The place of the schema rule that a response breaks.
package struct SchemaSpot: Sendable, Equatable {
    /// The path through the schema, as a JSON pointer.
    package let keyword: String
    /// The URI of the keyword.
    package let absolute: String
    /// The value's place in the response, as a JSON pointer.
    package let instance: String
}
