package import SourceText

/// A JSONPath query (RFC 9535): which nodes of a JSON document are meant.
///
/// ```swift
/// let path = try JSONPath("$.items[?@.price < 10].name")
/// for node in try path.nodes(in: document.root) { print(node.normalizedPath(in: root), node.text) }
/// ```
package final class JSONPath: Sendable {
    package let text: String
    let query: PathQuery

    /// Parses a path; a text that is none throws all that is wrong with it.
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

    /// Whether the path can select at most one node: it has names and indexes alone.
    package var isSingular: Bool { query.isSingular }

    /// How many steps down it goes, `..` being one of them.
    package var stepCount: Int { query.segments.count }

    package var hasFilters: Bool {
        query.segments.contains { segment in
            segment.selectors.contains { if case .filter = $0 { true } else { false } }
        }
    }
}

// MARK: - Selecting

extension JSONPath {
    /// The work that a path may make on a document: some seconds' worth, and so much for each byte that no path of one
    /// pass is refused. (One with several `..`, or with filters inside filters, can ask for the square or the cube of a
    /// document's size.)
    package static func steps(allowedFor root: JSONValue) -> Int {
        50_000_000 + 20 * root.range.count
    }

    /// The nodes that the path selects in a document, in the standard's order; members come in the order of the text.
    ///
    /// Of a key that is there twice, a name selects the last value, and a wildcard all of them. Work beyond `steps`
    /// (`steps(allowedFor:)` if none are given) throws.
    package func nodes(in root: JSONValue, steps: Int? = nil) throws(JSONPathLimit) -> [JSONValue] {
        if query.isSingular {
            var evaluator = Evaluator(root: root, steps: steps ?? Self.steps(allowedFor: root))
            return try evaluator.singularNode(query, from: root).map { [$0] } ?? []
        }
        var selection = selection(in: root, steps: steps)
        var nodes: [JSONValue] = []
        while let node = try selection.next() { nodes.append(node) }
        return nodes
    }

    /// The same nodes one at a time, each found when it is asked for.
    package func selection(in root: JSONValue, steps: Int? = nil) -> Selection {
        let allowed = steps ?? Self.steps(allowedFor: root)
        return Selection(walk: PathWalk(query, from: root), evaluator: Evaluator(root: root, steps: allowed))
    }

    /// The nodes that the path's names and indexes lead through, from the root as far as they go: up to the first segment
    /// that can select several nodes, or to where there is nothing of that name.
    package func straightNodes(in root: JSONValue) -> [JSONValue] {
        var evaluator = Evaluator(root: root, steps: Self.steps(allowedFor: root))
        var nodes = [root]
        for segment in query.segments {
            guard segment.isSingular, let node = nodes.last,
                let child = try? evaluator.child(segment.selectors[0], of: node)
            else { break }
            nodes.append(child)
        }
        return nodes
    }

    package struct Selection {
        private var walk: PathWalk
        private var evaluator: Evaluator

        fileprivate init(walk: PathWalk, evaluator: Evaluator) {
            (self.walk, self.evaluator) = (walk, evaluator)
        }

        package mutating func next() throws(JSONPathLimit) -> JSONValue? {
            try walk.next(&evaluator)
        }
    }
}
