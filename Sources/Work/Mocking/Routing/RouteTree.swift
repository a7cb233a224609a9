import ReqcliAssembly

/// Finds the patterns whose path a request has, the most specific shape first.
///
/// At each segment a literal comes before a segment that is literal in part, and that one before a gap. A search visits each node
/// once at most, since the nodes are a tree.
struct RouteTree: Sendable {
    /// A pattern with the segments that its path has here: optional ones may be missing.
    final class Route: Sendable {
        let pattern: Int
        let segments: [TextPattern]
        let plain = LazyReference<PlainRoute>()

        init(pattern: Int, segments: [TextPattern]) {
            self.pattern = pattern
            self.segments = segments
        }
    }

    /// A place in a path. A class, since a search would retain each part of a struct.
    private final class Node: Sendable {
        let literals: Literals
        let parts: [(pattern: TextPattern, node: Int)]
        let gap: Int?
        let routes: [Route]

        init(_ draft: Draft) {
            literals = Literals(draft.literals)
            (parts, gap, routes) = (draft.parts, draft.gap, draft.routes)
        }
    }

    /// The places that follow literal segments, by the strings of these segments.
    private enum Literals {
        /// Hashing a string takes 300 instructions, comparing it with one of these takes 15.
        case few([(text: String, node: Int)])
        case many([String: Int])

        init(_ places: [String: Int]) {
            self = places.count <= 8 ? .few(places.map { ($0.key, $0.value) }) : .many(places)
        }

        subscript(text: String) -> Int? {
            switch self {
            case .few(let places):
                for index in places.indices where places[index].text == text { return places[index].node }
                return nil
            case .many(let places): return places[text]
            }
        }
    }

    /// The places and routes that follow a place. Other places are referred to by their numbers: objects that hold each other
    /// would be released recursively, which overflows the stack for a path of 100,000 segments.
    private struct Draft {
        var literals: [String: Int] = [:]
        /// Segments with literals and gaps, those with more literal bytes first.
        var parts: [(pattern: TextPattern, node: Int)] = []
        var gap: Int?
        var routes: [Route] = []
    }

    private let nodes: [Node]
    /// The routes of each shape that several routes have.
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

    /// The paths with and without the optional segments.
    private static func variants(of segments: [RequestPattern.Segment]) -> [[TextPattern]] {
        // The fast way for nearly all paths. A path without segments is handled below, because it is still a slash.
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

    /// The routes of each shape that a path has, the most specific shape first.
    func routes(for segments: [String]) -> [[Route]] {
        var found: [[Route]] = []
        // The places to visit later, the next one last. If only one segment fits, no place is added.
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
