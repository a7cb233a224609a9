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

    /// Whether the value fits the schema at `index`. The members or items that the schema evaluated are added to `marks`.
    mutating func fits(_ index: Int, _ value: JSONCursor, _ marks: inout Marks) -> Bool {
        steps -= 1 + value.count >> 4
        if steps < 0 { return giveUp(.steps) }
        if nesting == Self.deepest { return giveUp(.nesting) }
        nesting += 1
        defer { nesting -= 1 }
        let resource = program.nodes[index].resource
        let entersScope = !program.dynamicAnchors.isEmpty && !scope.contains(resource)
        if entersScope { scope.append(resource) }
        defer { if entersScope { scope.removeLast() } }
        guard program.nodes[index].usesMarks else { return allHold(index, value, &marks) }
        // The `unevaluated…` keywords in this schema must not see the marks of the keywords of the schema around it.
        var own = Marks(isWanted: true)
        defer { marks.formUnion(own) }
        return allHold(index, value, &own)
    }

    private mutating func allHold(_ index: Int, _ value: JSONCursor, _ marks: inout Marks) -> Bool {
        var isValid = true
        let count = program.nodes[index].assertions.count
        for position in 0..<count where !holds(index, position, value, &marks) {
            isValid = false
            if report == nil { break }
        }
        return isValid
    }

    /// Evaluates one assertion. This function is on the stack once for each schema inside another one. To keep its stack frame
    /// small, the rules that don't lead to other schemas are in `holdsAlone`.
    private mutating func holds(_ node: Int, _ position: Int, _ value: JSONCursor, _ marks: inout Marks) -> Bool {
        let assertion = program.nodes[node].assertions[position]
        let at = (node: node, assertion: position)
        switch assertion.rule {
        case .properties(let rules): return value.kind != .object || properties(rules, value, &marks)
        case .names(let schema): return value.kind != .object || names(schema, value)
        case .elements(let rules): return value.kind != .array || elements(rules, value, &marks)
        case .contains(let rule): return value.kind != .array || contains(rule, value, &marks, at)
        case .reference(let target): return follow(target, assertion.keyword, nil, value, &marks)
        case .dynamicReference(let name, let fallback):
            return follow(dynamicTarget(name) ?? fallback, assertion.keyword, nil, value, &marks)
        case .all(let schemas): return all(schemas, value, &marks)
        case .any(let schemas): return any(schemas, value, &marks, at)
        case .one(let schemas): return one(schemas, value, &marks, at)
        case .not(let schema): return not(schema, value, at)
        case .condition(let rule): return condition(rule, value, &marks)
        case .dependentSchemas(let rules):
            return value.kind != .object || dependentSchemas(rules, assertion.keyword, value, &marks)
        case .unevaluatedItems(let schema):
            return value.kind != .array || unevaluated(schema, assertion.keyword, value, &marks)
        case .unevaluatedProperties(let schema):
            return value.kind != .object || unevaluated(schema, assertion.keyword, value, &marks)
        default: return holdsAlone(assertion.rule, value, at)
        }
    }

    /// Whether the value fits a rule that doesn't lead to other schemas.
    @inline(never)
    private mutating func holdsAlone(_ rule: KeywordAssertion.Rule, _ value: JSONCursor, _ at: At) -> Bool {
        let kind = value.kind
        switch rule {
        case .writeOnly: return depth == 0 || fail(at, value)
        case .types(let types): return types.contains(value) || fail(at, value)
        case .oneOf(let values): return values.contains(value.value) || fail(at, value)
        case .bound(let bound): return kind != .number || isWithin(bound, value) || fail(at, value)
        case .multiple(let divisor):
            return kind != .number || value.value.number?.isMultiple(of: divisor) == true || fail(at, value)
        case .length(let limit): return kind != .string || limit.allows(characterCount(of: value)) || fail(at, value)
        case .items(let limit): return kind != .array || limit.allows(value.count) || fail(at, value)
        case .members(let limit): return kind != .object || limit.allows(value.count) || fail(at, value)
        case .pattern(let pattern): return kind != .string || isFound(pattern, in: value) || fail(at, value)
        case .format(let format) where format.isNumeric:
            return kind != .number || value.value.number.map { format.matches($0) } ?? true || fail(at, value)
        case .format(let format): return kind != .string || format.matches(value.string) || fail(at, value)
        case .required(let names): return kind != .object || hasAll(names, value, at)
        case .dependentRequired(let rules): return kind != .object || hasDependents(rules, value, at)
        case .unique: return kind != .array || isUnique(value, at)
        default: return fail(at, value)
        }
    }

    /// The outermost schema with this dynamic anchor.
    private func dynamicTarget(_ name: String) -> Int? {
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
        _ schema: Int, _ keyword: String, _ token: @autoclosure () -> String?, _ value: JSONCursor, _ marks: inout Marks
    ) -> Bool {
        guard report != nil else { return fits(schema, value, &marks) }
        report?.path.append(EvaluationReport.PathStep(keyword: keyword, token: token()))
        defer { report?.path.removeLast() }
        return fits(schema, value, &marks)
    }

    /// Evaluates a schema for a value inside the current value.
    mutating func descend(
        _ schema: Int, _ keyword: String, _ token: @autoclosure () -> String?, _ child: JSONCursor
    ) -> Bool {
        var marks = Marks()
        let outer = entry
        entry = schema
        depth += 1
        defer {
            depth -= 1
            entry = outer
        }
        return follow(schema, keyword, token(), child, &marks)
    }

    /// Evaluates without a report, for a schema that may fail and whose failures are not needed yet.
    mutating func silently(_ body: (inout SchemaEvaluator) -> Bool) -> Bool {
        let saved = report
        report = nil
        defer { report = saved }
        return body(&self)
    }

    mutating func fail(
        _ at: At, _ value: JSONCursor, _ message: @autoclosure () -> EvaluationReport.Message? = nil
    ) -> Bool {
        guard report != nil else { return false }
        let path = report?.path ?? []
        let owner = nameOwner
        let remark = value.kind == .null ? remarkOnNullable(at) : nil
        let nodes = program.nodes
        report?.add(
            EvaluationReport.Entry(
                node: at.node, assertion: at.assertion, value: value.value, located: (owner ?? value).value, path: path,
                message: (message()
                    ?? nodes[at.node].assertions[at.assertion].message(for: value.value, below: path.last))
                    .adding(remark)),
            depth: depth)
        return false
    }

    private mutating func giveUp(_ reason: SchemaLimit) -> Bool {
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

// MARK: - Scalars

extension SchemaEvaluator {
    private func isWithin(_ bound: Bound, _ value: JSONCursor) -> Bool {
        if let limit = bound.small, let number = smallNumber(value) { return bound.allows(number, limit) }
        guard let number = value.value.number else { return false }
        return bound.allows(number, bound.number)
    }

    /// The number, if it is written as a whole number with few digits.
    private func smallNumber(_ value: JSONCursor) -> Int? {
        let range = value.range
        guard range.count <= 18 else { return nil }
        var number = 0
        let isNegative = value.bytes[range.lowerBound] == .minus
        for position in range.dropFirst(isNegative ? 1 : 0) {
            let byte = value.bytes[position]
            guard byte.isDigit else { return nil }
            number = number * 10 + Int(byte - .zero)
        }
        return isNegative ? -number : number
    }

    /// The number of Unicode characters in a string, because JSON Schema counts lengths in this way.
    private func characterCount(of value: JSONCursor) -> Int {
        value.plainBytes.map { $0.count { $0 & 0xC0 != 0x80 } } ?? value.value.string?.unicodeScalars.count ?? 0
    }

    mutating func isFound(_ pattern: Pattern, in value: JSONCursor) -> Bool {
        pattern.isFound(in: value, steps: &steps) ?? giveUp(.steps)
    }
}
