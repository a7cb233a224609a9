/// Counts of times in buckets, in whole microseconds, so that adding two histograms loses nothing.
///
/// Each octave has a fixed number of buckets: with 256, they are at most 0.4 % wide. Short times have a bucket for each microsecond. The
/// last bucket also has all times above 71 minutes.
package struct Histogram: Sendable, Equatable {
    /// The number of buckets of an octave is two to this power.
    private let bits: Int
    package private(set) var counts: [UInt64] = []
    package private(set) var count: UInt64 = 0
    /// The sum of all times, in microseconds.
    package private(set) var sum: UInt64 = 0
    /// The longest time, in microseconds.
    package private(set) var longest: UInt64 = 0

    /// A histogram with 256 buckets an octave.
    package init() { bits = 8 }

    /// A histogram with 16 buckets an octave. Each of them consists of whole buckets of the finer kind.
    package static let coarse = Histogram(bits: 4)

    private init(bits: Int) { self.bits = bits }

    /// A histogram from a report: pairs of the longest time of a bucket and its count.
    init(isCoarse: Bool, buckets: [(edge: UInt64, count: UInt64)], sum: UInt64, longest: UInt64) {
        bits = isCoarse ? 4 : 8
        for (edge, count) in buckets {
            let index = bucket(of: edge)
            if index >= counts.count { counts += Array(repeating: 0, count: index + 1 - counts.count) }
            counts[index] += count
            self.count += count
        }
        (self.sum, self.longest) = (sum, longest)
    }

    private static let longestBucket: UInt64 = 1 << 32 - 1

    /// The index of the bucket of a time in microseconds.
    package func bucket(of time: UInt64) -> Int {
        let time = min(time, Self.longestBucket)
        if time < 2 << bits { return Int(time) }
        let shift = 63 - time.leadingZeroBitCount - bits
        return shift << bits + Int(time >> shift)
    }

    /// The longest time of a bucket, in microseconds.
    package func upperEdge(of bucket: Int) -> UInt64 {
        if bucket < 2 << bits { return UInt64(bucket) }
        let shift = bucket >> bits - 1
        return UInt64(bucket - shift << bits + 1) << shift - 1
    }

    /// Adds a time. A fraction of a microsecond counts as a whole one, so that no percentile is below the truth.
    package mutating func add(_ time: Duration) { add(time.microsecondsRoundedUp) }

    package mutating func add(_ time: UInt64) {
        let index = bucket(of: time)
        // The list is only as long as needed, because most actions are fast and a load may have many.
        if index >= counts.count { counts += Array(repeating: 0, count: index + 1 - counts.count) }
        counts[index] += 1
        count += 1
        sum += time
        longest = max(longest, time)
    }

    package mutating func add(_ other: Histogram) {
        if other.counts.count > counts.count {
            counts += Array(repeating: 0, count: other.counts.count - counts.count)
        }
        for (index, more) in other.counts.enumerated() { counts[index] += more }
        count += other.count
        sum += other.sum
        longest = max(longest, other.longest)
    }

    /// The time that this share of all arrivals doesn't exceed: the upper edge of its bucket, and at most the longest time.
    ///
    /// - Parameter total: The number of all arrivals. Those that the histogram lacks have failed, and are slower than any other.
    /// - Returns: Nil if the share includes an arrival that has failed.
    package func percentile(_ percent: Double, of total: UInt64? = nil) -> Duration? {
        let rank = max(1, UInt64((percent / 100 * Double(total ?? count) - 1e-9).rounded(.up)))
        guard rank <= count else { return nil }
        var seen: UInt64 = 0
        for (index, more) in counts.enumerated() {
            seen += more
            if seen >= rank { return .microseconds(Int64(min(upperEdge(of: index), longest))) }
        }
        return nil
    }

    package var mean: Duration? { count == 0 ? nil : .microseconds(Int64((sum + count - 1) / count)) }
}

extension Duration {
    fileprivate var microsecondsRoundedUp: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        return UInt64(seconds) * 1_000_000 + UInt64((attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }
}
