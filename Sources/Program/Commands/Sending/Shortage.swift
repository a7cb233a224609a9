import Exchange
import Glibc
import ReqcliDefinitions

/// The resources that this process lacks to send requests.
///
/// Foundation ends a process that gets no descriptor for it, and waits without end for a thread, so both are tried out
/// before the first request.
enum Shortage {
    /// The descriptors that one request needs, with room for the files that it reads and writes.
    private static let descriptors = 12
    /// For libcurl, Foundation and signals, beside one for each core.
    private static let threads = 6
    /// Enough for libcurl and what it needs, beside the stacks of the threads.
    private static let addressSpace = 48 << 20

    /// A sentence for whoever started the program; nil where nothing is short.
    static func find() -> String? {
        // Beyond 1,024 nothing is gained.
        DescriptorSupply.raise(to: 1024)
        let free = DescriptorSupply.free(upTo: descriptors)
        if free < descriptors {
            return "a request takes \(descriptors) file descriptors, and \(free) are free: raise the limit (ulimit -n)"
        }
        // Otherwise nothing is left of it for the stacks of later threads.
        if ThreadSupply.isAddressSpaceLimited { URLSessionTransport.saveAddressSpace() }
        let space = mmap(nil, addressSpace, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let space, space != MAP_FAILED else {
            return
                "sending takes \(addressSpace >> 20) MiB of address space, and less is free: raise the limit (ulimit -v)"
        }
        // Given back when the threads are known to have room beside it.
        defer { munmap(space, addressSpace) }
        let threads = threads + min(16, ThreadSupply.cores)
        guard ThreadSupply.has(threads) else {
            return "sending takes \(threads) threads, and the system gives fewer: "
                + "raise the limits (ulimit -u, ulimit -v, or the container's)"
        }
        return nil
    }
}
