import CReqcliSystem
import Glibc
import HTTPWire

/// A server's listeners and connections. Only the loop's thread uses this object.
final class ServerCore {
    let reactor: Reactor
    let limits: ServerLimits
    let handler: ServerHandler
    /// `limits.idleTime` in milliseconds, converted once because each request needs it.
    let idleTime: Milliseconds
    /// The maximum number of connections at the same time.
    let capacity: Int
    var listeners: [Listener]
    /// Whether new connections must wait until another connection has ended.
    var isFull = false
    /// The number of calls of `refuse` that are still in effect.
    var refusals = 0
    var isStopping = false
    /// The connections, indexed by their descriptors.
    private(set) var connections: [Connection?] = []
    private(set) var count = 0
    private var serial: UInt32 = 0
    private var whenStopped: [@Sendable () -> Void] = []
    private var deadlines = DeadlineHeap()
    private var ready: [Connection] = []
    var lastNumber: UInt64 = 0
    private var lastIdleOrder: UInt64 = 0
    /// The connections that could be closed to make room, as found by the last search. The connection to close first is the last
    /// element.
    var closable: [ClosableConnection] = []
    /// Whether an alarm is set, at which the server checks again whether it can accept connections.
    var looksForRoom = false
    let bodyRoom: BodyRoom
    var date = DateLine()
    /// Buffers for receiving requests and writing responses. All connections share these buffers.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    var output: [UInt8] = []

    init(_ reactor: Reactor, _ listeners: [Listener], _ limits: ServerLimits, _ handler: ServerHandler) {
        self.reactor = reactor
        self.listeners = listeners
        self.limits = limits
        self.handler = handler
        idleTime = Milliseconds(limits.idleTime)
        bodyRoom = BodyRoom(limit: limits.bodies)
        var descriptors = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors) == 0
        // Leaves an eighth of the descriptors for files.
        let most = isKnown ? Int(clamping: descriptors.rlim_cur) * 7 / 8 : limits.connections
        capacity = max(1, min(limits.connections, most))
        for listener in listeners { _ = reactor.watch(listener.descriptor, EPOLLIN.rawValue) }
    }

    deinit { input.deallocate() }

    var now: Milliseconds { reactor.now }
    /// Whether a connection waits for its next turn.
    var hasReady: Bool { !ready.isEmpty }
    var nextDeadline: Milliseconds? { deadlines.next }

    // MARK: Events

    func handle(_ events: UInt32, of descriptor: Int32, _ serial: UInt32) {
        if serial == 0 {
            if let listener = listeners.first(where: { $0.descriptor == descriptor }) { accept(from: listener) }
            return
        }
        guard let connection = connection(descriptor, serial) else { return }
        if events & EPOLLERR.rawValue != 0 {
            close(connection)
            return
        }
        let hasEnded = events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0
        if events & EPOLLIN.rawValue != 0 || hasEnded { connection.canRead = true }
        if events & EPOLLOUT.rawValue != 0 { connection.canWrite = true }
        if hasEnded, !connection.hasPeerEnded {
            connection.hasPeerEnded = true
            if connection.phase == .held {
                close(connection)
            } else if connection.awaitsOwner, connection.upload == nil {
                // Whether the client of an upload has left is decided later: only if the end of its body never arrives.
                handler.clientLeft(ticket(of: connection))
            }
        }
        advance(connection)
    }

    /// Handles connections whose deadline has passed, and connections that wait for their turn.
    func handleDeadlines() {
        while let connection = deadlines.due(at: now) { expire(connection) }
        guard !ready.isEmpty else { return }
        let turn = ready
        ready = []
        for connection in turn {
            connection.isReady = false
            advance(connection)
        }
    }

    func setDeadline(_ connection: Connection, after duration: Duration) {
        setDeadline(connection, at: now + Milliseconds(duration))
    }

    func setDeadline(_ connection: Connection, at time: Milliseconds) {
        connection.deadline = time
        // Nearly all deadlines move to a later time, for which no update is needed.
        if time < connection.wakeTime { deadlines.update(connection) }
    }

    func letWait(_ connection: Connection) {
        guard !connection.isReady else { return }
        connection.isReady = true
        ready.append(connection)
    }

    // MARK: Connections

    func connection(_ descriptor: Int32, _ serial: UInt32) -> Connection? {
        guard connections.indices.contains(Int(descriptor)), let connection = connections[Int(descriptor)],
            connection.serial == serial
        else { return nil }
        return connection
    }

    func add(_ descriptor: Int32, _ client: ServerRequest.Client) {
        serial = max(1, serial &+ 1)
        guard reactor.watch(descriptor, reqcli_connection_events, serial: serial) else {
            Glibc.close(descriptor)
            return
        }
        let connection = Connection(
            descriptor, serial: serial, client, limits: limits.request,
            deadline: now + Milliseconds(limits.headTime))
        noteIdle(connection)
        while connections.count <= Int(descriptor) { connections.append(nil) }
        connections[Int(descriptor)] = connection
        count += 1
        deadlines.insert(connection)
    }

    /// Puts the connection after all connections that became idle earlier.
    func noteIdle(_ connection: Connection) {
        lastIdleOrder += 1
        connection.idleOrder = lastIdleOrder
    }

    func close(_ connection: Connection) {
        guard forget(connection) else { return }
        Glibc.close(connection.descriptor)
    }

    func reset(_ connection: Connection) {
        guard forget(connection) else { return }
        reqcli_reset(connection.descriptor)
    }

    private func forget(_ connection: Connection) -> Bool {
        guard connection.phase != .closed else { return false }
        let wasAwaited = connection.awaitsOwner && !connection.hasPeerEnded || connection.upload != nil
        connection.phase = .closed
        connection.outgoing = nil
        connection.delayed = nil
        connection.stream = nil
        connection.upload = nil
        connection.bodyShare = nil
        deadlines.remove(connection)
        connections[Int(connection.descriptor)] = nil
        count -= 1
        if wasAwaited { handler.clientLeft(ticket(of: connection)) }
        resumeAccepting()
        if isStopping, count == 0 { finishStopping() }
        return true
    }

    // MARK: The end

    /// - Parameter whenStopped: Called when there are no more connections.
    func stop(grace: Duration, whenStopped: @escaping @Sendable () -> Void) {
        self.whenStopped.append(whenStopped)
        acceptRest()
        for listener in listeners { listener.close() }
        listeners = []
        isStopping = true
        for case let connection? in connections {
            switch connection.phase {
            case .held: close(connection)
            // This closes the connection, unless a complete request has arrived.
            case .reading, .lingering: advance(connection)
            default: break
            }
        }
        if count == 0 { return finishStopping() }
        if grace <= .zero { return closeAll() }
        reactor.setAlarm(after: grace) { [weak self] in self?.closeAll() }
    }

    func closeAll() {
        for case let connection? in connections { close(connection) }
    }

    private func finishStopping() {
        let calls = whenStopped
        whenStopped = []
        // Releases the handler, and thus all objects of the handler that refer to this loop.
        reactor.server = nil
        for call in calls { call() }
    }
}
