#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The time for a run. A test can stop it or let it jump.
package struct CheckClock: Sendable {
    /// A monotonic time.
    package var now: @Sendable () -> Duration
    /// The date, in seconds since 1970.
    package var date: @Sendable () -> Int
    /// Waits. Throws if the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> Int,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.date = date
        self.sleep = sleep
    }

    package static let live: CheckClock = {
        let start = ContinuousClock.now
        return CheckClock(
            now: { start.duration(to: .now) }, date: { time(nil) }, sleep: { try await Task.sleep(for: $0) })
    }()
}
