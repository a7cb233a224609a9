package import ReqcliText

/// The condition that a response is like an earlier response, which was accepted and stored in a file in `snapshots/`.
package struct SnapshotExpectation: Sendable {
    /// Conditions that values must meet instead of being equal to the accepted values, by JSONPath.
    package var match: [Named<Matchers>] = []
    /// The JSONPaths of values that are not compared.
    package var ignored: [Located<String>] = []
    /// The names of the headers that are compared.
    package var headers: [String] = []
    package let place: Place

    static let shape = Shape<SnapshotExpectation>.object(table, or: .always, expects: "true, or an object") {
        SnapshotExpectation(place: $1)
    }

    private static let table = ObjectShape<SnapshotExpectation>(
        "snapshot", title: "\"snapshot\"",
        summary: "Compares the response with the snapshot in `snapshots/` that was accepted earlier.",
        [
            Field(
                "match", .conditionsByPath,
                "Conditions on values that differ from response to response, by JSONPath."
            ) { $0.match = $1 },
            Field(
                "ignore",
                .list(of: .jsonPath, expects: "a list of JSONPaths", isNeverEmpty: true),
                "The JSONPaths of values that are not compared."
            ) { $0.ignored = $1 },
            Field(
                "headers", .list(of: .headerName, expects: "a list of header names", isNeverEmpty: true),
                "The headers that are compared. By default, no headers are compared."
            ) { $0.headers = $1 },
        ], initial: { SnapshotExpectation(place: $0.headPlace) })
}

extension Matchers {
    /// The text that a snapshot contains in place of a value that meets the conditions: `<match: integer>`.
    package var mark: String {
        let phrases = all.map { matcher in
            let operand = matcher.operand.source
            let phrase =
                if matcher.operation == .type, case .string(let type) = operand { type } else {
                    "\(matcher.operation.rawValue) \(operand.compact)"
                }
            return (matcher.isNegated ? "not " : "") + phrase
        }
        return SnapshotMark.ofMatch(phrases.joined(separator: ", "))
    }
}
