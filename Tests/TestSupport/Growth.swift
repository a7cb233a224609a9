import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// How the cost of work grows with its size, in processor time of this thread: other work on the machine doesn't count.
package enum Growth {
    /// How many times as much work of four times the size costs: about 4 where it is linear, 16 where it is quadratic.
    package static func fourfold(_ size: Int, _ work: (_ size: Int) throws -> Void) rethrows -> Double {
        try cost { try work(size * 4) } / cost { try work(size) }
    }

    /// The processor time of some work, the least of three runs.
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
