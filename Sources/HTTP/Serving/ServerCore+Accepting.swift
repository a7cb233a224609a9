import CReqcliSystem
import Glibc

/// A connection that may be closed for a new one, as it was when this was noted: between two requests, or with a head that hasn't come
/// to its end within a second.
struct ClosableConnection {
    /// Idle ones come before those with a head, and in both the ones that wait for longest.
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
    /// Takes the connections that wait, up to a number that doesn't hold up others. Returns whether more may wait.
    @discardableResult
    func accept(from listener: Listener) -> Bool {
        for turn in 0..<64 {
            // Nobody is known to wait but at the first turn, and for nobody no connection is closed.
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

    /// Takes what a listener has before it is closed, so that no client that was let in sees a reset.
    func acceptRest() {
        for listener in listeners where listener.isOpen { while accept(from: listener) {} }
    }

    private func waitForRoom() {
        isFull = true
        for listener in listeners { reactor.change(listener.descriptor, 0) }
        // Others of this process may give descriptors back, and a head may take too long by then.
        guard !looksForRoom else { return }
        looksForRoom = true
        reactor.setAlarm(after: .seconds(1)) { [weak self] in
            self?.looksForRoom = false
            self?.resumeAccepting()
        }
    }

    /// Takes connections again after one has ended or become idle.
    func resumeAccepting() {
        guard isFull, !isStopping else { return }
        isFull = false
        for listener in listeners where listener.isOpen { reactor.change(listener.descriptor, EPOLLIN.rawValue) }
    }

    /// Closes the connection that has the least to lose.
    private func closeOne() -> Bool {
        if closeNext() { return true }
        // One search finds the connections for many to come: a search for each would take longer with each connection.
        closable = connections.compactMap { ClosableConnection($0, limits, at: now) }.sorted { $0.rank > $1.rank }
        return closeNext()
    }

    /// Closes the one of the last search for which nothing has changed since.
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

    /// Whether bytes have come that nothing has read: to close their connection now would reset it.
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

    /// Refuses connections for some time, and takes them on the same ports again afterwards.
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
