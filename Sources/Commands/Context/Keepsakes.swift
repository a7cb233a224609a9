import Synchronization

/// Values that stay as long as the context does, which is as long as the process: to take a plan of a thousand cases apart,
/// when all is said and the process about to end, takes a tenth of the time of the run.
final class Keepsakes: Sendable {
    private let values = Mutex<[any Sendable]>([])

    func keep(_ value: any Sendable) { values.withLock { $0.append(value) } }
}

extension Context {
    func keepUntilTheEnd(_ value: any Sendable) { keepsakes.keep(value) }
}
