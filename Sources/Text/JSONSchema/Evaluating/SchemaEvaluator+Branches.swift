import ReqcliText

extension SchemaEvaluator {
    mutating func all(_ schemas: [Int], _ value: JSONCursor, _ marks: inout Marks) -> Bool {
        var isValid = true
        for (position, schema) in schemas.enumerated() {
            isValid = follow(schema, "allOf", String(position), value, &marks) && isValid
            if !isValid, report == nil { return false }
        }
        return isValid
    }

    mutating func any(_ schemas: [Int], _ value: JSONCursor, _ marks: inout Marks, _ at: At) -> Bool {
        var hasFit = false
        for schema in schemas where fitsAlone(schema, value, &marks) {
            hasFit = true
            // Continues if marks are wanted, because other schemas may evaluate more members.
            if !marks.isWanted { break }
        }
        return hasFit || explain(schemas, "anyOf", value, &marks, at)
    }

    mutating func one(_ schemas: [Int], _ value: JSONCursor, _ marks: inout Marks, _ at: At) -> Bool {
        var fitting: [Int] = []
        for (position, schema) in schemas.enumerated() where fitsAlone(schema, value, &marks) {
            fitting.append(position)
            if fitting.count > 1, report == nil { return false }
        }
        if fitting.count == 1 { return true }
        return fitting.isEmpty ? explain(schemas, "oneOf", value, &marks, at) : fail(at, value, .several(fitting))
    }

    mutating func not(_ schema: Int, _ value: JSONCursor, _ at: At) -> Bool {
        var ignored = Marks()
        return !silently { $0.fits(schema, value, &ignored) } || fail(at, value)
    }

    mutating func condition(_ rule: ConditionRule, _ value: JSONCursor, _ marks: inout Marks) -> Bool {
        if fitsAlone(rule.condition, value, &marks) {
            return rule.then.map { follow($0, "then", nil, value, &marks) } ?? true
        }
        return rule.otherwise.map { follow($0, "else", nil, value, &marks) } ?? true
    }

    /// Evaluates a schema that may fail. Its marks are kept only if the value fits.
    private mutating func fitsAlone(_ schema: Int, _ value: JSONCursor, _ marks: inout Marks) -> Bool {
        var own = Marks(isWanted: marks.isWanted)
        let fits = silently { $0.fits(schema, value, &own) }
        if fits { marks.formUnion(own) }
        return fits
    }
}

// MARK: - Which branch to explain

extension SchemaEvaluator {
    /// Reports the failures of the branch that was most likely meant.
    private mutating func explain(
        _ schemas: [Int], _ keyword: String, _ value: JSONCursor, _ marks: inout Marks, _ at: At
    ) -> Bool {
        guard var outer = report else { return false }
        guard !schemas.isEmpty, outer.entries.count < EvaluationReport.mostFailures else { return fail(at, value) }
        let named = discriminated(schemas, value, at)
        if case .noSchema(let message) = named { return fail(at, value, message) }
        let ranks = schemas.enumerated().map { named == .schema($0) ? .max : tagRank($1, value) }
        let best = ranks.max() ?? 0
        var chosen: (report: EvaluationReport, marks: Marks)?
        for (position, schema) in schemas.enumerated() where ranks[position] == best {
            var own = Marks(isWanted: marks.isWanted)
            report = EvaluationReport()
            report?.path = outer.path
            _ = follow(schema, keyword, String(position), value, &own)
            if let report, report.count > 0, chosen.map({ report.gotFurther(than: $0.report) }) ?? true {
                chosen = (report, own)
            }
        }
        if var chosen {
            // Without a discriminator, the value could also fit one of the other branches.
            for index in chosen.report.entries.indices where named == .nothing {
                chosen.report.entries[index].otherBranches += schemas.count - 1
            }
            outer.append(chosen.report)
            marks.formUnion(chosen.marks)
        }
        report = outer
        return chosen == nil ? fail(at, value) : false
    }

    /// A rank for how well the value fits the properties of a branch that have a `const` or an `enum`. The rank is the number of
    /// properties that fit, minus the number of properties that don't fit.
    private func tagRank(_ schema: Int, _ value: JSONCursor) -> Int {
        guard value.kind == .object else { return 0 }
        var rank = 0
        for (name, values) in tags(schema, depth: 0) {
            guard let member = value.value[name] else { continue }
            rank += values.contains(member) ? 1 : -1
        }
        return rank
    }

    private func tags(_ schema: Int, depth: Int) -> [(name: String, values: ValueSet)] {
        guard depth < 4 else { return [] }
        return program.nodes[schema].assertions.flatMap { assertion -> [(name: String, values: ValueSet)] in
            switch assertion.rule {
            case .reference(let target): return tags(target, depth: depth + 1)
            case .all(let schemas): return schemas.prefix(8).flatMap { tags($0, depth: depth + 1) }
            case .properties(let rules):
                return zip(rules.names.names, rules.nodes).prefix(64).compactMap { name, node in
                    values(node).map { (name, $0) }
                }
            default: return []
            }
        }
    }

    /// The values that a schema allows; nil if the schema itself doesn't list them.
    private func values(_ schema: Int) -> ValueSet? {
        for assertion in program.nodes[schema].assertions {
            if case .oneOf(let values) = assertion.rule { return values }
        }
        return nil
    }
}

extension EvaluationReport {
    /// Whether the failures of one branch are deeper in the value than the failures of another, or equally deep and fewer.
    fileprivate func gotFurther(than other: EvaluationReport) -> Bool {
        (shallowest, -count) > (other.shallowest, -other.count)
    }
}
