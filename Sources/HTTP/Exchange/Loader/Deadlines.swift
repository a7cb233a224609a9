#if os(Linux)
/// The times at which an engine looks at its transfers: a heap, so that the first time is found without a look at the others.
struct Deadlines {
    struct Entry: Equatable {
        let time: Int64
        let id: Engine.ID
    }

    private var heap: [Entry] = []

    var count: Int { heap.count }

    /// The earliest time; `max` if there is none.
    var first: Int64 { heap.first?.time ?? .max }

    mutating func add(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, entry.time < heap[(child - 1) / 2].time {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes the first entry if its time has come, and returns it.
    mutating func takeFirst(at now: Int64) -> Entry? {
        guard let first = heap.first, first.time <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(0)
        return first
    }

    mutating func keep(only isNeeded: (Entry) -> Bool) {
        heap.removeAll { !isNeeded($0) }
        for parent in (0..<heap.count / 2).reversed() { sink(parent) }
    }

    /// Moves an entry away from the root until both entries below it are later.
    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            let children = (2 * parent + 1..<2 * parent + 3).clamped(to: heap.indices)
            guard let least = children.min(by: { heap[$0].time < heap[$1].time }), heap[least].time < heap[parent].time
            else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
#endif
