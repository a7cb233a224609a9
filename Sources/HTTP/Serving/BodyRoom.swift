import ReqcliBasics

/// The memory that large bodies share: many that come at the same time would take more than there is.
final class BodyRoom: Sendable {
    private let used = Mutex(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// What one body takes of it, until nobody has the body any longer.
    final class Share: Sendable {
        private let room: BodyRoom
        private let size = Mutex(0)

        init(of room: BodyRoom) { self.room = room }

        deinit {
            let size = size.withLock { $0 }
            room.used.withLock { $0 -= size }
        }

        /// Returns whether there is room for this many bytes in all.
        func grow(to count: Int) -> Bool {
            size.withLock { size in
                let more = count - size
                let fits = room.used.withLock { used in
                    guard used + more <= room.limit else { return false }
                    used += more
                    return true
                }
                if fits { size = count }
                return fits
            }
        }
    }
}
