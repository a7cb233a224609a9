/// Limits the number of parallel requests. They get their turn in order.
actor Slots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func using<Value: Sendable>(_ work: @Sendable () async -> Value) async -> Value {
        await take()
        let value = await work()
        await giveBack()
        return value
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
