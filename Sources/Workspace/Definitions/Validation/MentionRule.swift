import ReqcliText

/// A rule about mentions. All such rules share one walk through the definitions, which takes longer than the rules.
struct MentionRule {
    /// Takes a mention, in the order of the files.
    let visit: (Mention, MentionScope) -> Void
    /// The problems with the mentions, asked for after the last of them.
    let problems: () -> [Diagnostic]

    init(visit: @escaping (Mention, MentionScope) -> Void, problems: @escaping () -> [Diagnostic]) {
        self.visit = visit
        self.problems = problems
    }

    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        let rules = [
            NameRules.rule(definitionIndex), FileRules.rule(definitionIndex), GrammarRules.rule(definitionIndex),
            SchemaRules.rule(definitionIndex), OpenAPIRules.rule(definitionIndex),
        ]
        definitionIndex.walk { mention, scope in
            for rule in rules { rule.visit(mention, scope) }
        }
        return rules.flatMap { $0.problems() }
    }
}
