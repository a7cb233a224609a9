import CReqcliSystem
import Glibc

extension WorldClock {
    private static let start = ContinuousClock.now

    package static let live = WorldClock(
        date: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        },
        elapsed: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) },
        isSynchronized: {
            var state = timex()
            return adjtimex(&state) != TIME_ERROR
        })
}
