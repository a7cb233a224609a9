import ReqcliText

/// The additions of OpenAPI to JSON Schema: members that only requests have, `nullable`, and discriminators.
extension SchemaEvaluator {
    /// The maximum number of nodes that are searched for one value.
    private static let mostSearched = 1000

    /// Whether a schema of the current value says that only requests have a member. Responses may then lack the member.
    ///
    /// - Parameter nodes: The nodes that check the value.
    mutating func isWriteOnly(_ name: String, _ nodes: [Int]) -> Bool {
        steps -= nodes.count
        guard steps > 0 else { return false }
        for index in nodes {
            for assertion in program.nodes[index].assertions {
                guard let properties = assertion.rule as? Properties,
                    let position = properties.names.position(of: name)
                else { continue }
                let member = properties.nodes[position]
                if program.nodes[member].isWriteOnly
                    || nodesOfValue(from: member).contains(where: { program.nodes[$0].isWriteOnly })
                {
                    return true
                }
            }
        }
        return false
    }

    /// The nodes that check the current value: all nodes that are reached from `start`, or from `entry` if `start` is nil.
    ///
    /// - Parameter leading: A set of nodes. If some of several alternatives are in it, the other alternatives are left out.
    mutating func nodesOfValue(from start: Int? = nil, leading: Set<Int> = []) -> [Int] {
        var found = [start ?? entry]
        var seen = Set(found)
        var position = 0
        while position < found.count, found.count < Self.mostSearched {
            found += neighbours(of: found[position], leading).filter { seen.insert($0).inserted }
            position += 1
        }
        steps -= found.count
        return found
    }

    /// The nodes that check the current value together with `target`. Alternatives to `target` are left out.
    mutating func nodesOfValue(beside target: Int) -> [Int] {
        let all = nodesOfValue()
        var sources: [Int: [Int]] = [:]
        for node in all {
            for next in neighbours(of: node, []) { sources[next, default: []].append(node) }
        }
        var leading: Set = [target]
        var open = [target]
        while let node = open.popLast() { open += (sources[node] ?? []).filter { leading.insert($0).inserted } }
        return nodesOfValue(leading: leading)
    }

    /// The nodes to which a node directly leads for the same value.
    private func neighbours(of node: Int, _ leading: Set<Int>) -> [Int] {
        program.nodes[node].assertions.flatMap { assertion -> [Int] in
            let alternatives = assertion.links.alternatives
            let chosen = alternatives.filter(leading.contains)
            return assertion.links.also + (chosen.isEmpty ? alternatives : chosen)
        }
    }

    // MARK: Nullable

    /// The reason why `nullable` doesn't allow null for the current value; nil if there is no such reason.
    mutating func remarkOnNullable(_ at: At) -> String? {
        guard program.resources[program.nodes[at.node].resource].dialect.hasNullable else { return nil }
        for index in nodesOfValue() {
            let schema = program.nodes[index].schema
            guard schema["nullable"]?.bool == true else { continue }
            if schema["$ref"] != nil { return #""nullable" has no effect next to "$ref""# }
            if schema["type"] == nil {
                let neighbour = ["allOf", "oneOf", "anyOf"].first { schema[$0] != nil }
                return neighbour.map { #""nullable" has no effect next to "\#($0)" without "type""# }
                    ?? #""nullable" has no effect without "type""#
            }
            if schema["enum"] != nil { return #""nullable" does not add null to "enum""# }
        }
        return nil
    }

    // MARK: Discriminators

    /// The result of a discriminator for a value.
    enum Discriminated: Equatable {
        /// No result, because there is no discriminator, the value is not an object, or the schemas have no names.
        case nothing
        /// The position of the schema that the value names.
        case schema(Int)
        /// The value names none of the schemas.
        case noSchema(expected: String, found: String)
    }

    /// The branch that the discriminator next to `oneOf` or `anyOf` names.
    func discriminated(_ schemas: [Int], _ value: JSONCursor, _ at: At) -> Discriminated {
        let node = program.nodes[at.node]
        guard program.resources[node.resource].dialect.isOpenAPI, value.kind == .object,
            let discriminator = node.schema["discriminator"], let property = discriminator["propertyName"]?.string
        else { return .nothing }
        let references = schemas.map { program.nodes[$0].schema["$ref"]?.string ?? "" }
        let mapping = discriminator["mapping"]?.members.compactMap { member in
            member.value.string.map { (name: member.name, target: $0) }
        }
        let stated = value.value[property]
        if let name = stated?.string {
            let target = mapping?.last { $0.name == name }?.target ?? name
            let position = references.firstIndex { !$0.isEmpty && ($0 == target || $0.lastName == target.lastName) }
            if let position { return .schema(position) }
        }
        let names = mapping.map { $0.map(\.name) } ?? references.map(\.lastName).filter { !$0.isEmpty }
        if names.isEmpty { return .nothing }
        let key = JSONStringText.quoted(property)
        let list = names.prefix(8).map { JSONStringText.quoted($0) }.joined(separator: ", ")
        return .noSchema(
            expected: "\(key) to name a schema: \(names.count > 1 ? "one of " : "")\(list)"
                + (names.count > 8 ? ", …" : ""),
            // A long name may be a secret, which is masked only if it is whole.
            found: stated.map { $0.range.count > 80 ? "another name" : $0.excerpt } ?? "no member \(key)")
    }
}

extension String {
    /// The name of the schema at the end of a reference.
    fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? "" }
}
