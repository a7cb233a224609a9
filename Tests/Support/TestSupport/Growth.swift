import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Measures how the cost of work grows with its size, in processor time of this thread, without other work.
package enum Growth {
    /// The cost of work of four times the size, relative to `size`: about 4 if it is linear, 16 if it is quadratic.
    package static func fourfold(_ size: Int, _ work: (_ size: Int) throws -> Void) rethrows -> Double {
        let small = try cost { try work(size) }
        // Other work on the machine makes a run slower, never faster: only one that seems slow is worth another.
        let large = try cost(runs: 10, enough: small * 5) { try work(size * 4) }
        return large / small
    }

    /// The processor time of some work: the minimum of several runs, or of those up to one that took less than `enough`.
    package static func cost(runs: Int = 3, enough: Double = 0, _ work: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<runs where least > enough {
            let start = processorTime
            try work()
            least = min(least, processorTime - start)
        }
        return max(least, 1e-9)
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
