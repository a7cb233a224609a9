import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Measures how the cost of work grows with its size, in processor time of this thread, without other work.
package enum Growth {
    /// The cost of work of four times the size, relative to `size`: about 4 if it is linear, 16 if it is quadratic.
    package static func fourfold(_ size: Int, _ work: (_ size: Int) throws -> Void) rethrows -> Double {
        try cost { try work(size * 4) } / cost { try work(size) }
    }

    /// The processor time of some work: the minimum of three runs.
    package static func cost(_ work: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<3 {
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
