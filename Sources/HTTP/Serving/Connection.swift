import HTTPWire

/// A client's connection. Only the loop's thread uses it.
final class Connection {
    enum Phase {
        /// The server reads the next request, or waits for it.
        case reading
        /// The reply is known, and the server waits until the reply's delay has passed.
        case delayed
        /// The handler will give the reply later.
        case awaited
        case sending
        /// The server's owner still has to give more of the response's body.
        case streaming
        /// The client still has to acknowledge the data that was sent. After this, the connection is reset.
        case resetting
        /// The connection is kept open, and nothing is sent.
        case held
        /// The whole response is sent. Bytes that still arrive are read and discarded, so that no RST reaches the client before
        /// the response.
        case lingering
        case closed
    }

    let descriptor: Int32
    let serial: UInt32
    let client: ServerRequest.Client
    var phase = Phase.reading
    let reader: RequestReader
    /// The properties of the current request that are needed for its response.
    var answered = AnsweredRequest()
    var delayed: ServerReply?
    var outgoing: Outgoing?
    var stream: ResponseStream?
    /// The body of the request, if the owner takes it in parts and the end of the body hasn't arrived.
    var upload: Upload?
    /// The share of the memory for large bodies that this connection uses. Nil unless a large body is read as a whole.
    var bodyShare: BodyRoom.Share?
    /// Whether the descriptor may have bytes to read. False only if a call has reported that there are none.
    var canRead = false
    var canWrite = true
    var hasPeerEnded = false
    /// Whether the connection waits for its next turn.
    var isReady = false
    /// Whether no request has arrived on this connection yet.
    var isNew = true
    /// Whether the current deadline is the deadline for a complete head.
    var isInHead = false
    /// Whether bytes have arrived since the deadline was set.
    var hasReceived = false
    /// The connection's position in the order in which connections became idle.
    var idleOrder: UInt64 = 0
    /// The time at which the connection is reset at the latest.
    var resetTime: Milliseconds = 0
    var deadline: Milliseconds
    /// The time at which `DeadlineHeap` checks the deadline. `heapIndex` is the connection's index in the heap.
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

    /// Whether the server's owner still has to give the reply or the rest of the reply's body.
    var awaitsOwner: Bool { phase == .awaited || stream?.hasEnded == false }

    /// Whether the owner has asked for a part of the body.
    var wantsBody: Bool { upload?.isWanted == true }

    /// Whether the connection is between two requests.
    var isIdle: Bool { phase == .reading && reader.isEmpty }

    /// Whether a head has begun to arrive and isn't complete.
    var hasUnfinishedHead: Bool { phase == .reading && !reader.isEmpty && !reader.isInBody }
}

/// The properties of a request that are needed for its response.
struct AnsweredRequest {
    /// Whether the connection is kept open or closed after the response.
    enum Ending {
        case keep
        case close
    }

    var number: UInt64 = 0
    var isHead = false
    var isHTTP10 = false
    var ending = Ending.keep
}
