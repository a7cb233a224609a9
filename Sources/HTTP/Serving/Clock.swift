import Glibc
import ReqcliBasics

/// A point in time, on a clock that never goes back.
typealias Milliseconds = Int64

/// The clock of a loop. A test can set the time itself, and then wakes the loop with `EventLoop.run`.
package struct LoopClock: Sendable {
    /// Returns the time in milliseconds since some fixed point.
    let now: @Sendable () -> Int64

    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    package static let monotonic = LoopClock {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
    }
}

extension Milliseconds {
    /// Rounds a duration up to whole milliseconds. The result is at most a year, so that sums of times don't overflow.
    init(_ duration: Duration) {
        let year: Int64 = 365 * 86_400
        let (seconds, attoseconds) = duration.components
        guard seconds < year else {
            self = year * 1000
            return
        }
        self = Swift.max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

/// The line `Date: …`, which is written once a second.
struct DateLine {
    private var second: time_t = -1
    private(set) var bytes: [UInt8] = []

    mutating func update(to now: time_t = time(nil)) {
        guard now != second else { return }
        second = now
        var (now, parts) = (now, tm())
        gmtime_r(&now, &parts)
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = Self.days[Int(parts.tm_wday) % 7]
        let month = Self.months[Int(parts.tm_mon) % 12]
        let clock = "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
        bytes = Array("Date: \(day), \(digits(parts.tm_mday)) \(month) \(1900 + parts.tm_year) \(clock) GMT\r\n".utf8)
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
