import ReqcliJSONPath
import ReqcliText

/// A comparison of two shapes, path by path.
package struct ShapeComparison {
    /// One path of either shape. If only one shape has a path, the paths below it are not listed.
    package struct Pair {
        package let one: ShapePart?
        package let other: ShapePart?
        let step: PathStep?
        /// The index of the pair for the path above this path; nil for the root.
        let parent: Int?
    }

    /// A step of a path. All members of a map share one path.
    enum PathStep: Hashable {
        case member(MemberName)
        case elements
        case mapValues
    }

    /// The pairs in the order of the first shape. Among the members of one path, the members that only one shape has are first.
    package private(set) var pairs: [Pair] = []

    /// Compares two shapes. A path is listed if both shapes have it. The path of a member that only one shape has is also listed,
    /// if both shapes have the object around the member.
    package init(_ one: JSONShape, _ other: JSONShape) {
        var open = [Pair(one: ShapePart(one, [0]), other: ShapePart(other, [0]), step: nil, parent: nil)]
        while let pair = open.popLast() {
            pairs.append(pair)
            guard let mine = pair.one, let others = pair.other else { continue }
            var shared: [Pair] = []
            for each in Self.children(mine, others, of: pairs.count - 1) {
                if each.one == nil || each.other == nil { pairs.append(each) } else { shared.append(each) }
            }
            open += shared.reversed()
        }
    }

    private static func children(_ one: ShapePart, _ other: ShapePart, of parent: Int) -> [Pair] {
        var pairs: [Pair] = []
        func add(_ mine: ShapePart?, _ others: ShapePart?, _ step: PathStep) {
            pairs.append(Pair(one: mine, other: others, step: step, parent: parent))
        }
        let isMap = one.isMap || other.isMap || one.couldBeMap && other.couldBeMap
        let (mine, others) = (one.children(isMap: isMap), other.children(isMap: isMap))
        for (step, part) in mine.list {
            if let partner = others.table[step] {
                add(part, partner, step)
            } else if case .member = step, other.types.contains(.object) {
                add(part, nil, step)
            }
        }
        for (step, part) in others.list where mine.table[step] == nil {
            if case .member = step, one.types.contains(.object) { add(nil, part, step) }
        }
        return pairs
    }

    /// The steps from the root to a pair.
    func steps(of pair: Pair) -> [PathStep] {
        var steps: [PathStep] = []
        var current = pair
        while let step = current.step, let parent = current.parent {
            steps.append(step)
            current = pairs[parent]
        }
        return steps.reversed()
    }

    /// The path as text: `$.orders[*].sum`, `$.prices.*`.
    package func path(of pair: Pair) -> String {
        steps(of: pair).reduce(into: "$") { path, step in
            switch step {
            case .member(let name): path += JSONPath.short(CollectionOfOne(.key(name.text))).dropFirst()
            case .elements: path += "[*]"
            case .mapValues: path += ".*"
            }
        }
    }
}

/// The part of a shape at one path. It has several nodes if the members of a map count as one.
package struct ShapePart {
    private let shape: JSONShape
    private let nodes: [Int]
    package let types: JSONShape.Types

    init(_ shape: JSONShape, _ nodes: [Int]) {
        self.shape = shape
        self.nodes = nodes
        types = nodes.reduce(into: []) { $0.formUnion(shape.nodes[$1].types) }
    }

    private func all<Value>(_ value: (JSONShape.Node) -> Value) -> [Value] { nodes.map { value(shape.nodes[$0]) } }

    /// The formats that all strings have.
    var formats: StringFormats {
        types.contains(.string) ? all(\.formats).reduce(.all) { $0.intersection($1) } : []
    }

    var hasFractions: Bool { all(\.hasFractions).contains(true) }
    var objectCount: Int { all(\.objectCount).reduce(0, +) }
    /// The number of objects that have this member.
    var count: Int { all(\.count).reduce(0, +) }
    var key: Range<Int>? { all(\.key).first ?? nil }
    var isMap: Bool { all(\.isMap).contains(true) }
    var couldBeMap: Bool {
        KeyLikeness.areOfMap(members.lazy.map { shape.nodes[$0].likeness })
    }

    /// The place of the first value of one of these types.
    func place(of types: JSONShape.Types) -> Range<Int>? {
        all(\.places).joined().first { types.contains($0.type) }?.range
    }

    private var members: [Int] {
        all(\.children).joined().filter { shape.nodes[$0].step != .elements }
    }

    typealias Children = (
        list: [(step: ShapeComparison.PathStep, part: ShapePart)], table: [ShapeComparison.PathStep: ShapePart]
    )

    /// The children in the order in which they were first seen.
    func children(isMap: Bool) -> Children {
        var order: [ShapeComparison.PathStep] = []
        var nodes: [ShapeComparison.PathStep: [Int]] = [:]
        for child in all(\.children).joined() {
            let step: ShapeComparison.PathStep
            switch shape.nodes[child].step {
            case .member(let name): step = isMap ? .mapValues : .member(name)
            case .elements: step = .elements
            case nil: continue
            }
            if nodes[step] == nil { order.append(step) }
            nodes[step, default: []].append(child)
        }
        let table = nodes.mapValues { ShapePart(shape, $0) }
        return (order.compactMap { step in table[step].map { (step, $0) } }, table)
    }
}
