import CommandLineKit
package import Exchange
import Glibc
import ReqcliBasics
import ReqcliDefinitions
import ReqcliNetworking
import ReqcliText
import RequestBuilding

/// The access of commands to the network. Tests replace the transport.
package struct Network: Sendable {
    package var transport: @Sendable () -> any Transport
    /// Names the resource that the process lacks to send requests, in a sentence; nil if nothing is missing. Called before
    /// anything is sent.
    package var shortage: @Sendable () -> String? = { nil }
    /// Does in advance the work that the first request would have to wait for.
    package var prepare: @Sendable () -> Void = {}
    /// Allows many requests at the same time. Called before anything is sent. Returns the number of requests that the process has
    /// descriptors for.
    package var allowTransfers: @Sendable (_ count: Int) -> Int = { $0 }
    /// Starts threads that send requests, as many as are possible.
    package var threads: @Sendable (_ count: Int, _ connections: ConnectionRules) -> [RequestThread] = { _, _ in [] }
}

extension Context {
    /// Fails if the process lacks a resource that sending needs, because a request would wait for this resource forever.
    func refuseShortage() throws(Failure) {
        guard let shortage = network.shortage() else { return }
        throw Failure(.noAnswer, code: .noAnswer, shortage)
    }
}

extension Context {
    /// Fails if the process has too few descriptors for a command that runs until it is ended. Also
    /// makes libdispatch open the descriptors that its threads need.
    func refuseFewDescriptors(for name: String) throws(Failure) {
        DescriptorSupply.raise(to: 1024)
        let needed = 12
        let free = DescriptorSupply.free(upTo: needed)
        guard free < needed || !DescriptorSupply.letsThreadsStart() else { return }
        throw Failure(
            .usage, code: .descriptorsMissing,
            "\(name) takes \(needed) file descriptors, and \(free) are free: raise the limit (ulimit -n)")
    }
}

extension Diagnostic.Code {
    fileprivate static let descriptorsMissing: Self = "descriptors.missing"
}

extension Network {
    package static let live = Network(
        transport: { URLSessionTransport { session } },
        shortage: { Shortage.find(savingAddressSpace: URLSessionTransport.saveAddressSpace) },
        prepare: URLSessionTransport.loadLibrary,
        allowTransfers: { count in
            let spare = 100
            DescriptorSupply.raise(to: rlim_t(count + spare))
            let free = max(1, DescriptorSupply.free(upTo: count + spare) - spare)
            URLSessionTransport.allowTransfers(free)
            return free
        },
        threads: { count, connections in
            (1..<count + 1).compactMap { RequestThread(number: $0, connections: connections, session: session) }
        })

    /// The session that all requests share. The session has no delegate, so nothing runs on its queue. It uses the main queue,
    /// because making a separate queue would take longer.
    private static let session = URLSession(
        configuration: sparingHomeFolder { .exchange }, delegate: nil, delegateQueue: .main)

    /// Foundation makes folders for caches and cookies in the home folder with every configuration, even an ephemeral one.
    ///
    /// No request uses the cache, so Foundation gets one of size 0, in a folder that already exists and accepts no files. An
    /// environment variable makes Foundation look for the folder for cookies at a path where no folder can be made. The variable
    /// is restored at once, for programs that are started later and for other code that reads it.
    private static func sparingHomeFolder<Made>(_ make: () -> Made) -> Made {
        URLCache.shared = URLCache(memoryCapacity: 0, diskCapacity: 0, diskPath: "/proc")
        let name = "XDG_DATA_HOME"
        let before = getenv(name).map { String(cString: $0) }
        setenv(name, "/dev/null/none", 1)
        defer { if let before { setenv(name, before, 1) } else { unsetenv(name) } }
        return make()
    }
}

/// The network, which is set up when the first request is sent. The requests of a run share their connections, except for those of
/// threads of their own.
final class NetworkTransport: Transport {
    private let network: Network
    private let opened = Mutex<(any Transport)?>(nil)

    init(_ network: Network) { self.network = network }

    func send(_ request: PreparedRequest) async throws -> Response {
        if let thread = RequestThread.current { return try await thread.transport.send(request) }
        let transport = opened.withLock { opened in
            if let opened { return opened }
            let transport = network.transport()
            opened = transport
            return transport
        }
        return try await transport.send(request)
    }
}

extension Context {
    func warnOfUncheckedCertificates(in environment: String, hint: String? = nil) {
        report(.warning, code: .insecure, Self.uncheckedCertificates(in: environment), hint: hint)
    }

    static func uncheckedCertificates(in environment: String) -> String {
        "certificates are not checked in the environment \(environment): any server could respond"
    }
}
