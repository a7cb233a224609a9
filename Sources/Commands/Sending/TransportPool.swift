import Exchange
import Synchronization

/// One transport for each way of carrying requests, so that those of a run share their connections.
final class TransportPool: Sendable {
    private let network: Network
    private let loader: Loader
    private let transports = Mutex(Known())

    private struct Known {
        var all: [TransportOptions: any Transport] = [:]
        /// Most requests of a run go the same way, and comparing takes less than hashing.
        var last: (options: TransportOptions, transport: any Transport)?
    }

    init(_ network: Network, _ loader: Loader) {
        self.network = network
        self.loader = loader
    }

    /// False where the loader would do without some of the TLS settings, which nobody wants to find out later.
    func canDo(_ options: TransportOptions) -> Bool { loader == .curl || options.tls == TLSOptions() }

    func transport(_ options: TransportOptions) -> any Transport {
        transports.withLock { known in
            if let last = known.last, last.options == options { return last.transport }
            let transport = known.all[options] ?? network.transport(options, loader)
            known.all[options] = transport
            known.last = (options, transport)
            return transport
        }
    }
}
