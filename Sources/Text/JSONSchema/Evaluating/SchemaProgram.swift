import ReqcliBasics
import ReqcliJSONPath
import ReqcliText

/// A compiled schema: a flat list of nodes that refer to each other by index, so that a schema may contain itself.
final class SchemaProgram: Sendable {
    let nodes: [Node]
    /// The resources that the nodes belong to. Reports name these resources.
    let resources: [SchemaLibrary.Resource]
    /// For each name of a dynamic reference: the node with this dynamic anchor in each resource that has such an anchor.
    let dynamicAnchors: [String: [Int: Int]]
    /// Whether a schema of the program has `writeOnly`, so that only requests may have the value, and not responses.
    let hasWriteOnly: Bool

    init(nodes: [Node], resources: [SchemaLibrary.Resource], dynamicAnchors: [String: [Int: Int]]) {
        (self.nodes, self.resources, self.dynamicAnchors) = (nodes, resources, dynamicAnchors)
        hasWriteOnly = nodes.contains(where: \.isWriteOnly)
    }
}

/// One schema: its assertions in the order of evaluation.
struct Node: Sendable {
    let schema: JSONValue
    let resource: Int
    let assertions: [KeywordAssertion]
    /// Whether an assertion needs to know which members or items the other assertions have evaluated.
    let usesMarks: Bool

    /// Whether the schema itself says that only requests have the value.
    var isWriteOnly: Bool {
        if case .writeOnly? = assertions.first?.rule { true } else { false }
    }
}

/// The requirement of one keyword, or of several keywords that belong together, for a value. A class, because copying its parts
/// for each evaluation would take a tenth of the time.
final class KeywordAssertion: Sendable {
    enum Rule: Sendable {
        /// The schema `false`, which no value fits.
        case never
        /// The schema has `writeOnly`: only requests may have such a value.
        case writeOnly
        case types(TypeSet)
        case oneOf(ValueSet)
        case bound(Bound)
        case multiple(of: JSONNumber)
        case length(Limit)
        case items(Limit)
        case members(Limit)
        case pattern(Pattern)
        case format(Format)
        case required(KeywordNameIndex)
        case dependentRequired([(name: String, needed: KeywordNameIndex)])
        case unique
        case properties(PropertyRules)
        case names(Int)
        case elements(ElementRules)
        case contains(ContainsRule)
        case reference(Int)
        case dynamicReference(name: String, fallback: Int)
        case all([Int])
        case any([Int])
        case one([Int])
        case not(Int)
        case condition(ConditionRule)
        case dependentSchemas([(name: String, node: Int)])
        case unevaluatedItems(Int)
        case unevaluatedProperties(Int)
    }

    /// The keyword's name. If several keywords belong together, the name of the first of these keywords.
    let keyword: String
    /// The keyword's value.
    let value: JSONValue
    let rule: Rule

    init(keyword: String, value: JSONValue, rule: Rule) {
        (self.keyword, self.value, self.rule) = (keyword, value, rule)
    }
}

/// The types that `type` allows.
struct TypeSet: Sendable {
    let names: [JSONTypeName]
    /// Whether `1.0` is not an integer, as in draft-04.
    let isExact: Bool
    private let kinds: UInt16
    private let hasInteger: Bool

    init(_ names: [JSONTypeName], isExact: Bool) {
        (self.names, self.isExact) = (names, isExact)
        kinds = names.reduce(0) { $0 | Self.bits($1) }
        hasInteger = names.contains(.integer) && !names.contains(.number)
    }

    func contains(_ value: JSONCursor) -> Bool {
        let kind = value.kind
        if kinds & 1 << UInt16(kind.rawValue) != 0 { return true }
        guard hasInteger, kind == .number else { return false }
        let isPlain = value.range.allSatisfy { value.bytes[$0].isDigit || value.bytes[$0] == .minus }
        return isPlain || !isExact && value.value.number?.isInteger == true
    }

    private static func bits(_ name: JSONTypeName) -> UInt16 {
        func bit(_ kind: JSONValue.Kind) -> UInt16 { 1 << UInt16(kind.rawValue) }
        return switch name {
        case .object: bit(.object)
        case .array: bit(.array)
        case .string: bit(.string)
        case .number: bit(.number)
        case .integer: 0
        case .boolean: bit(.true) | bit(.false)
        case .null: bit(.null)
        }
    }
}

/// A lower or upper limit of a number.
struct Bound: Sendable {
    enum Kind: Sendable { case least, most, above, below }

    let kind: Kind
    let number: JSONNumber
    /// The limit as an `Int`, if it is a small whole number. Such a limit needs no exact comparison.
    let small: Int?

    init(_ kind: Kind, _ number: JSONNumber) {
        (self.kind, self.number) = (kind, number)
        small = number.int
    }

    func allows<Number: Comparable>(_ value: Number, _ limit: Number) -> Bool {
        switch kind {
        case .least: value >= limit
        case .most: value <= limit
        case .above: value > limit
        case .below: value < limit
        }
    }
}

/// A lower or upper limit of a count.
struct Limit: Sendable {
    let isMinimum: Bool
    let count: Int

    func allows(_ value: Int) -> Bool { isMinimum ? value >= count : value <= count }
}

final class PropertyRules: Sendable {
    let names: KeywordNameIndex
    let nodes: [Int]
    let patterns: [(pattern: Pattern, node: Int)]
    let rest: Int?

    init(names: KeywordNameIndex, nodes: [Int], patterns: [(pattern: Pattern, node: Int)], rest: Int?) {
        (self.names, self.nodes, self.patterns, self.rest) = (names, nodes, patterns, rest)
    }
}

struct ElementRules: Sendable {
    let first: [Int]
    let rest: Int?
    /// The keywords whose values are the schemas `first` and `rest`.
    let firstKeyword: String
    let restKeyword: String
}

struct ContainsRule: Sendable {
    let node: Int
    let least: Int
    let most: Int?
    /// Whether the items that fit are marked as evaluated.
    let marksItems: Bool
}

struct ConditionRule: Sendable {
    let condition: Int
    let then: Int?
    let otherwise: Int?
}

/// A regular expression of a schema.
struct Pattern: Sendable {
    let text: String
    private let expression: IRegexp

    init(_ text: String) throws(IRegexpProblem) {
        self.text = text
        expression = try IRegexp(ecma: text)
    }

    /// Whether the expression matches somewhere in a string; nil if the search needs more steps than are left.
    func isFound(in text: JSONCursor, steps: inout Int) -> Bool? {
        guard let bytes = text.plainBytes else {
            return expression.run(on: text.string, isAnchored: false, steps: &steps)
        }
        return expression.run(onUTF8: bytes, isAnchored: false, steps: &steps)
    }
}
