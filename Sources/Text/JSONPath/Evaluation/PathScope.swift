package import ReqcliText

extension JSONPath {
    /// The parts of a document that decide what the path selects, and what is selected.
    package var scope: JSONScope {
        var root = JSONScope()
        // A filter may look at the root again (`$`), and a filter of that query, too.
        var queries = [query]
        while let query = queries.popLast() {
            root.add(query.segments[...], &queries)
        }
        return root
    }
}

extension JSONScope {
    /// Adds what these segments look at, beginning at the value of this scope. Queries that begin at the root go to `absolute`.
    fileprivate mutating func add(_ segments: ArraySlice<PathSegment>, _ absolute: inout [PathQuery]) {
        guard let segment = segments.first else {
            isWhole = true
            return
        }
        if segment.isDescendant { isWhole = true }
        let rest = segments.dropFirst()
        for selector in segment.selectors {
            switch selector {
            case .name(let name): widen(member: name) { $0.add(rest, &absolute) }
            case .index(let index) where index >= 0: widen(element: index) { $0.add(rest, &absolute) }
            case .index, .slice, .wildcard: widenChildren { $0.add(rest, &absolute) }
            case .filter(let condition):
                widenChildren { child in
                    child.add(rest, &absolute)
                    for query in condition.queries {
                        if query.isAbsolute {
                            absolute.append(query)
                        } else {
                            child.add(query.segments[...], &absolute)
                        }
                    }
                }
            }
        }
    }
}

extension PathCondition {
    fileprivate var queries: [PathQuery] {
        switch self {
        case .any(let parts), .all(let parts): parts.flatMap(\.queries)
        case .not(let inner): inner.queries
        case .comparison(let left, _, let right): left.queries + right.queries
        case .exists(let query): [query]
        case .pattern(let text, .operand(let pattern), _): text.queries + pattern.queries
        case .pattern(let text, .literal, _): text.queries
        }
    }
}

extension PathOperand {
    fileprivate var queries: [PathQuery] {
        switch self {
        case .string, .number, .bool, .null: []
        case .query(let query), .count(let query), .value(let query): [query]
        case .length(let inner): inner.queries
        }
    }
}
