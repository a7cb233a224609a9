import ReqcliText

/// The nodes of a query, one at a time. The walk goes down the path's segments depth first. The nodes have the same order as if
/// one segment after the other were evaluated, but the walk needs no list of nodes.
///
/// The state is a list of frames and not the call stack, so that neither a long path nor a deep document can overflow
/// the stack. The names and indexes at the start and at the end of a path need no frames, because each selects at most
/// one node.
struct PathWalk {
    private let segments: [PathSegment]
    /// The index of the first segment that can select several nodes, and the index after the last such segment.
    private let first: Int
    private let rest: Int
    private var frames: [Frame] = []
    private var start: JSONValue?

    init(_ query: PathQuery, from start: JSONValue) {
        segments = query.segments
        first = segments.firstIndex { !$0.isSingular } ?? segments.count
        rest = segments.lastIndex { !$0.isSingular }.map { $0 + 1 } ?? segments.count
        self.start = start
    }

    mutating func next(_ evaluator: inout PathEvaluator) throws(JSONPathLimit) -> JSONValue? {
        if let start {
            self.start = nil
            guard let node = try evaluator.node(below: start, segments[..<first]) else { return nil }
            if first == segments.count { return node }
            frames.append(Frame(segments[first], node))
        }
        while let frame = frames.indices.last {
            let segment = first + frame
            guard let node = try frames[frame].next(segments[segment], &evaluator) else {
                frames.removeLast()
                continue
            }
            if segment + 1 < rest {
                frames.append(Frame(segments[segment + 1], node))
            } else if let end = try evaluator.node(below: node, segments[rest...]) {
                return end
            }
        }
        return nil
    }
}

/// The progress of one segment applied to one node.
private struct Frame {
    /// The nodes that the selectors still have to be applied to: the node itself, or also everything below it.
    private var bases: JSONValue.Descendants?
    private var base: JSONValue?
    private var selector = 0
    private var candidates = Candidates.none

    private enum Candidates {
        case none
        case children(JSONValue.Elements)
        case filtered(JSONValue.Elements, PathCondition)
        case list(IndexingIterator<[JSONValue]>)
    }

    init(_ segment: PathSegment, _ node: JSONValue) {
        if segment.isDescendant { bases = node.descendants } else { base = node }
    }

    mutating func next(_ segment: PathSegment, _ evaluator: inout PathEvaluator) throws(JSONPathLimit) -> JSONValue? {
        while true {
            if let node = try nextCandidate(&evaluator) { return node }
            if let base, selector < segment.selectors.count {
                selector += 1
                if let node = try begin(segment.selectors[selector - 1], base, &evaluator) { return node }
                continue
            }
            guard let next = bases?.next() else { return nil }
            base = next
            selector = 0
        }
    }

    private mutating func nextCandidate(_ evaluator: inout PathEvaluator) throws(JSONPathLimit) -> JSONValue? {
        switch candidates {
        case .none: return nil
        case .children(var children):
            let node = children.next()
            try evaluator.spend(1)
            candidates = node == nil ? .none : .children(children)
            return node
        case .filtered(var children, let condition):
            while let node = children.next() {
                try evaluator.spend(1)
                if try evaluator.holds(condition, for: node) {
                    candidates = .filtered(children, condition)
                    return node
                }
            }
        case .list(var list):
            let node = list.next()
            candidates = node == nil ? .none : .list(list)
            return node
        }
        candidates = .none
        return nil
    }

    /// Starts a selector. If the selector is a name or an index, its node is returned immediately.
    private mutating func begin(
        _ selector: PathSelector, _ base: JSONValue, _ evaluator: inout PathEvaluator
    ) throws(JSONPathLimit) -> JSONValue? {
        try evaluator.spend(1)
        switch selector {
        case .name, .index: return try evaluator.child(selector, of: base)
        case .wildcard: candidates = .children(base.children)
        case .filter(let condition): candidates = .filtered(base.children, condition)
        case .slice(let slice):
            guard base.kind == .array else { return nil }
            try evaluator.spend(base.count)
            candidates = .list(slice.elements(of: base).makeIterator())
        }
        return nil
    }
}

extension PathSlice {
    /// The elements that a slice selects, in the order of the slice (RFC 9535, section 2.3.4.2.2).
    func elements(of array: JSONValue) -> [JSONValue] {
        let step = step ?? 1
        let count = array.count
        guard step != 0 else { return [] }
        func fromStart(_ index: Int) -> Int { index >= 0 ? index : count + index }
        func clamped(_ index: Int, _ low: Int, _ high: Int) -> Int { min(max(index, low), high) }
        let elements = Array(array.elements)
        if step > 0 {
            let lower = clamped(fromStart(start ?? 0), 0, count)
            let upper = clamped(fromStart(end ?? count), 0, count)
            return stride(from: lower, to: max(lower, upper), by: step).map { elements[$0] }
        }
        let upper = clamped(start.map(fromStart) ?? count - 1, -1, count - 1)
        let lower = clamped(end.map(fromStart) ?? -1, -1, count - 1)
        return stride(from: upper, to: min(lower, upper), by: step).map { elements[$0] }
    }
}
