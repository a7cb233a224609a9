import CReqcliSystem
import Glibc

/// A connection that may be closed to make room for a new connection: it is idle, or its head is still incomplete after a second.
/// The properties show the state in which a search found the connection.
struct ClosableConnection {
    /// The order in which connections are closed. Idle connections are closed before connections with an incomplete head. In each
    /// group, the connections that have waited longest are closed first.
    let rank: (group: Int, order: UInt64)
    let descriptor: Int32
    let serial: UInt32

    init?(_ connection: Connection?, _ limits: ServerLimits, at now: Milliseconds) {
        guard let connection else { return nil }
        if connection.isIdle {
            rank = (0, connection.idleOrder)
        } else if connection.hasUnfinishedHead, connection.isInHead,
            now >= connection.deadline - Milliseconds(limits.headTime) + Milliseconds(.seconds(1))
        {
            rank = (1, UInt64(clamping: connection.deadline))
        } else {
            return nil
        }
        descriptor = connection.descriptor
        serial = connection.serial
    }
}

extension ServerCore {
    /// Accepts the waiting connections, up to a number that doesn't delay the existing connections. Returns whether more may be
    /// waiting.
    @discardableResult
    func accept(from listener: Listener) -> Bool {
        for turn in 0..<64 {
            // Only in the first turn is a client known to be waiting. In later turns, no connection is closed, because perhaps no
            // client waits.
            if count >= capacity {
                if turn == 0, !closeOne() { waitForRoom() }
                if turn > 0 || isFull { return false }
            }
            var peer = sockaddr_storage()
            let descriptor = reqcli_accept(listener.descriptor, &peer)
            if descriptor >= 0 {
                add(descriptor, Self.client(peer))
                continue
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                if turn == 0, !closeOne() { waitForRoom() }
                return false
            default: return false
            }
        }
        return true
    }

    /// Accepts the connections that wait in the listeners before the listeners are closed. The system has already connected these
    /// clients, so closing the listeners would reset their connections.
    func acceptRest() {
        for listener in listeners where listener.isOpen { while accept(from: listener) {} }
    }

    private func waitForRoom() {
        isFull = true
        for listener in listeners { reactor.change(listener.descriptor, 0) }
        // Looks again after a second. By then, other parts of this process may have closed descriptors, and a head may have
        // become too slow.
        guard !looksForRoom else { return }
        looksForRoom = true
        reactor.setAlarm(after: .seconds(1)) { [weak self] in
            self?.looksForRoom = false
            self?.resumeAccepting()
        }
    }

    /// Accepts connections again after a connection has ended or become idle.
    func resumeAccepting() {
        guard isFull, !isStopping else { return }
        isFull = false
        for listener in listeners where listener.isOpen { reactor.change(listener.descriptor, EPOLLIN.rawValue) }
    }

    /// Closes the connection whose client loses least.
    private func closeOne() -> Bool {
        if closeNext() { return true }
        // One search finds enough connections to close for many new connections. A search for each new connection would take
        // longer the more connections there are.
        closable = connections.compactMap { ClosableConnection($0, limits, at: now) }.sorted { $0.rank > $1.rank }
        return closeNext()
    }

    /// Closes the first connection of the last search whose state is still the same as in the search.
    private func closeNext() -> Bool {
        while let noted = closable.popLast() {
            guard let connection = connection(noted.descriptor, noted.serial),
                let current = ClosableConnection(connection, limits, at: now), current.rank == noted.rank,
                !hasUnread(connection)
            else { continue }
            close(connection)
            return true
        }
        return false
    }

    /// Whether bytes have arrived that haven't been read. If the connection were closed now, it would be reset.
    func hasUnread(_ connection: Connection) -> Bool {
        var byte: UInt8 = 0
        return recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    private static func client(_ address: sockaddr_storage) -> ServerRequest.Client {
        withUnsafeBytes(of: address) { bytes in
            switch Int32(address.ss_family) {
            case AF_UNIX: return .unixSocket
            case AF_INET: return bytes.load(fromByteOffset: 4, as: UInt8.self) == 127 ? .loopback : .network
            case AF_INET6:
                let address = bytes[8..<24]
                let isMapped = address.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
                let isLoopback = address.elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
                return isLoopback || isMapped && address[20] == 127 ? .loopback : .network
            default: return .network
            }
        }
    }

    /// Refuses connections for some time, and afterwards accepts them again on the same ports.
    func refuse(for time: Duration) {
        acceptRest()
        for index in listeners.indices where listeners[index].isOpen {
            reactor.unwatch(listeners[index].descriptor)
            listeners[index].refuse()
        }
        refusals += 1
        reactor.setAlarm(after: time) { [weak self] in self?.endRefusal() }
    }

    private func endRefusal() {
        refusals -= 1
        guard refusals == 0, !isStopping else { return }
        for index in listeners.indices {
            listeners[index].listenAgain()
            _ = reactor.watch(listeners[index].descriptor, isFull ? 0 : EPOLLIN.rawValue)
        }
    }
}
