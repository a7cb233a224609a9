import ReqcliText

/// Turns a schema, and all schemas that it refers to, into a program.
struct ProgramBuilder {
    var library: SchemaLibrary
    let formats: SchemaCompiler.FormatUse
    /// The root resources of the documents that were reached.
    private(set) var documents: Set<Int> = []
    /// The schemas that were asked for, and the schemas that references lead to. All other schemas are inside these schemas.
    private(set) var roots: [SchemaLibrary.Subschema] = []
    private var nodes: [Node?] = []
    private(set) var indices: [Spot: Int] = [:]
    /// The schemas whose nodes are still to be built. This is a list instead of recursion, because a schema may contain itself.
    private var pending: [(index: Int, schema: SchemaLibrary.Subschema)] = []
    private var resourcesReached: Set<Int> = []
    private var dynamicNames: Set<String> = []
    /// Whether problems are kept separately for each node. This is necessary if more schemas are added later, because the
    /// problems of earlier schemas don't matter for later schemas.
    private let keepsFaults: Bool
    /// The problems of the nodes.
    private(set) var faults: [Int: [Diagnostic]] = [:]
    /// The number of nodes that were searched for circular references.
    private var searchedCount = 0
    private var anchors: [String: [Int: Int]] = [:]
    var schema: SchemaContext
    /// The nodes to which the rule leads that is being made.
    var links = Links()

    init(library: SchemaLibrary, formats: SchemaCompiler.FormatUse, keepsFaults: Bool = false) {
        (self.library, self.formats, self.keepsFaults) = (library, formats, keepsFaults)
        schema = SchemaContext(library.defaultDialect)
    }

    /// Builds a program for one schema. Returns the program and the index of the schema's node.
    mutating func build(_ root: SchemaLibrary.Subschema) -> (program: SchemaProgram, root: Int) {
        (buildAll([root]), node(for: root))
    }

    @discardableResult
    mutating func buildAll(_ schemas: [SchemaLibrary.Subschema]) -> SchemaProgram {
        for schema in schemas { _ = reached(schema) }
        return program()
    }

    /// The program of all schemas that were added so far.
    mutating func program() -> SchemaProgram {
        complete()
        return SchemaProgram(nodes: nodes.compactMap(\.self), resources: library.resources, dynamicAnchors: anchors)
    }

    /// Builds all nodes that are still to be built. The time doesn't depend on the nodes that were built before.
    mutating func complete() {
        if searchedCount == nodes.count { return }
        buildPending()
        anchors = buildDynamicAnchors()
        reportCircles()
        searchedCount = nodes.count
    }

    /// All nodes that are reached from a node, including that node.
    func nodes(from start: Int) -> [Int] {
        var found = [start]
        var seen = Set(found)
        var position = 0
        while position < found.count {
            found += (nodes[found[position]]?.targets(anchors) ?? []).filter { seen.insert($0).inserted }
            position += 1
        }
        return found
    }

    mutating func add(faults found: [Diagnostic], at node: Int) {
        if !found.isEmpty { faults[node, default: []] += found }
    }

    private mutating func keepFaults(at node: Int) {
        if keepsFaults, !library.problems.isEmpty { add(faults: library.takeProblems(), at: node) }
    }

    /// The index of a schema's node, which may be built later.
    mutating func node(for schema: SchemaLibrary.Subschema) -> Int {
        let spot = Spot(schema.value)
        if let known = indices[spot] { return known }
        let index = nodes.count
        indices[spot] = index
        nodes.append(nil)
        pending.append((index, schema))
        return index
    }

    /// The index of the node for a value of a keyword. If the value is not a schema, the node accepts everything; the mistake is
    /// reported elsewhere.
    mutating func node(for value: JSONValue, in resource: Int) -> Int {
        node(for: SchemaLibrary.Subschema(value: value, resource: library.owner(of: value) ?? resource))
    }

    /// Adds a node that is not a schema of the document.
    mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    /// The index of the node of a schema that is reached by a reference, and not through the schema that contains it.
    mutating func reached(_ schema: SchemaLibrary.Subschema) -> Int {
        let isNew = indices[Spot(schema.value)] == nil
        if isNew { roots.append(schema) }
        return node(for: schema)
    }

    /// Makes `complete` build the nodes that dynamic references with this name can lead to.
    mutating func useDynamicAnchor(_ name: String) {
        dynamicNames.insert(name)
        links.dynamicAnchor = name
    }

    private mutating func buildPending() {
        while let (index, schema) = pending.popLast() {
            resourcesReached.insert(schema.resource)
            documents.insert(library.resources[schema.resource].document)
            nodes[index] = built(schema)
            if keepsFaults {
                let dialect = library.resources[schema.resource].dialect
                for problem in SchemaFindings.misspelt(in: schema.value, dialect) { library.report(problem) }
            }
            keepFaults(at: index)
        }
    }

    /// Builds the schemas with a dynamic anchor in all resources that were reached. These schemas may lead to further resources.
    private mutating func buildDynamicAnchors() -> [String: [Int: Int]] {
        var anchors: [String: [Int: Int]] = [:]
        var count: (Int, Int)
        repeat {
            count = (resourcesReached.count, dynamicNames.count)
            for name in dynamicNames {
                for resource in resourcesReached where anchors[name]?[resource] == nil {
                    guard let value = library.resources[resource].dynamicAnchors[name] else { continue }
                    anchors[name, default: [:]][resource] = node(for: value, in: resource)
                }
            }
            buildPending()
        } while count != (resourcesReached.count, dynamicNames.count)
        return anchors
    }
}

// MARK: - Circles

extension ProgramBuilder {
    /// Reports references that lead back to themselves without going deeper into the value. The evaluation of such references
    /// would never end.
    private mutating func reportCircles() {
        func targets(_ node: Int) -> ArraySlice<Int> { nodes[node]?.sameValueNodes(anchors)[...] ?? [] }
        // 0: not visited, 1: on the current path, 2: done.
        var states = [UInt8](repeating: 2, count: searchedCount)
        states += [UInt8](repeating: 0, count: nodes.count - searchedCount)
        for start in nodes.indices[searchedCount...] where states[start] == 0 {
            var path = [(node: start, next: targets(start))]
            states[start] = 1
            while var last = path.popLast() {
                guard let next = last.next.popFirst() else {
                    states[last.node] = 2
                    continue
                }
                path.append(last)
                if states[next] == 0 {
                    states[next] = 1
                    path.append((next, targets(next)))
                } else if states[next] == 1 {
                    library.report(
                        Diagnostic(
                            code: .schemaReference,
                            "this schema refers to itself without going deeper into the value",
                            at: nodes[last.node]?.start,
                            hint: "its evaluation would never end"))
                    keepFaults(at: last.node)
                }
            }
        }
    }
}

extension Node {
    /// The place of the node's reference. If there is no reference, the start of the node's schema.
    fileprivate var start: Place {
        let place = schema.place
        return assertions.first { $0.rule is Reference }?.value.place
            ?? Place(place.file, place.range.lowerBound..<place.range.lowerBound + 1)
    }
}
