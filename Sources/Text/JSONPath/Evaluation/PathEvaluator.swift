import ReqcliText

/// The state of an evaluation: the root, the remaining steps, and cached results that are the same for every node.
struct PathEvaluator {
    let root: JSONValue
    private let allowed: Int
    private var left: Int
    private var selections: [Int: Selected] = [:]
    private var patterns: [String: IRegexp?] = [:]

    init(root: JSONValue, steps: Int) {
        self.root = root
        allowed = steps
        left = steps
    }

    mutating func spend(_ steps: Int) throws(JSONPathLimit) {
        left -= steps
        if left < 0 { throw JSONPathLimit(steps: allowed) }
    }

    /// Runs a closure that counts its own steps and returns nil when no steps are left.
    private mutating func counting<Result>(_ work: (inout Int) -> Result?) throws(JSONPathLimit) -> Result {
        guard let result = work(&left) else { throw JSONPathLimit(steps: allowed) }
        return result
    }
}

// MARK: - Conditions

extension PathEvaluator {
    mutating func holds(_ condition: PathCondition, for node: JSONValue) throws(JSONPathLimit) -> Bool {
        switch condition {
        case .any(let parts):
            for part in parts where try holds(part, for: node) { return true }
            return false
        case .all(let parts):
            for part in parts where try !holds(part, for: node) { return false }
            return true
        case .not(let inner): return try !holds(inner, for: node)
        case .exists(let query): return try select(query, for: node, atMost: 1).count > 0
        case .comparison(let left, let comparison, let right):
            let one = try value(left, for: node)
            return try holds(one, comparison, value(right, for: node))
        case .pattern(let text, let pattern, let isWhole):
            guard let text = try value(text, for: node).string else { return false }
            guard let regexp = try regexp(pattern, for: node) else { return false }
            return try counting { regexp.run(on: text, isAnchored: isWhole, steps: &$0) }
        }
    }

    private mutating func holds(
        _ one: PathValue, _ comparison: PathComparison, _ other: PathValue
    ) throws(JSONPathLimit) -> Bool {
        switch comparison {
        case .less: return one.isLess(than: other)
        case .greater: return other.isLess(than: one)
        case .lessOrEqual where one.isLess(than: other), .greaterOrEqual where other.isLess(than: one): return true
        case .equal, .notEqual, .lessOrEqual, .greaterOrEqual:
            let areEqual = try counting { one.equals(other, steps: &$0) }
            return areEqual != (comparison == .notEqual)
        }
    }

    private mutating func regexp(_ pattern: PathPattern, for node: JSONValue) throws(JSONPathLimit) -> IRegexp? {
        switch pattern {
        case .literal(let regexp): return regexp
        case .operand(let operand):
            guard let text = try value(operand, for: node).string else { return nil }
            if let known = patterns[text] { return known }
            // Patterns that come from the document may each be used only once, so the cache is bounded.
            if patterns.count > 100 { patterns.removeAll() }
            try spend(text.utf8.count)
            let regexp = try? IRegexp(text)
            patterns[text] = regexp
            return regexp
        }
    }
}

// MARK: - Queries and values

extension PathEvaluator {
    /// The result of a query: the first node, and the number of nodes.
    private typealias Selected = (first: JSONValue?, count: Int)

    /// Runs a query until it has selected `most` nodes.
    private mutating func select(
        _ query: PathQuery, for node: JSONValue, atMost most: Int
    ) throws(JSONPathLimit) -> Selected {
        if query.isAbsolute, let known = selections[query.slot] { return known }
        var walk = PathWalk(query, from: query.isAbsolute ? root : node)
        var selected: Selected = (nil, 0)
        while selected.count < most, let next = try walk.next(&self) {
            selected = (selected.first ?? next, selected.count + 1)
        }
        if query.isAbsolute { selections[query.slot] = selected }
        return selected
    }

    /// The value of the node that a query selects, if the query selects exactly one node; otherwise `nothing`.
    private mutating func onlyValue(_ query: PathQuery, for node: JSONValue) throws(JSONPathLimit) -> PathValue {
        let selected = try select(query, for: node, atMost: query.isSingular ? 1 : 2)
        return selected.count == 1 ? selected.first.map { .node($0) } ?? .nothing : .nothing
    }

    private mutating func value(_ operand: PathOperand, for node: JSONValue) throws(JSONPathLimit) -> PathValue {
        switch operand {
        case .string(let text): return .string(text)
        case .number(let number): return .number(number)
        case .bool(let bool): return .bool(bool)
        case .null: return .null
        case .query(let query) where query.isAbsolute: return try onlyValue(query, for: node)
        case .query(let query): return try singularValue(query, from: node)
        case .value(let query): return try onlyValue(query, for: node)
        case .count(let query): return .number(JSONNumber(try select(query, for: node, atMost: .max).count))
        case .length(let inner): return try value(inner, for: node).length.map { .number(JSONNumber($0)) } ?? .nothing
        }
    }

    private mutating func singularValue(_ query: PathQuery, from node: JSONValue) throws(JSONPathLimit) -> PathValue {
        try singularNode(query, from: node).map { .node($0) } ?? .nothing
    }

    /// The node that a query with only names and indexes selects. Fast path: most paths are such queries, and most filters look
    /// at `@.name`. They need no list of frames.
    mutating func singularNode(_ query: PathQuery, from node: JSONValue) throws(JSONPathLimit) -> JSONValue? {
        try self.node(below: node, query.segments[...])
    }

    /// The node that the names and indexes select.
    mutating func node(below node: JSONValue, _ segments: ArraySlice<PathSegment>) throws(JSONPathLimit) -> JSONValue? {
        var node = node
        for segment in segments {
            guard let child = try child(segment.selectors[0], of: node) else { return nil }
            node = child
        }
        return node
    }

    /// The node that a name or an index selects.
    mutating func child(_ selector: PathSelector, of node: JSONValue) throws(JSONPathLimit) -> JSONValue? {
        switch selector {
        case .name(let name):
            guard node.kind == .object else { return nil }
            try spend(node.count)
            return node[name]
        case .index(let index):
            let position = index < 0 ? node.count + index : index
            guard node.kind == .array, 0..<node.count ~= position else { return nil }
            try spend(position)
            return node.elements.dropFirst(position).first { _ in true }
        case .wildcard, .slice, .filter: return nil
        }
    }
}
