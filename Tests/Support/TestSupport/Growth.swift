import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Measures how the cost of work grows with its size. The cost is the processor time of this thread, so other threads don't
/// count.
package enum Growth {
    /// The cost of work of size `4 * size`, divided by the cost for `size`: about 4 if the cost is linear, 16 if it is quadratic.
    package static func fourfold(_ size: Int, _ work: (_ size: Int) throws -> Void) rethrows -> Double {
        let small = try cost { try work(size) }
        // Other work on the machine can only make a run slower. So the large work runs again only if it seems to be too slow.
        let large = try cost(runs: 10, enough: small * 5) { try work(size * 4) }
        return large / small
    }

    /// The processor time of some work: the minimum of several runs. Stops early after a run that took at most `enough`.
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
