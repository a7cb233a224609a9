import Glibc

/// Checks whether the system still lets this process start threads.
///
/// Foundation, libdispatch and Swift wait forever for a thread that can't be started, so the program has to check
/// beforehand.
package enum ThreadSupply {
    /// Whether this many more threads can run at once.
    ///
    /// Threads are started as a test only if a limit for the user, the container or the process is near.
    package static func has(_ count: Int) -> Bool { !isLimited || canStart(count) }

    /// The number of threads for work that uses all cores.
    package static let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// Whether the process has a limit on address space, which the stacks of threads need.
    fileprivate static var isAddressSpaceLimited: Bool { limit(RLIMIT_AS) < .max }

    /// A limit above this number of threads is never reached.
    private static let plenty: rlim_t = 4096

    private static var isLimited: Bool {
        if isAddressSpaceLimited || limit(__RLIMIT_NPROC) < plenty { return true }
        // Reads the limit of the container. There is no limit if the file contains "max" or doesn't exist.
        let descriptor = open("/sys/fs/cgroup/pids.max", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 32)
        let length = max(0, read(descriptor, &text, text.count))
        let digits = text[..<length].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return rlim_t(String(decoding: digits, as: UTF8.self)).map { $0 < plenty } ?? false
    }

    private static func limit(_ resource: __rlimit_resource) -> rlim_t {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit.rlim_cur : 0
    }

    private static func canStart(_ count: Int) -> Bool {
        // All threads wait for this lock, so that no thread ends before the last thread has started.
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(gate, nil)
        defer {
            pthread_mutex_destroy(gate)
            gate.deallocate()
        }
        pthread_mutex_lock(gate)
        var threads: [pthread_t] = []
        while threads.count < count {
            var thread = pthread_t()
            let problem = pthread_create(
                &thread, nil,
                { gate in
                    let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self)
                    if let gate { pthread_mutex_lock(gate) }
                    if let gate { pthread_mutex_unlock(gate) }
                    return nil
                }, gate)
            if problem != 0 { break }
            threads.append(thread)
        }
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        return threads.count == count
    }
}

/// The resources that this process lacks to send requests.
///
/// Foundation ends the process if it gets no descriptor, and waits forever for a thread that can't be started, so both
/// are tested before the first request.
package enum Shortage {
    /// The number of descriptors that one request needs, with room for the files that it reads and writes.
    private static let descriptors = 12
    /// The number of threads for libcurl, Foundation and signals, in addition to one for each core.
    private static let threads = 6
    /// The number of bytes that is enough for libcurl and its libraries, in addition to the stacks of the threads.
    private static let addressSpace = 48 << 20

    /// The first resource that is short, as a sentence for the user; nil if no resource is short.
    ///
    /// - Parameter saveAddressSpace: Called before the address space is tested, if the address space has a limit.
    package static func find(savingAddressSpace saveAddressSpace: () -> Void) -> String? {
        // More than 1,024 descriptors have no advantage.
        DescriptorSupply.raise(to: 1024)
        let free = DescriptorSupply.free(upTo: descriptors)
        if free < descriptors {
            return
                "a request takes \(descriptors) file descriptors, but only \(free) are free: raise the limit (ulimit -n)"
        }
        // Without this call, no address space would be left for the stacks of later threads.
        if ThreadSupply.isAddressSpaceLimited { saveAddressSpace() }
        let space = mmap(nil, addressSpace, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let space, space != MAP_FAILED else {
            return
                "sending takes \(addressSpace >> 20) MiB of address space, but less is free: raise the limit (ulimit -v)"
        }
        // The space is released only after the threads are tested, so the test shows that there is room for both.
        defer { munmap(space, addressSpace) }
        let threads = threads + min(16, ThreadSupply.cores)
        guard ThreadSupply.has(threads) else {
            return "sending takes \(threads) threads, but the system allows fewer: "
                + "raise the limits (ulimit -u, ulimit -v, or the container's)"
        }
        return nil
    }
}
