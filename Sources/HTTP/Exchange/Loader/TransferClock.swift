#if os(Linux)
import RequestBuilding

/// The deadlines of one transfer. Each step of the transfer updates them. The caller asks whether the time is up.
struct TransferClock {
    private var total: Limit?
    private var connect: Limit?
    private var firstByte: Limit?
    private var idle: Limit?

    /// The step that the transfer waits for.
    private var phase = Phase.connecting
    /// The time at which the transfer began.
    private(set) var began: Int64
    /// The times at which the first and the last byte of the request were sent, and at which the response began; nil before.
    private(set) var sending: Int64?
    private(set) var sent: Int64?
    private(set) var response: Int64?
    private var isPaused = false
    /// The time when the wait for the next part of the request's body began; nil if the transfer doesn't wait for it.
    private var bodyWait: Int64?

    private enum Phase {
        case connecting, sending, waiting, receiving
    }

    private struct Limit {
        let kind: TransportError.Timeout
        let limit: Duration
        let nanoseconds: Int64
        var start: Int64

        var end: Int64 { start + nanoseconds }

        init?(_ kind: TransportError.Timeout, _ limit: Duration?, start: Int64) {
            guard let limit else { return nil }
            self.kind = kind
            self.limit = limit
            self.nanoseconds = max(0, limit.nanoseconds)
            self.start = start
        }
    }

    init(_ timeouts: Timeouts, now: Int64 = Clock.now) {
        began = now
        total = Limit(.total, timeouts.total, start: now - timeouts.spent.nanoseconds)
        connect = Limit(.connect, timeouts.connect, start: now)
        firstByte = Limit(.firstByte, timeouts.firstByte, start: now)
        idle = Limit(.idle, timeouts.idle, start: now)
    }

    // MARK: - Steps of the transfer

    mutating func startConnecting(now: Int64 = Clock.now) {
        phase = .connecting
        (began, sending, sent, response) = (now, nil, nil, nil)
        connect?.start = now
    }

    mutating func connected(now: Int64 = Clock.now) {
        phase = .sending
        sending = now
        idle?.start = now
    }

    mutating func requestSent(now: Int64 = Clock.now) {
        guard phase == .sending || phase == .connecting else { return }
        phase = .waiting
        sent = now
        firstByte?.start = now
        idle?.start = now
    }

    /// Restarts the limit for the first byte, because a part of the request has not been sent yet.
    mutating func stillSending(now: Int64 = Clock.now) {
        firstByte?.start = now
    }

    mutating func answered(now: Int64 = Clock.now) {
        phase = .receiving
        response = response ?? now
        idle?.start = now
    }

    mutating func touched(now: Int64 = Clock.now) {
        isPaused = false
        idle?.start = now
    }

    mutating func paused() {
        isPaused = true
    }

    /// Stops the limits, because the server waits for the next part of the request's body, and this part is not available yet.
    mutating func awaitsBody(now: Int64 = Clock.now) {
        bodyWait = bodyWait ?? now
    }

    /// Continues the limits, without counting the time of the wait.
    mutating func bodyCame(now: Int64 = Clock.now) {
        guard let start = bodyWait else { return }
        bodyWait = nil
        total?.start += now - start
        idle?.start = now
    }

    // MARK: - Expiry

    /// The time at which to check the limits again. It may be too early, but is never too late.
    ///
    /// A limit that hasn't begun yet can't end earlier than a limit that begins now.
    func deadline(now: Int64 = Clock.now) -> Int64 {
        var begun = Int64.max
        forEachPending { begun = min(begun, $0.end) }
        let coming = min(firstByte?.nanoseconds ?? .max, idle?.nanoseconds ?? .max)
        return min(begun, coming == .max ? .max : now + max(coming, 1_000_000))
    }

    func expired(at now: Int64) -> (kind: TransportError.Timeout, limit: Duration)? {
        var expired: Limit?
        forEachPending { if now >= $0.end { expired = expired ?? $0 } }
        return expired.map { ($0.kind, $0.limit) }
    }

    /// Calls `body` with each limit that runs now.
    private func forEachPending(_ body: (Limit) -> Void) {
        if bodyWait != nil { return }
        if let total { body(total) }
        switch phase {
        case .connecting: if let connect { body(connect) }
        case .waiting:
            if let firstByte { body(firstByte) }
            if let idle { body(idle) }
        // A transfer is not idle while our own reader holds it back.
        case .sending, .receiving: if !isPaused, let idle { body(idle) }
        }
    }
}
#endif
