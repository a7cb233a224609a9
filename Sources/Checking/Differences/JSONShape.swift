import JSONPath
import SourceText

/// The types of the values in a JSON document, by path. The elements of a list have one path, `[*]`, and so one shape together.
struct JSONShape {
    /// The types that were met at one path.
    struct Types: OptionSet, Hashable {
        let rawValue: UInt8

        static let names = ["object", "list", "string", "number", "boolean", "null"]

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ kind: JSONValue.Kind) {
            let index =
                switch kind {
                case .object: 0
                case .array: 1
                case .string: 2
                case .number: 3
                case .true, .false: 4
                case .null, .invalid: 5
                }
            self.init(rawValue: 1 << index)
        }

        static let object = Types(.object)

        /// `string or null`
        var text: String {
            Self.names.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element).joined(separator: " or ")
        }
    }

    fileprivate enum Step: Hashable {
        case member(MemberName)
        case elements
    }

    fileprivate struct Node {
        let step: Step?
        var types: Types = []
        var children: [Int] = []
    }

    private struct Edge: Hashable {
        let parent: Int
        let step: Step
    }

    /// The root first.
    fileprivate private(set) var nodes = [Node(step: nil)]
    private var edges: [Edge: Int] = [:]

    /// Reads the types of a document. A list of open containers takes the place of recursion.
    init(of root: JSONValue, ignoring ignored: [JSONValue] = []) {
        let ignored = Set(ignored.map(\.range.lowerBound))
        if ignored.contains(root.range.lowerBound) { return }
        nodes[0].types = Types(root.kind)
        var open = [Container(root, node: 0)]
        while var container = open.popLast() {
            guard let (step, value) = container.next() else { continue }
            open.append(container)
            if ignored.contains(value.range.lowerBound) { continue }
            let node = makeChild(step, of: container.node)
            nodes[node].types.insert(Types(value.kind))
            open.append(Container(value, node: node))
        }
    }

    private mutating func makeChild(_ step: Step, of parent: Int) -> Int {
        let edge = Edge(parent: parent, step: step)
        if let known = edges[edge] { return known }
        nodes.append(Node(step: step))
        nodes[parent].children.append(nodes.count - 1)
        edges[edge] = nodes.count - 1
        return nodes.count - 1
    }

    fileprivate func child(_ step: Step, of parent: Int) -> Int? { edges[Edge(parent: parent, step: step)] }

    /// An object or a list that is being read.
    private struct Container {
        let node: Int
        private var members: JSONValue.Members
        private var elements: JSONValue.Elements

        init(_ value: JSONValue, node: Int) {
            self.node = node
            members = value.members
            elements = value.elements
        }

        mutating func next() -> (Step, JSONValue)? {
            if let member = members.next() { return (.member(MemberName(member.name)), member.value) }
            return elements.next().map { (.elements, $0) }
        }
    }
}

extension JSONShape {
    /// A path at which two documents have values of different types; nil where one of them has nothing there.
    struct Difference: Equatable {
        let path: String
        let one: Types?
        let other: Types?
    }

    /// The differences between two shapes, in the order of the first document. A list without elements agrees with any list.
    static func differences(_ one: JSONShape, _ other: JSONShape) -> [Difference] {
        var result: [Difference] = []
        var open = [(path: "$", one: 0, other: 0)]
        while let (path, left, right) = open.popLast() {
            let (mine, others) = (one.nodes[left], other.nodes[right])
            if mine.types != others.types {
                result.append(Difference(path: path, one: mine.types, other: others.types))
            }
            var pairs: [(path: String, one: Int, other: Int)] = []
            for (step, child) in one.children(of: left) {
                if let partner = other.child(step, of: right) {
                    pairs.append((step.path(below: path), child, partner))
                } else if case .member = step, others.types.contains(.object) {
                    result.append(Difference(path: step.path(below: path), one: one.nodes[child].types, other: nil))
                }
            }
            for (step, child) in other.children(of: right) where one.child(step, of: left) == nil {
                guard case .member = step, mine.types.contains(.object) else { continue }
                result.append(Difference(path: step.path(below: path), one: nil, other: other.nodes[child].types))
            }
            open += pairs.reversed()
        }
        return result
    }

    private func children(of node: Int) -> [(step: Step, node: Int)] {
        nodes[node].children.compactMap { child in nodes[child].step.map { ($0, child) } }
    }
}

extension JSONShape.Step {
    fileprivate func path(below path: String) -> String {
        switch self {
        case .member(let name): path + JSONPath.short([.key(name.text)]).dropFirst()
        case .elements: path + "[*]"
        }
    }
}
