import Exchange
import RequestBuilding
import Synchronization

/// One transport for each way of carrying requests, so that those of a run share their connections.
final class TransportPool: Sendable {
    private let network: Network
    private let loader: Loader
    private let transports = Mutex<[TransportOptions: any Transport]>([:])
    /// Most requests of a run go the same way as the one before.
    private let lastWay = Mutex<KnownWay?>(nil)

    private struct KnownWay {
        let options: AttachedOptions
        let proxies: ProxySettings
        let isOverNetwork: Bool
        let way: TransferWay
    }

    init(_ network: Network, _ loader: Loader) {
        self.network = network
        self.loader = loader
    }

    /// The way of requests that have these options. It has a transport where they go to the network.
    func way(_ options: AttachedOptions, _ proxies: ProxySettings, overNetwork isOverNetwork: Bool) -> TransferWay {
        if let last = lastWay.withLock(\.self), last.isOverNetwork == isOverNetwork, last.options == options,
            last.proxies == proxies
        {
            return last.way
        }
        let way = TransferWay(options, proxies, over: isOverNetwork ? self : nil)
        lastWay.withLock {
            $0 = KnownWay(options: options, proxies: proxies, isOverNetwork: isOverNetwork, way: way)
        }
        return way
    }

    /// False where the loader would do without some of the TLS settings.
    func canDo(_ options: TransportOptions) -> Bool { loader == .curl || options.tls == TLSOptions() }

    func transport(_ options: TransportOptions) -> any Transport {
        transports.withLock { known in
            if let transport = known[options] { return transport }
            let transport = network.transport(options, loader)
            known[options] = transport
            return transport
        }
    }
}
