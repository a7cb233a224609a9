#if os(Linux)
import CReqcliLibcurl

/// One of libcurl's multi handles, with its connections and transfers. It lives as long as the process.
///
/// For each request, libcurl looks for an idle connection among all connections of the handle to the server. Among 10,000 of them, this
/// takes longer than everything else that a request needs. So an engine uses several handles, each for some of its transfers.
final class ConnectionPool {
    /// The transfers of a pool, unless no other pool can be made.
    private static let limit = Engine.usualLimit

    let multi: OpaquePointer
    let kept = KeptConnections()
    let closing = ClosingConnections()
    /// The transfers that the pool has now.
    var count = 0
    /// The time at which libcurl wants to be called even if nothing has happened.
    var due = Int64.max

    let rules: ConnectionRules
    private unowned let events: SocketEvents

    init(_ multi: MultiHandle, _ events: SocketEvents, _ rules: ConnectionRules) {
        self.multi = multi.pointer
        self.rules = rules
        self.events = events
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = lc_multi_set_socket_callback(
            self.multi,
            { _, socket, interest, context, _ in
                if let pool = ConnectionPool.of(context) { pool.events.watch(socket, Int(interest), for: pool) }
                return 0
            }, context)
        _ = lc_multi_set_timer_callback(
            self.multi,
            { _, milliseconds, context in
                ConnectionPool.of(context)?.due = milliseconds < 0 ? .max : Clock.now + Int64(milliseconds) * 1_000_000
                return 0
            }, context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> ConnectionPool? {
        context.map { Unmanaged<ConnectionPool>.fromOpaque($0).takeUnretainedValue() }
    }

    /// A pool with a limit on connections is the only one of its thread, because the limit is libcurl's.
    var hasRoom: Bool { count < Self.limit || rules.most != nil }

    /// Lets libcurl work on a socket, or on what is due.
    func act(on socket: Int32, _ bits: Int32) {
        var running: Int32 = 0
        _ = lc_multi_socket_action(multi, socket, bits, &running)
    }

    /// Lets libcurl work if its time has come.
    func performDue(at now: Int64) {
        guard due <= now else { return }
        due = .max
        act(on: Int32(LC_CURL_SOCKET_TIMEOUT), 0)
        // libcurl doesn't name a time again that it has named before.
        guard due == .max else { return }
        var milliseconds = -1
        _ = lc_multi_timeout(multi, &milliseconds)
        if milliseconds >= 0 { due = Clock.now + Int64(milliseconds) * 1_000_000 }
    }
}

/// A multi handle that no thread uses yet.
struct MultiHandle: @unchecked Sendable {
    // Unchecked: only the engine's thread uses the pointer.
    let pointer: OpaquePointer

    /// Nil if the memory is used up.
    init?(limit: Int, _ connections: ConnectionRules) {
        guard let pointer = lc_multi_init() else { return nil }
        self.pointer = pointer
        _ = lc_multi_set_long(pointer, LC_CURLMOPT_PIPELINING, LC_CURLPIPE_MULTIPLEX)
        // Without this number, libcurl's cache of idle connections would shrink and grow with the number of running transfers.
        _ = lc_multi_set_long(pointer, LC_CURLMOPT_MAXCONNECTS, limit)
        if let most = connections.most { _ = lc_multi_set_long(pointer, LC_CURLMOPT_MAX_TOTAL_CONNECTIONS, most) }
    }
}
#endif
