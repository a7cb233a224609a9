import ReqcliBasics

/// A list or mapping that is being read.
struct YAMLContainer {
    let anchor: Range<Int>?
    let index: Int
    /// The values of `YAMLAnchors.expanded` and `YAMLAnchors.deepest` when this container was opened.
    let expanded: Int
    let deepest: Int
}

extension YAMLReader {
    // MARK: Containers

    mutating func open(
        _ kind: JSONValue.Kind, at start: Int, _ properties: YAMLProperties
    ) throws(Stop) -> YAMLContainer {
        guard tree.depth < limits.depth else {
            throw stop(
                "the nesting is deeper than \(limits.depth) levels", start..<min(start + 1, end), code: .yamlDepth)
        }
        if let tag = properties.tag, ![.unspecific, .unknown, kind == .array ? .seq : .map].contains(tag.name) {
            report(
                "\(tag.description) can't be a \(kind == .array ? "list" : "mapping")", tag.range,
                hint: "remove the tag")
        }
        let container = YAMLContainer(
            anchor: properties.anchor, index: tree.end, expanded: anchors.expanded, deepest: anchors.deepest)
        setAnchor(
            properties,
            YAMLAnchor(kind: kind.rawValue, isOpen: true, start: UInt32(truncatingIfNeeded: container.index)))
        tree.open(kind, at: start)
        anchors.nodes += 1
        anchors.expanded += 1
        anchors.deepest = tree.depth
        return container
    }

    /// Closes a container at the end of the last text.
    mutating func close(_ container: YAMLContainer) {
        tree.close(at: lastEnd)
        if let name = container.anchor {
            completeAnchor(
                name, of: container.index, size: anchors.expanded - container.expanded,
                height: anchors.deepest - tree.depth)
        }
        anchors.deepest = max(anchors.deepest, container.deepest)
    }

    // MARK: Values

    /// Adds null for a value that is missing in the text.
    mutating func empty(at offset: Int, _ properties: YAMLProperties) {
        addScalar(YAMLNode(.empty, offset..<offset), properties)
    }

    mutating func add(_ node: YAMLNode, _ properties: YAMLProperties) throws(Stop) {
        lastEnd = node.range.upperBound
        switch node.style {
        case .alias(let anchor): addReference(anchor, at: node.range)
        case .invalid: tree.add(.invalid, node.range)
        default: addScalar(node, properties)
        }
    }

    private mutating func addScalar(_ node: YAMLNode, _ properties: YAMLProperties) {
        let (kind, decoded) = resolved(node, properties)
        tree.add(kind, node.range, decoded: decoded)
        anchors.nodes += 1
        anchors.expanded += 1
        setAnchor(properties, scalarAnchor(kind, node.range, decoded))
    }

    private func scalarAnchor(_ kind: JSONValue.Kind, _ range: Range<Int>, _ decoded: Range<Int>?) -> YAMLAnchor {
        var anchor = YAMLAnchor(kind: kind.rawValue, start: UInt32(range.lowerBound), end: UInt32(range.upperBound))
        if let decoded {
            (anchor.decodedStart, anchor.decodedEnd) = (UInt32(decoded.lowerBound), UInt32(decoded.upperBound))
        }
        return anchor
    }

    /// Adds the node that an alias refers to. If the tree would become too large or too deep to walk through, adds an invalid
    /// value instead.
    private mutating func addReference(_ anchor: YAMLAnchor, at range: Range<Int>) {
        anchors.nodes += 1
        anchors.expanded += Int(anchor.size)
        if anchors.firstExcess == nil, anchors.isExcess(nodes: anchors.nodes) { anchors.firstExcess = range }
        if tree.depth + Int(anchor.height) > limits.depth {
            report(
                "with this alias, the nesting is deeper than \(limits.depth) levels", range, code: .yamlDepth)
            return tree.add(.invalid, range)
        }
        // The tree is too large even if each remaining byte of the file were a value. This check limits every walk, even if a
        // caller ignores the problem.
        if anchors.isExcess(nodes: anchors.nodes + end - position) {
            reportExcess()
            anchors.expanded -= Int(anchor.size)
            return tree.add(.invalid, range)
        }
        anchors.deepest = max(anchors.deepest, tree.depth + Int(anchor.height))
        if let scalar = anchor.scalar {
            tree.add(scalar.kind, scalar.range, decoded: scalar.decoded)
        } else {
            tree.add(referenceTo: Int(anchor.start), at: range)
        }
    }

