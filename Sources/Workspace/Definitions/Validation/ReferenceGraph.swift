import ReqcliText

/// Names that refer to each other, such as endpoints and their needs.
struct ReferenceGraph {
    private let names: [String]
    private let references: [[Located<String>]]
    private let next: [[Int]]
    /// A number for each name. Names that can reach each other have the same number.
    private var knots: [Int]
    /// The longest path from each name: the number of names on this path, and its second name.
    private var heights: [(count: Int, next: Int?)]

    init(_ references: [(name: String, to: [Located<String>])]) {
        let names = references.map(\.name)
        let indices = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        self.names = names
        self.references = references.map(\.to)
        next = references.map { $0.to.compactMap { indices[$0.value] } }
        knots = Array(names.indices)
        heights = Array(repeating: (0, nil), count: names.count)
        walk()
    }

    /// A cycle of names. The first name is repeated at the end.
    struct Cycle {
        let names: [String]
        /// The place where the first name refers to the second.
        let place: Place?
    }

    /// The shortest cycle for each group of names that lead back to each other. Each cycle goes through the first name of its
    /// group. The cycles are in the order of the names. The time is linear in the number of names and references.
    func cycles() -> [Cycle] {
        var isReported: Set<Int> = []
        return names.indices.compactMap { start in
            guard isReported.insert(knots[start]).inserted, let way = shortestWay(around: start) else { return nil }
            return Cycle(names: way.map { names[$0] }, place: place(of: way[0], way[1]))
        }
    }

    /// The chains that are too long. Each chain begins with a name whose longest path has exactly one name more than allowed, so
    /// a name that leads to such a chain is not reported again. `description` is the chain as messages show it, `a → b → … → z`,
    /// and `place` is the place of its first reference. References within a cycle are not counted.
    func chains(longerThan most: Int) -> [(description: String, place: Place?)] {
        names.indices.filter { heights[$0].count == most + 1 }.compactMap { start in
            guard let second = heights[start].next else { return nil }
            var last = second
            while let next = heights[last].next { last = next }
            return ("\(names[start]) → \(names[second]) → … → \(names[last])", place(of: start, second))
        }
    }

    /// The names, sorted so that each name follows the names to which it refers. Only names in a cycle can't be sorted in this
    /// way.
    var basesFirst: [String] {
        names.indices.sorted { (heights[$0].count, $0) < (heights[$1].count, $1) }.map { names[$0] }
    }

    private func place(of start: Int, _ target: Int) -> Place? {
        references[start].first { $0.value == names[target] }?.place
    }

    /// Finds the knots (Tarjan's strongly connected components) and heights. The walk uses no recursion, because the depth of the
    /// recursion would depend on the files.
    private mutating func walk() {
        var order = [Int?](repeating: nil, count: next.count)
        var lowest = [Int](repeating: 0, count: next.count)
        var isOpen = [Bool](repeating: false, count: next.count)
        var open: [Int] = []
        var count = 0
        for root in next.indices where order[root] == nil {
            var path = [(node: root, step: 0)]
            while let (node, step) = path.last {
                if step == 0 {
                    order[node] = count
                    lowest[node] = count
                    count += 1
                    open.append(node)
                    isOpen[node] = true
                }
                guard step < next[node].count else {
                    path.removeLast()
                    let highest = next[node].max { heights[$0].count < heights[$1].count }
                    let below = highest.map { heights[$0].count } ?? 0
                    heights[node] = (below + 1, below > 0 ? highest : nil)
                    if let parent = path.last { lowest[parent.node] = min(lowest[parent.node], lowest[node]) }
                    if lowest[node] == order[node] {
                        while let member = open.popLast() {
                            knots[member] = node
                            isOpen[member] = false
                            if member == node { break }
                        }
                    }
                    continue
                }
                path[path.count - 1].step += 1
                let following = next[node][step]
                if let seen = order[following] {
                    if isOpen[following] { lowest[node] = min(lowest[node], seen) }
                } else {
                    path.append((following, 0))
                }
            }
        }
    }

    /// Searches breadth first, so no other cycle is shorter than the first cycle that is found.
    private func shortestWay(around start: Int) -> [Int]? {
        var cameFrom: [Int: Int] = [:]
        var queue = [start]
        var head = 0
        while head < queue.count {
            let node = queue[head]
            head += 1
            for following in next[node] where knots[following] == knots[start] {
                if following == start {
                    var way = [start, node]
                    while let last = way.last, last != start, let before = cameFrom[last] { way.append(before) }
                    return way.reversed()
                }
                if cameFrom[following] == nil {
                    cameFrom[following] = node
                    queue.append(following)
                }
            }
        }
        return nil
    }
}

extension Diagnostic {
    /// The problem of names that refer to each other in a cycle.
    ///
    /// - Parameters:
    ///   - what: What refers to each other, as a clause.
    ///   - names: The names in the cycle, with the first name repeated at the end.
    static func cycle(
        _ code: Code, _ what: String, _ names: [String], at place: Place?, hint: String? = nil
    ) -> Diagnostic {
        Diagnostic(code: code, "\(what) in a cycle: \(names.joined(separator: " → "))", at: place, hint: hint)
    }
}
