import ReqcliBasics
package import ReqcliText

/// The form of the JSON values of one or many documents: types, members and formats, by path.
///
/// The elements of a list have one path, `[*]`, so they share one shape. A list without elements agrees with every list.
package struct JSONShape: Sendable {
    /// One path, as a child of the path above it.
    struct Node: Sendable {
        /// Nil for the root.
        let step: Step?
        let likeness: KeyLikeness
        var children: [Int] = []
        var types: Types = []
        /// The place of the first value of each type. `key` is the place of the first key. A place is a range in the document
        /// that contains the value.
        var places: [(type: Types, range: Range<Int>)] = []
        var key: Range<Int>?
        var formats = StringFormats.all
        var hasFractions = false
        /// The number of objects that have been seen at this path.
        var objectCount = 0
        /// The number of objects that have this member.
        var count = 0
        /// The number of the last object that has this member, so that a duplicate key counts once.
        var lastOwner = 0
        /// Whether the caller says that the objects at this path are maps.
        var isMap = false
    }

    enum Step: Hashable, Sendable {
        case member(MemberName)
        case elements
    }

    private struct Edge: Hashable {
        let parent: Int
        let step: Step
    }

    /// All nodes, the root first.
    private(set) var nodes = [Node(step: nil, likeness: .none)]
    private var edges: [Edge: Int] = [:]

    package init() {}

    package init(of root: JSONValue, ignoring ignored: [JSONValue] = [], maps: [JSONValue] = []) {
        add(root, ignoring: ignored, maps: maps)
    }

    /// Adds a document. The function uses a list of open containers instead of recursion.
    ///
    /// - Parameters:
    ///   - ignored: Values that are left out, as if they didn't exist.
    ///   - unknown: Values that exist, but whose types and contents are not known.
    ///   - maps: Objects whose keys are data, so that all their values share one shape.
    package mutating func add(
        _ root: JSONValue, ignoring ignored: [JSONValue] = [], unknown: [JSONValue] = [], maps: [JSONValue] = []
    ) {
        let ignored = Set(ignored.map(\.range.lowerBound))
        let unknown = Set(unknown.map(\.range.lowerBound))
        let maps = Set(maps.map(\.range.lowerBound))
        if ignored.contains(root.range.lowerBound) { return }
        var open: [Container] = []
        func enter(_ value: JSONValue, _ node: Int) {
            if unknown.contains(value.range.lowerBound) { return }
            note(value, at: node)
            guard value.count > 0 else { return }
            if maps.contains(value.range.lowerBound) { nodes[node].isMap = true }
            open.append(Container(value, node: node))
        }
        enter(root, 0)
        while let last = open.indices.last {
            guard let (key, value) = open[last].next() else {
                open.removeLast()
                continue
            }
            if ignored.contains(value.range.lowerBound) { continue }
            let parent = open[last].node
            let node = child(key, of: parent, expected: open[last].position)
            if let key { count(key, at: node, in: parent) }
            enter(value, node)
        }
    }

    private mutating func note(_ value: JSONValue, at node: Int) {
        let type = Types(value.kind)
        if !nodes[node].types.contains(type) {
            nodes[node].types.insert(type)
            nodes[node].places.append((type, value.range))
        }
        switch value.kind {
        case .object: nodes[node].objectCount += 1
        case .string where !nodes[node].formats.isEmpty:
            nodes[node].formats.formIntersection(StringFormats(value.string ?? ""))
        case .number where !nodes[node].hasFractions:
            nodes[node].hasFractions = value.numberText.utf8.contains { !$0.isDigit && $0 != .minus }
        default: break
        }
    }

    private mutating func count(_ key: JSONValue, at node: Int, in parent: Int) {
        // A duplicate key counts once.
        guard nodes[node].lastOwner != nodes[parent].objectCount else { return }
        nodes[node].lastOwner = nodes[parent].objectCount
        nodes[node].count += 1
        if nodes[node].key == nil { nodes[node].key = key.range }
    }

    /// The node for a key or for elements below a node. Makes it if it doesn't exist yet.
    ///
    /// - Parameter position: The position of the member in its object. Most objects have their members in the same order, so that
    ///   the name is usually found at this position without hashing.
    private mutating func child(_ key: JSONValue?, of parent: Int, expected position: Int) -> Int {
        let children = nodes[parent].children
        if let key {
            if position < children.count, case .member(let name) = nodes[children[position]].step, key.equals(name.text)
            {
                return children[position]
            }
        } else if let first = children.first, nodes[first].step == .elements {
            return first
        }
        let step = key.map { Step.member(MemberName($0.string ?? "")) } ?? .elements
        let edge = Edge(parent: parent, step: step)
        if let known = edges[edge] { return known }
        nodes.append(Node(step: step, likeness: key.map { KeyLikeness($0.string ?? "") } ?? .none))
        nodes[parent].children.append(nodes.count - 1)
        edges[edge] = nodes.count - 1
        return nodes.count - 1
    }

    /// An object or a list that is being read.
    private struct Container {
        let node: Int
        /// The position of the last member or element.
        private(set) var position = -1
        private let isObject: Bool
        private var members: JSONValue.Members
        private var elements: JSONValue.Elements

        init(_ value: JSONValue, node: Int) {
            self.node = node
            isObject = value.kind == .object
            members = value.members
            elements = value.elements
        }

        mutating func next() -> (key: JSONValue?, value: JSONValue)? {
            position += 1
            if isObject { return members.next().map { ($0.key, $0.value) } }
            return elements.next().map { (nil, $0) }
        }
    }
}

extension JSONShape {
    /// The types of the values at one path.
    package struct Types: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package static let object = Types(.object)
        static let list = Types(.array)
        static let string = Types(.string)
        static let number = Types(.number)
        static let boolean = Types(.true)
        package static let null = Types(.null)

        static let names: [(type: Types, name: String, inSchema: String)] = [
            (.object, "object", "object"), (.list, "list", "array"), (.string, "string", "string"),
            (.number, "number", "number"), (.boolean, "boolean", "boolean"), (.null, "null", "null"),
        ]

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ kind: JSONValue.Kind) {
            switch kind {
            case .object: self.init(rawValue: 1)
            case .array: self.init(rawValue: 2)
            case .string: self.init(rawValue: 4)
            case .number: self.init(rawValue: 8)
            case .true, .false: self.init(rawValue: 16)
            case .null, .invalid: self.init(rawValue: 32)
            }
        }

        /// The types as text, such as `string or null`.
        package var text: String {
            Self.names.filter { contains($0.type) }.map(\.name).joined(separator: " or ")
        }
    }
}
