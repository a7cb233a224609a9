import ReqcliBasics

/// The limited memory that large bodies share. Without a limit, many bodies at the same time could need more memory than the
/// machine has.
final class BodyRoom: Sendable {
    private let used = Mutex(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// The part of the shared memory that one body uses. The memory is free again when the share is released.
    final class Share: Sendable {
        private let room: BodyRoom
        private let size = Mutex(0)

        init(of room: BodyRoom) { self.room = room }

        deinit {
            let size = size.withLock { $0 }
            room.used.withLock { $0 -= size }
        }

        /// Grows the share to a total of this many bytes. Returns false if there isn't enough room.
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
