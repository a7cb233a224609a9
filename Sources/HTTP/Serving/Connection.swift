import HTTPWire

/// A client's connection. Only the loop's thread touches it.
final class Connection {
    enum Phase {
        /// The next request is read, or waited for.
        case reading
        /// The reply is known, and waits until its delay has passed.
        case delayed
        /// The handler gives the reply later.
        case awaited
        case sending
        /// The server's owner still has to give more of the response's body.
        case streaming
        /// The client still has to acknowledge what was sent; then the connection is reset.
        case resetting
        /// The connection is kept open, and nothing is sent.
        case held
        /// The whole response is sent. Bytes that still arrive are discarded, so that no RST overtakes the response.
        case lingering
        case closed
    }

    let descriptor: Int32
    let serial: UInt32
    let client: ServerRequest.Client
    var phase = Phase.reading
    let reader: RequestReader
    /// The properties of the current request that its response depends on.
    var answered = AnsweredRequest()
    var delayed: ServerReply?
    var outgoing: Outgoing?
    var stream: ResponseStream?
    /// The body of the request, if it is taken in parts and its end hasn't arrived.
    var upload: Upload?
    /// The share that a large body, if it is read whole, takes of the room for all bodies.
    var bodyShare: BodyRoom.Share?
    /// Whether the descriptor may have bytes to read, since no call has reported that it has none.
    var canRead = false
    var canWrite = true
    var hasPeerEnded = false
    /// Whether the connection waits for its next turn.
    var isReady = false
    /// Whether no request has arrived.
    var isNew = true
    /// Whether the deadline is the one for a complete head.
    var isInHead = false
    /// Whether bytes have arrived since the deadline was set.
    var hasReceived = false
    /// The connection's place in the order in which connections have become idle.
    var idleOrder: UInt64 = 0
    /// The latest time at which the connection is reset.
    var resetTime: Milliseconds = 0
    var deadline: Milliseconds
    /// The time at which `DeadlineHeap` looks at the deadline, and the connection's index in the heap.
    var wakeTime: Milliseconds = 0
    var heapIndex = -1

    init(
        _ descriptor: Int32, serial: UInt32, _ client: ServerRequest.Client, limits: RequestLimits,
        deadline: Milliseconds
    ) {
        self.descriptor = descriptor
        self.serial = serial
        self.client = client
        reader = RequestReader(limits: limits)
        self.deadline = deadline
    }

    /// Whether the server's owner still has to give the reply or the rest of its body.
    var awaitsOwner: Bool { phase == .awaited || stream?.hasEnded == false }

    /// Whether the owner has asked for a part of the body.
    var wantsBody: Bool { upload?.isWanted == true }

    /// Whether the connection is between two requests.
    var isIdle: Bool { phase == .reading && reader.isEmpty }

    /// Whether a head has begun and isn't complete.
    var hasUnfinishedHead: Bool { phase == .reading && !reader.isEmpty && !reader.isInBody }
}

/// The properties of a request that its response depends on.
struct AnsweredRequest {
    /// Whether the connection is kept after the response.
    enum Ending {
        case keep
        case close
    }

    var number: UInt64 = 0
    var isHead = false
    var isHTTP10 = false
    var ending = Ending.keep
}
