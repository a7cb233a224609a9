import ReqcliText

extension SchemaEvaluator {
    /// Evaluates a schema that may fail. Its marks are kept only if the value fits.
    mutating func fitsAlone(_ schema: Int, _ value: JSONCursor) -> Bool {
        let (fits, own) = withOwnMarks { run in run.silently { $0.fits(schema, value) } }
        if fits { marks.formUnion(own) }
        return fits
    }

    private mutating func withOwnMarks(_ body: (inout SchemaEvaluator) -> Bool) -> (fits: Bool, marks: Marks) {
        var other = Marks(isWanted: marks.isWanted)
        swap(&marks, &other)
        let fits = body(&self)
        swap(&marks, &other)
        return (fits, other)
    }

    // MARK: Which branch to explain

    /// Reports the failures of the branch that was most likely meant.
    mutating func explain(
        _ schemas: [Int], _ keyword: String, _ value: JSONCursor, _ at: At
    ) -> Bool {
        guard var outer = report else { return false }
        guard !schemas.isEmpty, outer.entries.count < EvaluationReport.mostFailures else {
            return fail(at, value, "a value that matches a schema of \"\(keyword)\"")
        }
        let named = discriminated(schemas, value, at)
        if case .noSchema(let expected, let found) = named { return fail(at, value, expected, found: found) }
        let ranks = schemas.enumerated().map { named == .schema($0) ? .max : tagRank($1, value) }
        let best = ranks.max() ?? 0
        var chosen: (report: EvaluationReport, marks: Marks)?
        for (position, schema) in schemas.enumerated() where ranks[position] == best {
            report = EvaluationReport()
            report?.path = outer.path
            let own = withOwnMarks { $0.follow(schema, keyword, String(position), value) }.marks
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
        return chosen != nil ? false : fail(at, value, "a value that matches a schema of \"\(keyword)\"")
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
            guard let properties = assertion.rule as? Properties else {
                return assertion.links.also.prefix(8).flatMap { tags($0, depth: depth + 1) }
            }
            return zip(properties.names.names, properties.nodes).prefix(64).compactMap { name, node in
                let values = program.nodes[node].assertions.lazy.compactMap { ($0.rule as? AllowedValues)?.set }.first
                return values.map { (name, $0) }
            }
        }
    }
}

extension EvaluationReport {
    /// Whether the failures of one branch are deeper in the value than the failures of another, or equally deep and fewer.
    fileprivate func gotFurther(than other: EvaluationReport) -> Bool {
        (shallowest, -count) > (other.shallowest, -other.count)
    }
}
