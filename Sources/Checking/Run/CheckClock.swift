#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Time as a run sees it; a test stands still or jumps.
package struct CheckClock: Sendable {
    /// Since some moment, always forward.
    package var now: @Sendable () -> Duration
    /// Seconds since 1970.
    package var date: @Sendable () -> Int
    /// Throws if the task is cancelled.
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
