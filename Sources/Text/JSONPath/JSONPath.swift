package import ReqcliText

/// A JSONPath query (RFC 9535), which selects nodes of a JSON document.
///
/// ```swift
/// let path = try JSONPath("$.items[?@.price < 10].name")
/// for node in try path.nodes(in: document.root) { print(node.normalizedPath(in: root), node.text) }
/// ```
package final class JSONPath: Sendable {
    package let text: String
    let query: PathQuery

    /// Parses a path. If the path is not valid, throws all problems of the path.
    package init(_ text: String) throws(JSONPathError) {
        var parser = PathParser(text)
        do throws(JSONPathProblem) {
            query = try parser.wholePath()
        } catch {
            throw JSONPathError(problems: (parser.problems + [error]).sortedByPlace)
        }
        if !parser.problems.isEmpty { throw JSONPathError(problems: parser.problems.sortedByPlace) }
        self.text = text
    }

    /// Whether the path can select at most one node, because it has only names and indexes.
    package var isSingular: Bool { query.isSingular }

    /// The number of segments, `..` included.
    package var stepCount: Int { query.segments.count }

    /// The name of a member of the root, if the path can select nodes only in this member; otherwise nil.
    package var firstName: String? {
        guard let first = query.segments.first, first.isSingular, case .name(let name) = first.selectors[0] else {
            return nil
        }
        return name
    }

    package var hasFilters: Bool {
        query.segments.contains { segment in
            segment.selectors.contains { if case .filter = $0 { true } else { false } }
        }
    }
}

// MARK: - Selecting

extension JSONPath {
    /// The number of steps that a path may take on a document. Each document gets a fixed number of steps, enough for some
    /// seconds, and further steps for each of its bytes. They are enough for every path that needs only one pass over the
    /// document. (A path with several `..`, or with filters inside filters, may need the square or the cube of the document's
    /// size.)
    package static func steps(allowedFor root: JSONValue) -> Int {
        50_000_000 + 20 * root.range.count
    }

    /// The selected nodes in the order of RFC 9535. Members are in the order of the text.
    ///
    /// If a key occurs twice, a name selects the last value and a wildcard selects all values. Throws if the path takes more than
    /// `steps` steps (by default `steps(allowedFor:)`).
    package func nodes(in root: JSONValue, steps: Int? = nil) throws(JSONPathLimit) -> [JSONValue] {
        if query.isSingular {
            var evaluator = PathEvaluator(root: root, steps: steps ?? Self.steps(allowedFor: root))
            return try evaluator.singularNode(query, from: root).map { [$0] } ?? []
        }
        var selection = selection(in: root, steps: steps)
        var nodes: [JSONValue] = []
        while let node = try selection.next() { nodes.append(node) }
        return nodes
    }

    /// The selected nodes one at a time. Each node is searched for only when the caller asks for it.
    package func selection(in root: JSONValue, steps: Int? = nil) -> Selection {
        let allowed = steps ?? Self.steps(allowedFor: root)
        return Selection(walk: PathWalk(query, from: root), evaluator: PathEvaluator(root: root, steps: allowed))
    }

    /// The nodes along the path's names and indexes, beginning with the root. Stops at the first segment that can
    /// select several nodes, or at a missing node.
    package func straightNodes(in root: JSONValue) -> [JSONValue] {
        var evaluator = PathEvaluator(root: root, steps: Self.steps(allowedFor: root))
        var nodes = [root]
        for segment in query.segments {
            guard segment.isSingular, let node = nodes.last,
                let child = try? evaluator.child(segment.selectors[0], of: node)
            else { break }
            nodes.append(child)
        }
        return nodes
    }

    /// For a path that selects nothing: the first node that the longest beginning of the path selects.
    package func lastNode(in root: JSONValue) -> JSONValue {
        for count in query.segments.indices.reversed() {
            let beginning = PathQuery(
                isAbsolute: query.isAbsolute, segments: Array(query.segments[..<count]), slot: query.slot)
            var selection = Selection(
                walk: PathWalk(beginning, from: root),
                evaluator: PathEvaluator(root: root, steps: Self.steps(allowedFor: root)))
            if let node = try? selection.next() { return node }
        }
        return root
    }

    package struct Selection {
        private var walk: PathWalk
        private var evaluator: PathEvaluator

        fileprivate init(walk: PathWalk, evaluator: PathEvaluator) {
            (self.walk, self.evaluator) = (walk, evaluator)
        }

        package mutating func next() throws(JSONPathLimit) -> JSONValue? {
            try walk.next(&evaluator)
        }
    }
}
