import ReqcliText

/// A parsed path: its start and its segments.
struct PathQuery: Sendable {
    /// Whether the path starts at the document's root (`$`) rather than at the node that a filter looks at (`@`).
    let isAbsolute: Bool
    let segments: [PathSegment]
    let isSingular: Bool
    /// The number of the query within its path. An absolute query has the same result for every node that a filter
    /// looks at, so its result is cached under this number.
    let slot: Int

    init(isAbsolute: Bool, segments: [PathSegment], slot: Int) {
        self.isAbsolute = isAbsolute
        self.segments = segments
        self.slot = slot
        isSingular = segments.allSatisfy(\.isSingular)
    }
}

struct PathSegment: Sendable {
    /// Whether the segment is `..`, which selects from the node and everything below it.
    let isDescendant: Bool
    let selectors: [PathSelector]

    var isSingular: Bool {
        guard !isDescendant, selectors.count == 1 else { return false }
        return switch selectors[0] {
        case .name, .index: true
        case .wildcard, .slice, .filter: false
        }
    }
}

enum PathSelector: Sendable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(PathSlice)
    case filter(PathCondition)
}

struct PathSlice: Sendable {
    var start: Int?
    var end: Int?
    var step: Int?
}

/// A condition of a filter, which is true or false.
indirect enum PathCondition: Sendable {
    case any([PathCondition])
    case all([PathCondition])
    case not(PathCondition)
    case comparison(PathOperand, PathComparison, PathOperand)
    case exists(PathQuery)
    /// `match` looks at the whole text, `search` at any part of it.
    case pattern(PathOperand, PathPattern, isWhole: Bool)
}

enum PathComparison: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
}

/// An operand, which gives one value or nothing.
indirect enum PathOperand: Sendable {
    case string(String)
    case number(JSONNumber)
    case bool(Bool)
    case null
    /// A query that selects at most one node.
    case query(PathQuery)
    case length(PathOperand)
    case count(PathQuery)
    case value(PathQuery)
}

indirect enum PathPattern: Sendable {
    /// A pattern written in the path.
    case literal(IRegexp)
    /// A pattern from the document, which may differ from node to node.
    case operand(PathOperand)
}
