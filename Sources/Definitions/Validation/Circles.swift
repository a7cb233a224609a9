/// Finds cycles in a graph of names.
enum Circles {
    /// For each group of names that lead back to each other, the shortest cycle through its first name, with that name
    /// at both ends. In the order of `names`. Takes time linear in the number of names and steps.
    static func find(in names: [String], steps: (String) -> [String]) -> [[String]] {
        let graph = Graph(names, steps)
        let knots = graph.knots()
        var isTold: Set<Int> = []
        return names.indices.compactMap { start in
            let knot = knots[start]
            guard isTold.insert(knot).inserted else { return nil }
            return graph.shortestWay(around: start, staying: { knots[$0] == knot })?.map { names[$0] }
        }
    }
}

/// Finds paths in a graph of names that are too long.
package enum Chains {
    /// A path through the graph that is longer than allowed.
    package struct TooLong {
        let first: String
        let second: String
        let last: String

        /// The path in messages: `a → b → … → z`.
        package var description: String { "\(first) → \(second) → … → \(last)" }
    }

    /// The names whose longest path has exactly one name more than allowed, with that path. Names that lead to them are
    /// not reported again. Steps within a cycle don't count.
    static func find(longerThan most: Int, in names: [String], steps: (String) -> [String]) -> [TooLong] {
        guard names.count > most else { return [] }
        let graph = Graph(names, steps)
        let heights = graph.heights()
        return names.indices.filter { heights[$0].count == most + 1 }.compactMap { start in
            guard let second = heights[start].next else { return nil }
            var last = second
            while let next = heights[last].next { last = next }
            return TooLong(first: names[start], second: names[second], last: names[last])
        }
    }

    /// The names in an order in which each one comes after the names it leads to, apart from cycles.
    static func basesFirst(_ names: [String], steps: (String) -> [String]) -> [String] {
        let heights = Graph(names, steps).heights()
        return names.indices.sorted { (heights[$0].count, $0) < (heights[$1].count, $1) }.map { names[$0] }
    }
}

private struct Graph {
    private let next: [[Int]]

    init(_ names: [String], _ steps: (String) -> [String]) {
        let indices = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        next = names.map { steps($0).compactMap { indices[$0] } }
    }

    /// A number for each name, equal for names that can reach each other: Tarjan's strongly connected components.
    /// Without recursion, because its depth would depend on the files.
    func knots() -> [Int] {
        var order = [Int?](repeating: nil, count: next.count)
        var lowest = [Int](repeating: 0, count: next.count)
        var knot = [Int?](repeating: nil, count: next.count)
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
                }
                guard step < next[node].count else {
                    path.removeLast()
                    if let parent = path.last { lowest[parent.node] = min(lowest[parent.node], lowest[node]) }
                    if lowest[node] == order[node] {
                        while let member = open.popLast() {
                            knot[member] = node
                            if member == node { break }
                        }
                    }
                    continue
                }
                path[path.count - 1].step += 1
                let following = next[node][step]
                if let seen = order[following] {
                    if knot[following] == nil { lowest[node] = min(lowest[node], seen) }
                } else {
                    path.append((following, 0))
                }
            }
        }
        return knot.enumerated().map { $1 ?? $0 }
    }

    /// For each name, the number of names on the longest path from it, and the second name on it. Without recursion
    /// too.
    func heights() -> [(count: Int, next: Int?)] {
        var heights = [(count: Int, next: Int?)](repeating: (0, nil), count: next.count)
        var isOpen = [Bool](repeating: false, count: next.count)
        for root in next.indices where heights[root].count == 0 {
            var path = [(node: root, step: 0)]
            isOpen[root] = true
            while let (node, step) = path.last {
                guard step < next[node].count else {
                    path.removeLast()
                    isOpen[node] = false
                    let highest = next[node].max { heights[$0].count < heights[$1].count }
                    let below = highest.map { heights[$0].count } ?? 0
                    heights[node] = (below + 1, below > 0 ? highest : nil)
                    continue
                }
                path[path.count - 1].step += 1
                let following = next[node][step]
                if heights[following].count == 0, !isOpen[following] {
                    isOpen[following] = true
                    path.append((following, 0))
                }
            }
        }
        return heights
    }

    /// Searches breadth first, so the first cycle found is a shortest one.
    func shortestWay(around start: Int, staying isInside: (Int) -> Bool) -> [Int]? {
        var cameFrom: [Int: Int] = [:]
        var queue = [start]
        var head = 0
        while head < queue.count {
            let node = queue[head]
            head += 1
            for following in next[node] where isInside(following) {
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
