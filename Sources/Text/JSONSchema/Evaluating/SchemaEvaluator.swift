import ReqcliBasics
import ReqcliText

/// Evaluates one value. Without a report, the evaluation stops at the first failure. With a report, it continues and collects the
/// failures.
struct SchemaEvaluator {
    /// The maximum depth of schemas that are evaluated inside each other. A value of depth 512 needs less than this, and the
    /// stack of a thread is large enough for it.
    static let deepest = 2200

    let program: SchemaProgram
    var report: EvaluationReport?
    /// The number of steps that are left. A schema of n nodes can require 2^n evaluations.
    var steps: Int
    /// The reason why the evaluation was given up; nil if it was not given up.
    var limit: SchemaLimit?
    /// The current depth of the evaluation in the value.
    var depth = 0
    /// The node with which the evaluation of the current value began. All other nodes that check the value are reached from this
    /// node.
    var entry: Int
    /// The members or items of the current value that were evaluated.
    var marks = Marks()
    /// The member whose name `propertyNames` evaluates.
    var nameOwner: JSONCursor?
    private var nesting = 0
    /// The resources that were entered on the way to this schema, for dynamic references.
    private var scope: [Int] = []

    /// - Parameter size: The size of the value's text.
    init(_ program: SchemaProgram, root: Int, size: Int, report: EvaluationReport? = nil) {
        (self.program, self.report, entry) = (program, report, root)
        steps = 2_000_000 + 200 * size
    }

    /// Whether the value fits the schema at `index`. The members or items that the schema evaluated are marked.
    mutating func fits(_ index: Int, _ value: JSONCursor) -> Bool {
        steps -= 1 + value.count >> 4
        if steps < 0 { return giveUp(.steps) }
        if nesting == Self.deepest { return giveUp(.nesting) }
        nesting += 1
        defer { nesting -= 1 }
        let resource = program.nodes[index].resource
        let entersScope = !program.dynamicAnchors.isEmpty && !scope.contains(resource)
        if entersScope { scope.append(resource) }
        defer { if entersScope { scope.removeLast() } }
        guard program.nodes[index].usesMarks else { return allHold(index, value) }
        // The `unevaluated…` keywords in this schema must not see the marks of the keywords of the schema around it.
        var outer = Marks(isWanted: true)
        swap(&marks, &outer)
        defer {
            outer.formUnion(marks)
            marks = outer
        }
        return allHold(index, value)
    }

    private mutating func allHold(_ index: Int, _ value: JSONCursor) -> Bool {
        var isValid = true
        let kind = KindSet(value.kind)
        let count = program.nodes[index].assertions.count
        for position in 0..<count {
            let assertion = program.nodes[index].assertions[position]
            guard assertion.kinds.contains(kind), !assertion.rule.holds(value, (index, position), &self) else {
                continue
            }
            isValid = false
            if report == nil { break }
        }
        return isValid
    }

    /// The outermost schema with this dynamic anchor.
    func dynamicTarget(_ name: String) -> Int? {
        guard let nodes = program.dynamicAnchors[name] else { return nil }
        for resource in scope { if let node = nodes[resource] { return node } }
        return nil
    }
}

// MARK: - Steps and failures

extension SchemaEvaluator {
    typealias At = (node: Int, assertion: Int)

    /// Evaluates another schema for the same value.
    mutating func follow(
        _ schema: Int, _ keyword: String, _ token: @autoclosure () -> String?, _ value: JSONCursor
    ) -> Bool {
        guard report != nil else { return fits(schema, value) }
        report?.path.append(EvaluationReport.PathStep(keyword: keyword, token: token()))
        defer { report?.path.removeLast() }
        return fits(schema, value)
    }

    /// Evaluates a schema for a value inside the current value.
    mutating func descend(
        _ schema: Int, _ keyword: String, _ token: @autoclosure () -> String?, _ child: JSONCursor
    ) -> Bool {
        let outer = entry
        var outerMarks = Marks()
        swap(&marks, &outerMarks)
        entry = schema
        depth += 1
        defer {
            depth -= 1
            entry = outer
            marks = outerMarks
        }
        return follow(schema, keyword, token(), child)
    }

    /// Evaluates without a report, for a schema that may fail and whose failures are not needed yet.
    mutating func silently(_ body: (inout SchemaEvaluator) -> Bool) -> Bool {
        let saved = report
        report = nil
        defer { report = saved }
        return body(&self)
    }

    /// Reports that a value doesn't fit.
    ///
    /// - Parameter found: What was found; nil for the value itself.
    mutating func fail(
        _ at: At, _ value: JSONCursor, _ expected: @autoclosure () -> String, found: @autoclosure () -> String? = nil
    ) -> Bool {
        guard let path = report?.path else { return false }
        let remark = value.kind == .null ? remarkOnNullable(at) : nil
        let owner = nameOwner
        report?.add(
            EvaluationReport.Entry(
                node: at.node, assertion: at.assertion, value: value.value, located: (owner ?? value).value, path: path,
                expected: expected() + (remark.map { " (\($0))" } ?? ""), found: found() ?? value.value.excerpt),
            depth: depth)
        return false
    }

    mutating func giveUp(_ reason: SchemaLimit) -> Bool {
        limit = limit ?? reason
        // Ends the rest of the evaluation: each part of it gives up at its next step.
        steps = -1
        return false
    }
}

/// The reason why an evaluation was given up. The value is then treated as not fitting.
package enum SchemaLimit: Sendable {
    case steps
    case nesting
}