    /// Reports that a walk through the tree would take too long. The problem is reported only once.
    mutating func reportExcess() {
        guard let range = anchors.firstExcess, !anchors.isExcessReported else { return }
        anchors.isExcessReported = true
        report(
            "with this alias, the aliases expand the text to more than ten times its size", range,
            hint: "write fewer aliases to lists and mappings that contain aliases", code: .yamlAlias)
    }

    // MARK: Keys

    /// Adds a key. Its text is exactly as in the file, whatever type it would have as a value.
    mutating func add(
        key node: YAMLNode, _ properties: YAMLProperties, _ merging: inout YAMLMerging?
    ) throws(Stop) {
        switch node.style {
        case .alias(let anchor):
            guard let scalar = anchor.scalar else { throw collectionAsKey(node.range) }
            tree.add(key: scalar.range, decoded: scalar.kind == .string ? scalar.decoded : nil)
        case .invalid: tree.add(key: node.range)
        default:
            tree.add(key: node.range, decoded: node.decoded)
            if properties.isEmpty {
                try noteMerging(node, &merging)
            } else {
                let (kind, decoded) = resolved(node, properties)
                setAnchor(properties, scalarAnchor(kind, node.range, decoded))
            }
        }
    }

    private mutating func noteMerging(_ key: YAMLNode, _ merging: inout YAMLMerging?) throws(Stop) {
        guard key.style == .plain, key.range.count == 2, bytes[key.range].allSatisfy({ $0 == UInt8(ascii: "<") })
        else { return }
        if let first = merging {
            throw stop(
                "a mapping can have only one \"<<\", found a second one", key.range,
                hint: "write one \"<<\" with a list of aliases",
                related: ("the first one", first.key))
        }
        merging = YAMLMerging(key: key.range, value: tree.end)
    }

    /// Adds the members of the merged mappings. Members that the open mapping has itself are not added.
    mutating func merge(_ merging: YAMLMerging?, of container: YAMLContainer) throws(Stop) {
        guard let merging else { return }
        var members: [(key: Int, value: Int)] = []
        var names: [ArraySlice<UInt8>: Int] = [:]
        for value in tree.children(of: container.index) where value != merging.value {
            names[tree.name(value - 1)] = -1
            members.append((value - 1, value))
        }
        var sources: [Int] = []
        switch tree.kind(merging.value) {
        case .object: sources = [merging.value]
        case .array: sources = tree.children(of: merging.value)
        case .invalid: break
        default: reportMerging(merging)
        }
        for source in sources {
            guard tree.kind(source) == .object else {
                if tree.kind(source) != .invalid { reportMerging(merging) }
                continue
            }
            let first = members.count
            for value in tree.children(of: source) {
                let name = tree.name(value - 1)
                // If several merged mappings have a key, the value in the first mapping is used. If one mapping has a key twice,
                // the last value is used.
                if let known = names[name] {
                    if known >= first { members[known].value = value }
                } else {
                    names[name] = members.count
                    members.append((value - 1, value))
                }
            }
        }
        anchors.mergedMembers += members.count
        guard anchors.mergedMembers <= end / 4 + 100_000 else {
            throw stop("too many keys are merged", merging.key, code: .yamlAlias)
        }
        tree.replaceMembers(by: members, at: lastEnd)
    }

    private mutating func reportMerging(_ merging: YAMLMerging) {
        report("\"<<\" needs a mapping or a list of mappings", merging.key, hint: "put \"<<\" in quotes if it is a key")
    }
}

extension YAMLAnchor {
    /// The scalar with the anchor; nil if the anchor is on a container.
    var scalar: (kind: JSONValue.Kind, range: Range<Int>, decoded: Range<Int>?)? {
        guard let kind = JSONValue.Kind(rawValue: kind), kind != .object, kind != .array else { return nil }
        return (kind, Int(start)..<Int(end), decodedEnd == .max ? nil : Int(decodedStart)..<Int(decodedEnd))
    }
}
