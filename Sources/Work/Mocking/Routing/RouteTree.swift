import ReqcliAssembly

/// Finds the patterns that fit the path of a request. The most specific pattern is first.
///
/// At each segment, a literal is more specific than a segment with literals and gaps, and such a segment is more specific than a
/// gap. A search visits each node at most once, because the nodes are a tree.
struct RouteTree: Sendable {
    /// A pattern with the segments of one form of its path. A form may lack optional segments.
    final class Route: Sendable {
        let pattern: Int
        let segments: [TextPattern]
        let plain = LazyReference<PlainRoute>()

        init(pattern: Int, segments: [TextPattern]) {
            self.pattern = pattern
            self.segments = segments
        }
    }

    /// A node of the tree, which is a place in a path. A class, because a search would retain each part of a struct.
    private final class Node: Sendable {
        /// The children for literal segments, by the string of the segment.
        let literals: [String: Int]
        let parts: [(pattern: TextPattern, node: Int)]
        let gap: Int?
        let routes: [Route]

        init(_ draft: Draft) {
            (literals, parts, gap, routes) = (draft.literals, draft.parts, draft.gap, draft.routes)
        }
    }

    /// The nodes and routes that follow a place in a path. Other nodes are referred to by their numbers. If nodes held each other
    /// as objects, they would be released recursively, and a path of 100,000 segments would overflow the stack.
    private struct Draft {
        var literals: [String: Int] = [:]
        /// Segments with literals and gaps. Segments with more literal bytes are first.
        var parts: [(pattern: TextPattern, node: Int)] = []
        var gap: Int?
        var routes: [Route] = []
    }

    private let nodes: [Node]
    /// Groups of routes that have the same shape. A shape with only one route is not listed.
    let sharedShapes: [[Route]]

    init(_ patterns: [RequestPattern]) {
        var drafts = [Draft()]
        for (index, pattern) in patterns.enumerated() {
            for segments in Self.variants(of: pattern.segments) {
                Self.add(Route(pattern: index, segments: segments), to: &drafts)
            }
        }
        nodes = drafts.map { Node($0) }
        sharedShapes = drafts.map(\.routes).filter { $0.count > 1 }
    }

    /// The maximum number of optional segments. Further ones count as required.
    private static let mostOptional = 6

    /// All forms of the path, with and without each optional segment.
    private static func variants(of segments: [RequestPattern.Segment]) -> [[TextPattern]] {
        // The fast way for nearly all paths. A path without segments is handled below, because such a path is a single slash.
        if !segments.isEmpty, !segments.contains(where: \.isOptional) { return [segments.map(\.text)] }
        var left = mostOptional
        var variants: [[TextPattern]] = [[]]
        for segment in segments {
            let longer = variants.map { $0 + [segment.text] }
            if segment.isOptional, left > 0 {
                left -= 1
                variants = longer + variants
            } else {
                variants = longer
            }
        }
        // A path without segments is a single slash.
        return variants.map { $0.isEmpty ? [TextPattern("")] : $0 }
    }

    private static func add(_ route: Route, to drafts: inout [Draft]) {
        var place = 0
        for segment in route.segments { place = child(of: place, for: segment, in: &drafts) }
        drafts[place].routes.append(route)
    }

    private static func child(of parent: Int, for segment: TextPattern, in drafts: inout [Draft]) -> Int {
        if let literal = segment.literal {
            if let known = drafts[parent].literals[literal] { return known }
            drafts[parent].literals[literal] = drafts.count
        } else if segment.onlyGap != nil {
            if let known = drafts[parent].gap { return known }
            drafts[parent].gap = drafts.count
        } else {
            // Names of params don't matter for the shape.
            if let known = drafts[parent].parts.first(where: { $0.pattern.hasShape(of: segment) }) { return known.node }
            let place =
                drafts[parent].parts.firstIndex { $0.pattern.weight < segment.weight }
                ?? drafts[parent].parts.endIndex
            drafts[parent].parts.insert((segment, drafts.count), at: place)
        }
        drafts.append(Draft())
        return drafts.count - 1
    }

    /// The routes that fit a path, grouped by shape. The most specific shape is first.
    func routes(for segments: [String]) -> [[Route]] {
        var found: [[Route]] = []
        // The nodes to visit later. The next node to visit is last. If a segment fits only one child, no node is added.
        var open: [(node: Node, depth: Int)] = []
        var next: (node: Node, depth: Int)? = (nodes[0], 0)
        while let (node, depth) = next {
            next = nil
            if depth == segments.count {
                if !node.routes.isEmpty { found.append(node.routes) }
            } else {
                let segment = segments[depth]
                func visit(_ index: Int) {
                    if let next { open.append(next) }
                    next = (nodes[index], depth + 1)
                }
                if let gap = node.gap, !segment.isEmpty { visit(gap) }
                for part in node.parts.reversed() where part.pattern.values(in: segment) != nil { visit(part.node) }
                if let literal = node.literals[segment] { visit(literal) }
            }
            next = next ?? open.popLast()
        }
        return found
    }
}

extension TextPattern {
    /// Whether both patterns have the same literals in the same places.
    fileprivate func hasShape(of other: TextPattern) -> Bool {
        pieces.count == other.pieces.count && zip(pieces, other.pieces).allSatisfy { $0.hasShape(of: $1) }
    }
}

extension OpenPiece {
    fileprivate func hasShape(of other: OpenPiece) -> Bool {
        if case .literal = self { return self == other }
        return other.value != nil
    }
}
