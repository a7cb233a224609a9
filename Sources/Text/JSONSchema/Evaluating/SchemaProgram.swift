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
    let isWriteOnly: Bool

    init(schema: JSONValue, resource: Int, assertions: [KeywordAssertion]) {
        (self.schema, self.resource, self.assertions) = (schema, resource, assertions)
        // The first and the last row of `Keyword.all` that make a rule.
        isWriteOnly = assertions.first?.rule is WriteOnly
        usesMarks = assertions.last?.rule is Unevaluated
    }

    /// The nodes that are evaluated for the same value as this node.
    func sameValueNodes(_ anchors: [String: [Int: Int]]) -> [Int] {
        assertions.flatMap { $0.links.sameValue(anchors) }
    }

    /// The nodes that this node refers to, for the same value and for values inside it.
    func targets(_ anchors: [String: [Int: Int]]) -> [Int] {
        sameValueNodes(anchors) + assertions.flatMap(\.links.inner)
    }
}
