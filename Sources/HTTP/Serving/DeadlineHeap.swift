/// The connections, ordered by the time at which their deadlines must be checked.
///
/// With each request, nearly all deadlines move to a later time. A later deadline is only noted in the connection. The heap
/// checks the deadline again when the earlier time has passed.
struct DeadlineHeap {
    private var items: [Connection] = []

    /// The earliest time at which `due(at:)` may return a connection.
    var next: Milliseconds? { items.first?.wakeTime }

    mutating func insert(_ connection: Connection) {
        connection.wakeTime = connection.deadline
        connection.heapIndex = items.count
        items.append(connection)
        siftUp(items.count - 1)
    }

    mutating func remove(_ connection: Connection) {
        let index = connection.heapIndex
        guard index >= 0, let last = items.popLast() else { return }
        connection.heapIndex = -1
        guard index < items.count else { return }
        place(last, at: index)
        siftDown(index)
        siftUp(index)
    }

    /// Moves a connection whose deadline has become earlier. Does nothing if the deadline has become later.
    mutating func update(_ connection: Connection) {
        guard connection.deadline < connection.wakeTime else { return }
        connection.wakeTime = connection.deadline
        siftUp(connection.heapIndex)
    }

    /// A connection whose deadline has passed. The connection stays in the heap, so the caller must set a later deadline before
    /// it calls this function again.
    mutating func due(at now: Milliseconds) -> Connection? {
        while let first = items.first, first.wakeTime <= now {
            if first.deadline <= now { return first }
            first.wakeTime = first.deadline
            siftDown(0)
        }
        return nil
    }

    private mutating func place(_ connection: Connection, at index: Int) {
        items[index] = connection
        connection.heapIndex = index
    }

    private mutating func siftUp(_ start: Int) {
        let item = items[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard item.wakeTime < items[parent].wakeTime else { break }
            place(items[parent], at: index)
            index = parent
        }
        place(item, at: index)
    }

    private mutating func siftDown(_ start: Int) {
        let item = items[start]
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].wakeTime < items[child].wakeTime { child += 1 }
            guard items[child].wakeTime < item.wakeTime else { break }
            place(items[child], at: index)
            index = child
        }
        place(item, at: index)
    }
}
