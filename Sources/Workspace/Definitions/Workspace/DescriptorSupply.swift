import Dispatch
package import Glibc
import ReqcliBasics

/// Checks whether the system still lets this process open files.
package enum DescriptorSupply {
    /// The number of free file descriptors, up to `count`. The descriptors of libdispatch count as free, because callers include
    /// them in the number that they need.
    package static func free(upTo count: Int) -> Int { min(count, counted(upTo: count) + taken.withLock(\.self)) }

    private static func counted(upTo count: Int) -> Int {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count, let descriptor = Optional(open("/dev/null", O_RDONLY | O_CLOEXEC)), descriptor >= 0
        {
            opened.append(descriptor)
        }
        return opened.count
    }

    /// Raises the soft limit for open files. A process may raise this limit up to the hard limit, which is usually far higher.
    /// Returns whether the limit was raised.
    @discardableResult
    package static func raise(to wanted: rlim_t) -> Bool {
        var limit = limits
        guard limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max else { return false }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        return setrlimit(resource, &limit) == 0
    }

    /// Doubles the limit, after a file couldn't be opened.
    package static func raise() -> Bool {
        raise(to: max(1024, limits.rlim_cur.multipliedReportingOverflow(by: 2).partialValue))
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static var limits: rlimit {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : rlimit(rlim_cur: .max, rlim_max: .max)
    }

    // MARK: libdispatch

    /// With a limit of at least this many descriptors, libdispatch always gets the descriptors that it needs.
    private static let plenty = 64
    /// The number of descriptors that libdispatch opens, plus one.
    private static let forThreads = 4

    private static let taken = Mutex(0)
    private static let mayStart = Mutex<Bool?>(nil)

    /// Whether libdispatch may start threads. It aborts the process if its first thread gets no file descriptors. So if the limit
    /// for open files is low, this function starts that thread now, while descriptors are free.
    package static func letsThreadsStart() -> Bool {
        mayStart.withLock { known in
            let may = known ?? startThread()
            known = may
            return may
        }
    }

    private static func startThread() -> Bool {
        if limits.rlim_cur >= plenty { return true }
        let before = counted(upTo: plenty)
        guard before >= forThreads else { return false }
        // A timer, because libdispatch opens the last of its descriptors for its own timer, some time after the first thread runs. On a
        // busy machine, the time can be over before libdispatch sets the timer, and then it opens no descriptor.
        let isStarted = DispatchSemaphore(value: 0)
        for milliseconds in [5, 10, 20, 40, 80] where !hasTimer {
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { isStarted.signal() }
            isStarted.wait()
        }
        let after = counted(upTo: plenty)
        taken.withLock { $0 = before - after }
        return true
    }

    /// Whether this process has a descriptor of a timer. It isn't found by opening files, because libdispatch may need the last free
    /// descriptor at this moment.
    private static var hasTimer: Bool {
        var name = [CChar](repeating: 0, count: 64)
        return (0..<plenty).contains { descriptor in
            let length = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
            return length > 0 && name[..<length].map(UInt8.init(bitPattern:)) == Array("anon_inode:[timerfd]".utf8)
        }
    }
}
