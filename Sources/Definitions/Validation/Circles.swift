/// Finds the circles in a graph of names.
enum Circles {
    /// For each knot of names that lead back to each other the shortest way from its first name around to itself, that
    /// name at both ends. In the order of `names`; the work grows with the number of names and steps.
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

/// Finds the chains in a graph of names that are too long.
package enum Chains {
    /// A way through a graph that is longer than allowed.
    package struct TooLong {
        let first: String
        let second: String
        let last: String

        /// `a → b → … → z`
        package var description: String { "\(first) → \(second) → … → \(last)" }
    }

    /// The names from which the longest way has one name more than allowed, with that way: what leads to one of them
    /// isn't a second mistake. A step back into a circle counts as no step.
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

    /// The names in an order in which each comes after those that it leads to, apart from circles.
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

    /// A number for each name, the same for those that can reach each other: Tarjan's strongly connected components,
    /// without recursion, since how deep it would go is up to the files.
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

    /// For each name how many names the longest way from it has, and the second of them. Without recursion, too.
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

    /// Breadth first, so the first way found is a shortest one.
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
