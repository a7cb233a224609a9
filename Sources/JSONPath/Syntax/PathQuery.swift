import IRegexp
import SourceText

/// A path, parsed: where it begins and the segments it goes through.
struct PathQuery: Sendable {
    /// From the document's root (`$`) and not from the node that a filter looks at (`@`).
    let isAbsolute: Bool
    let segments: [PathSegment]
    let isSingular: Bool
    /// A number of its own among a path's absolute queries. What they find is the same for every node that a filter
    /// looks at, and is found only once.
    let slot: Int

    init(isAbsolute: Bool, segments: [PathSegment], slot: Int) {
        self.isAbsolute = isAbsolute
        self.segments = segments
        self.slot = slot
        isSingular = segments.allSatisfy(\.isSingular)
    }
}

struct PathSegment: Sendable {
    /// `..`: from the node and everything below it.
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

/// What a filter asks: true or false.
indirect enum PathCondition: Sendable {
    case any([PathCondition])
    case all([PathCondition])
    case not(PathCondition)
    case comparison(PathOperand, PathComparison, PathOperand)
    case exists(PathQuery)
    /// `match` is about the whole text, `search` about any part of it.
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

/// What gives one value, or nothing.
indirect enum PathOperand: Sendable {
    case string(String)
    case number(JSONNumber)
    case bool(Bool)
    case null
    /// A singular query.
    case query(PathQuery)
    case length(PathOperand)
    case count(PathQuery)
    case value(PathQuery)
}

indirect enum PathPattern: Sendable {
    /// Written out in the path.
    case literal(IRegexp)
    /// Found in the document, where it may differ from node to node.
    case operand(PathOperand)
}
