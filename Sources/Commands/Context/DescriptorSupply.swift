package import CommandLineKit
import Definitions
import Dispatch
import Glibc
import SourceText

/// The file descriptors that the system lets this process open.
package enum DescriptorSupply {
    /// How many are free, of those that somebody needs.
    static func free(upTo count: Int) -> Int {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { break }
            opened.append(descriptor)
        }
        return opened.count
    }

    /// Raises the limit: a process may, up to another limit, which is usually far higher. Returns whether it is higher now.
    @discardableResult
    static func raise(to wanted: rlim_t) -> Bool {
        var limit = limits
        guard limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max else { return false }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        return setrlimit(resource, &limit) == 0
    }

    /// Doubles the limit, for a file that couldn't be opened.
    static func raise() -> Bool {
        raise(to: max(1024, limits.rlim_cur.multipliedReportingOverflow(by: 2).partialValue))
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static var limits: rlimit {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : rlimit(rlim_cur: .max, rlim_max: .max)
    }

    /// With fewer, libdispatch may be left without its own.
    private static let scarce: rlim_t = 64
    /// Those of libdispatch, and some for files.
    private static let needed = 8

    /// Lets libdispatch open its descriptors while there are some: its first thread ends the process if it gets none, and timers
    /// wait without end.
    ///
    /// - Returns: A sentence for whoever started the program if there are too few.
    package static func prepare() async -> String? {
        guard limits.rlim_cur < scarce || free(upTo: needed) < needed else { return nil }
        raise(to: 1024)
        let free = free(upTo: needed)
        if free < needed {
            return "the program takes \(needed) file descriptors, and \(free) are free: raise the limit (ulimit -n)"
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(1)) { continuation.resume() }
        }
        return nil
    }
}

extension Context {
    /// The status to end with if the program can't run.
    package func prepare() async -> ExitStatus? {
        guard let shortage = await DescriptorSupply.prepare() else { return nil }
        let failure = Failure(.usage, code: .descriptorsMissing, shortage)
        report(failure)
        return failure.status
    }
}

extension Diagnostic.Code {
    fileprivate static let descriptorsMissing: Self = "descriptors.missing"
}
