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
