import ReqcliText

extension Matcher: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        operand.walk(visit)
        switch operation.operand {
        case .pattern:
            // A pattern with placeholders can only be checked when their values are known.
            if case .string(let pattern) = operand.literal { visit(.pattern(Located(pattern, at: operand.place))) }
        case .schema: if case .plain(let schema) = operand { visit(.schema(schema)) }
        case .value, .list, .type, .text, .length, .truth, .number: break
        }
    }
}

extension Matchers: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        for matcher in all { matcher.walk(visit) }
    }
}

extension Expectation: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        for header in headers { header.value.walk(visit) }
        body?.walk(visit)
        json.walk(visit)
        schema?.walk(visit)
        if let openAPI { visit(.description(openAPI)) }
        for event in events?.all ?? [] { event.walk(visit) }
        snapshot?.walk(visit)
    }
}

extension SnapshotExpectation: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        match.walk(visit)
        for path in ignored { visit(.path(path)) }
    }
}

extension StubCondition: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        for named in parameters {
            visit(.parameter(Located(named.name, at: named.namePlace), of: nil))
            named.value.walk(visit)
        }
        for named in query + headers { named.value.walk(visit) }
        json.walk(visit)
        body?.walk(visit)
    }
}

extension [Named<Matchers>] {
    /// Visits the JSONPaths of conditions, and the conditions themselves.
    fileprivate func walk(_ visit: (Mention) -> Void) {
        for named in self {
            visit(.path(Located(named.name, at: named.namePlace)))
            named.value.walk(visit)
        }
    }
}
