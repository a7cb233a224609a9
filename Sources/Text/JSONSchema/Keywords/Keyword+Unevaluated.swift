import ReqcliText

extension Keyword {
    // In 2019-09, these two keywords belong to the applicators.
    static let unevaluated = [
        ("unevaluatedItems", KindSet.array, Items.refusal), ("unevaluatedProperties", .object, Properties.refusal),
    ].flatMap { name, kinds, refusal in
        [(Draft.draft201909, "applicator"), (.draft202012, "unevaluated")].map { draft, vocabulary in
            Keyword(name, .schema, since: draft, until: draft, for: kinds, in: [vocabulary]) { value, program in
                Unevaluated(keyword: name, node: program.node(value, .inner))
            }.refusing(refusal).broken(by: Properties.addingMember)
        }
    }
}

/// The schema for the members or items that no other keyword has evaluated.
struct Unevaluated: Rule {
    let keyword: String
    let node: Int

    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool { accepts(node) }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var isValid = true
        for (position, child) in value.children.enumerated() where !run.marks.contains(position) {
            isValid = run.descend(node, keyword, nil, child) && isValid
            if !isValid, run.report == nil { return false }
        }
        run.marks.insertAll()
        return isValid
    }
}
