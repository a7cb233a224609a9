import CReqcliSystem
import Glibc

/// An HTTP/1.1 server that runs on an event loop.
package final class Server: Sendable {
    /// The port that all addresses share; 0 if there are only unix sockets.
    package let port: UInt16
    /// The URLs of the server: first the URLs for clients on this machine, then the URLs for other machines.
    package let urls: [String]
    private let loop: EventLoop

    /// Begins to listen, and responds to requests with the handler. When this initializer returns, clients can connect.
    ///
    /// - Parameter loop: A loop on which no other server runs.
    package init(
        on addresses: [ListenAddress], loop: EventLoop, limits: ServerLimits = ServerLimits(), handler: ServerHandler
    ) throws(ListenProblem) {
        var listeners: [Listener] = []
        var urls: [String] = []
        for address in addresses {
            do throws(ListenProblem) {
                let opened = try Listener.open(address)
                listeners += opened
                urls += address.urls(port: opened.first?.port ?? 0)
            } catch {
                for listener in listeners { listener.close() }
                throw error
            }
        }
        port = listeners.map(\.port).first { $0 > 0 } ?? 0
        self.urls = urls
        self.loop = loop
        loop.perform { [listeners] in $0.server = ServerCore($0, listeners, limits, handler) }
    }

    deinit { loop.perform { $0.server?.stop(grace: .zero) {} } }

    /// Refuses new connections for some time. Existing connections continue.
    package func refuse(for time: Duration) { loop.perform { $0.server?.refuse(for: time) } }

    /// Accepts no more connections and closes idle connections. Returns when all responses under way are complete, or after the
    /// time `grace`.
    ///
    /// While this call waits, another call can shorten its time.
    package func stop(grace: Duration) async {
        await withCheckedContinuation { continuation in stop(grace: grace) { continuation.resume() } }
    }

    /// Stops like `stop(grace:)`. At the end, calls a function on the loop's thread.
    package func stop(grace: Duration, whenStopped: @escaping @Sendable () -> Void) {
        loop.perform { reactor in
            guard let server = reactor.server else { return whenStopped() }
            server.stop(grace: grace, whenStopped: whenStopped)
        }
    }
}

extension ListenAddress {
    fileprivate func urls(port: UInt16) -> [String] {
        switch self {
        case .loopback: return ["http://localhost:\(port)"]
        case .unixSocket(let path): return ["unix:\(path)"]
        case .address("0.0.0.0", _), .address("::", _):
            return ["http://localhost:\(port)"] + Self.addressesOfMachine.map { "http://\($0):\(port)" }
        case .address(let text, _): return ["http://\(text.contains(":") ? "[\(text)]" : text):\(port)"]
        }
    }

    /// The IPv4 addresses by which other machines reach this machine.
    private static var addressesOfMachine: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        return sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { item in
            guard let item, let address = item.pointee.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                item.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { return nil }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
                return nil
            }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}

#if !os(Linux)
#error("a server needs epoll, so that it needs Linux")
#endif
