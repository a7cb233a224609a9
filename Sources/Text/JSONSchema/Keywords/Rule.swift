import ReqcliText

/// A keyword's requirement for a value.
protocol Rule: Sendable {
    typealias At = SchemaEvaluator.At

    /// Whether a value fits. If not, the rule or a schema that it leads to has called `fail`.
    ///
    /// The value is of one of the kinds that the keyword is for. The rule marks the members or items that it evaluates.
    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool

    /// Whether the rule is known to fit every value. This is only used for a warning.
    ///
    /// - Parameter accepts: Whether the schema of a node fits every value.
    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool
}

extension Rule {
    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool { false }
}

/// A rule with the keyword that it was made from. A class, because copying its parts for each evaluation would take a tenth of the
/// time.
final class KeywordAssertion: Sendable {
    /// The keyword's name. If several keywords make one assertion, the name of the first of these keywords in the schema.
    let keyword: String
    /// The keyword's value.
    let value: JSONValue
    /// The kinds of values that the rule is for.
    let kinds: KindSet
    let rule: any Rule
    let links: Links

    init(keyword: String, value: JSONValue, kinds: KindSet = .all, rule: any Rule, links: Links = Links()) {
        (self.keyword, self.value, self.kinds, self.rule, self.links) = (keyword, value, kinds, rule, links)
    }
}

/// The schemas that a rule leads to, by index. `ProgramBuilder` records these while it makes the rule.
struct Links: Sendable {
    enum Role: Sendable {
        /// The value must fit the schema, too.
        case also
        /// One of several schemas, of which the value need not fit each.
        case alternative
        /// The value is tested with the schema, and may fail.
        case tested
        /// The schema is for values inside the value.
        case inner
    }

    private(set) var also: [Int] = []
    private(set) var alternatives: [Int] = []
    private(set) var tested: [Int] = []
    private(set) var inner: [Int] = []
    /// The name of a dynamic reference. Each schema with such an anchor may be its target.
    var dynamicAnchor: String?

    /// The schemas for the same value.
    func sameValue(_ anchors: [String: [Int: Int]]) -> [Int] {
        also + alternatives + tested + (dynamicAnchor.flatMap { anchors[$0] }.map { Array($0.values) } ?? [])
    }

    mutating func add(_ node: Int, _ role: Role) {
        switch role {
        case .also: also.append(node)
        case .alternative: alternatives.append(node)
        case .tested: tested.append(node)
        case .inner: inner.append(node)
        }
    }
}
