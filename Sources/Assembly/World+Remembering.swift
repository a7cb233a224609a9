import Synchronization

extension World {
    /// The same world, in which each program is run once and each permission asked for once: for a run of many requests that
    /// have their secrets in common.
    package func remembering() -> World {
        let outcomes = Remembered<[String], ProgramOutcome>()
        let permissions = Remembered<TrustRequest, TrustPermission>()
        var world = self
        world.run = { [run] arguments, folder, timeout in
            outcomes.value(for: [folder] + arguments) { run(arguments, folder, timeout) }
        }
        world.permits = { [permits] request, workspace in
            permissions.value(for: request) { permits(request, workspace) }
        }
        return world
    }
}

/// Values that are made once; whoever asks meanwhile waits.
private final class Remembered<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let values = Mutex<[Key: Value]>([:])

    func value(for key: Key, make: () -> Value) -> Value {
        values.withLock { values in
            if let known = values[key] { return known }
            let made = make()
            values[key] = made
            return made
        }
    }
}
