package import ReqcliText

/// One way in which a value doesn't fit a schema.
package struct SchemaFailure: Sendable {
    /// The value that doesn't fit.
    package let value: JSONValue
    /// The steps to this value from the root of the validated value.
    package let steps: [JSONValue.Step]
    /// The path through the schema, with each `$ref` that was followed, as a JSON pointer.
    package let keyword: String
    /// The keyword's own place: the URI or file of its schema, and a JSON pointer.
    package let absolute: String
    /// The keyword's value in the schema.
    package let place: Place
    package let expected: String
    package let found: String
    /// For a failure inside `oneOf` or `anyOf`: the number of the other alternatives, which the value doesn't fit either.
    package let otherBranches: Int

    /// Whether `found` is the value itself, shortened.
    package var quotesValue: Bool { found == value.excerpt }

    /// The text after "expected", with the number of other schemas that the value could fit instead.
    package var expectation: String {
        otherBranches == 0
            ? expected : "\(expected), or \(otherBranches) other \(otherBranches == 1 ? "schema" : "schemas")"
    }

    /// The path to the value as a JSON pointer.
    package var instance: String { JSONPointer.text(steps) }
}

/// The failures of one value.
package struct SchemaFailures: Sendable {
    /// The first failures, in the order of the schema.
    package let shown: [SchemaFailure]
    /// The number of further failures, which were counted but not kept.
    package let more: Int
}

/// Collects failures while a value is evaluated.
struct EvaluationReport {
    static let mostFailures = 20

    /// A failure whose paths are not converted to strings yet, because often only one of two reports is kept.
    struct Entry {
        let node: Int
        let assertion: Int
        let value: JSONValue
        /// The value whose place is reported: usually `value`. If `value` is the name of a member, this is the member's value.
        let located: JSONValue
        let path: [PathStep]
        let expected: String
        let found: String
        var otherBranches = 0
    }

    /// A step through the schema: a keyword, and the name or position in it.
    struct PathStep {
        let keyword: String
        let token: String?
    }

    var entries: [Entry] = []
    var count = 0
    var path: [PathStep] = []
    /// The depth of the failure that is nearest to the root of the value.
    var shallowest = Int.max

    mutating func add(_ entry: @autoclosure () -> Entry, depth: Int) {
        count += 1
        shallowest = min(shallowest, depth)
        if entries.count < Self.mostFailures { entries.append(entry()) }
    }

    mutating func append(_ other: EvaluationReport) {
        count += other.count
        shallowest = min(shallowest, other.shallowest)
        entries += other.entries.prefix(Self.mostFailures - entries.count)
    }
}
