import HTTPWire

/// A client's connection. Only the loop's thread touches it.
final class Connection {
    enum Phase {
        /// The next request is read, or waited for.
        case reading
        /// The reply is there, and its time hasn't come.
        case delayed
        /// The handler gives the reply later.
        case awaited
        case sending
        /// More of a body is to come from the owner.
        case streaming
        /// What was sent is confirmed, then the connection is reset.
        case resetting
        /// Nothing is sent.
        case held
        /// Everything is sent; what comes is discarded, so that no RST overtakes it.
        case lingering
        case closed
    }

    let descriptor: Int32
    let serial: UInt32
    let client: ServerRequest.Client
    var phase = Phase.reading
    let reader: RequestReader
    /// What the request that is answered asks of its response.
    var answered = AnsweredRequest()
    var delayed: ServerReply?
    var outgoing: Outgoing?
    var stream: ResponseStream?
    /// The body of the request, if it is taken in parts and its end hasn't come.
    var upload: Upload?
    /// What a large body that is read whole takes of the room for all bodies.
    var bodyShare: BodyRoom.Share?
    /// Whether the descriptor may have something, since no call has said that it has nothing.
    var canRead = false
    var canWrite = true
    var hasPeerEnded = false
    /// Whether the connection waits for its next turn.
    var isReady = false
    /// Whether no request has come.
    var isNew = true
    /// Whether the deadline is that of a head.
    var isInHead = false
    /// Whether bytes have come since the deadline was set.
    var hasReceived = false
    /// Its place in the order in which connections have become idle.
    var idleOrder: UInt64 = 0
    /// When it is reset at the latest.
    var resetTime: Milliseconds = 0
    var deadline: Milliseconds
    /// When `DeadlineHeap` looks at the deadline, and its place there.
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

    /// Whether something is expected of the server's owner.
    var awaitsOwner: Bool { phase == .awaited || stream?.hasEnded == false }

    /// Whether the owner has asked for a part of the body.
    var wantsBody: Bool { upload?.isWanted == true }

    /// Whether it is between two requests.
    var isIdle: Bool { phase == .reading && reader.isEmpty }

    /// Whether a head has begun and isn't complete.
    var hasUnfinishedHead: Bool { phase == .reading && !reader.isEmpty && !reader.isInBody }
}

/// What a response has to know about its request.
struct AnsweredRequest {
    /// What becomes of the connection afterwards.
    enum Ending {
        case keep
        case close
    }

    var number: UInt64 = 0
    var isHead = false
    var isHTTP10 = false
    var ending = Ending.keep
}
