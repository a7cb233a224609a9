import Assembly

/// Finds the patterns whose path a request has, the most specific shape first.
///
/// At each segment a literal comes before a segment that is literal in part, and that one before a gap. A walk visits each node once
/// at most, since the nodes are a tree.
struct RouteTree: Sendable {
    /// A pattern with the segments that its path has here: optional ones may be missing.
    struct Route: Sendable {
        let pattern: Int
        let segments: [TextPattern]
    }

    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        /// Segments with literals and gaps, those with more literal bytes first.
        var parts: [(pattern: TextPattern, node: Int)] = []
        var gap: Int?
        var routes: [Route] = []
    }

    private var nodes = [Node()]

    init(_ patterns: [RequestPattern]) {
        for (index, pattern) in patterns.enumerated() {
            for segments in Self.variants(of: pattern.segments) {
                add(Route(pattern: index, segments: segments))
            }
        }
    }

    /// More optional segments than this are always there.
    private static let mostOptional = 6

    /// The routes of each shape that several paths have.
    var sharedShapes: [[Route]] { nodes.map(\.routes).filter { $0.count > 1 } }

    /// The paths with and without the optional segments.
    private static func variants(of segments: [RequestPattern.Segment]) -> [[TextPattern]] {
        // Nearly all paths. A path is never without segments, since that is a slash.
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
        // Without its segments, a path is still a slash.
        return variants.map { $0.isEmpty ? [TextPattern("")] : $0 }
    }

    private mutating func add(_ route: Route) {
        var node = 0
        for segment in route.segments { node = child(of: node, for: segment) }
        nodes[node].routes.append(route)
    }

    private mutating func child(of node: Int, for segment: TextPattern) -> Int {
        if let literal = segment.literal {
            if let known = nodes[node].literals[literal] { return known }
            nodes[node].literals[literal] = nodes.count
        } else if segment.onlyGap != nil {
            if let known = nodes[node].gap { return known }
            nodes[node].gap = nodes.count
        } else {
            // Names of params don't matter for the shape.
            if let known = nodes[node].parts.first(where: { $0.pattern.hasShape(of: segment) }) { return known.node }
            let place =
                nodes[node].parts.firstIndex { $0.pattern.weight < segment.weight } ?? nodes[node].parts.endIndex
            nodes[node].parts.insert((segment, nodes.count), at: place)
        }
        nodes.append(Node())
        return nodes.count - 1
    }

    /// The routes of each shape that a path has, the most specific shape first.
    ///
    /// - Parameter isWanted: Ends the walk where it returns true for the routes of a shape.
    func walk(_ segments: [String], until isWanted: ([Route]) -> Bool) {
        // The nodes to visit next, the last one first, with the number of segments before each.
        var open: [(node: Int, depth: Int)] = [(0, 0)]
        while let (index, depth) = open.popLast() {
            if depth == segments.count {
                if !nodes[index].routes.isEmpty, isWanted(nodes[index].routes) { return }
                continue
            }
            let segment = segments[depth]
            if let gap = nodes[index].gap, !segment.isEmpty { open.append((gap, depth + 1)) }
            for part in nodes[index].parts.reversed() where part.pattern.values(in: segment) != nil {
                open.append((part.node, depth + 1))
            }
            if let literal = nodes[index].literals[segment] { open.append((literal, depth + 1)) }
        }
    }
}

extension TextPattern {
    /// Whether both have the same literals in the same places.
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
