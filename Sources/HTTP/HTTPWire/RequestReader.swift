/// Reads the requests of a connection, one after the other, from bytes as they arrive.
///
/// This is a class because each access to a struct that another object stores costs a copy, or a check for exclusive access.
package final class RequestReader {
    package enum Event: Sendable {
        /// A request whose client waits for `100 Continue` before it sends the body.
        case expects(RequestHead)
        case request(RequestHead, body: [UInt8])
        /// More than `RequestLimits.wholeBody` bytes of a body have arrived, perhaps all bytes. After a call of `streamBody`, the
        /// body is returned in parts. Without this call, the body is read as a whole.
        case grows(RequestHead)
        /// The next bytes of a body that is returned in parts. There are no bytes if only the end of the body has arrived.
        case part([UInt8], isLast: Bool)
    }

    private var state: RequestReaderState

    package init(limits: RequestLimits = RequestLimits()) { state = RequestReaderState(limits: limits) }

    /// Whether no byte of the next request has arrived.
    package var isEmpty: Bool { state.incoming == nil && !state.hasRest }
    /// Whether a head has arrived, but not yet its whole body.
    package var isInBody: Bool { state.incoming != nil }
    /// Whether bytes after the last request have arrived.
    package var hasRest: Bool { state.hasRest }
    /// The part of the current request's head that has arrived; nil before the end of the request line.
    package var head: RequestHead? { state.head }

    /// The number of bytes that are kept of an incomplete body.
    package var bodyCount: Int { state.incoming?.body.count ?? 0 }

    /// The first `RequestLimits.wholeBody` bytes of the growing body (see `Event.grows`).
    package var bodyStart: [UInt8] { state.bodyStart }

    /// From now on, returns the growing body (see `Event.grows`) in parts. The first part has all bytes that have arrived so far.
    package func streamBody() { state.incoming?.isStreamed = true }

    package func append(_ bytes: UnsafeRawBufferPointer) { state.append(bytes) }

    /// The next event; nil if more bytes are needed.
    package func next() throws(WireProblem) -> Event? { try state.next() }
}

/// The state of a reader. It is one struct, so that a call of the class needs only one check for exclusive access.
private struct RequestReaderState {
    /// A request whose body isn't complete.
    struct Incoming {
        let head: RequestHead
        var hasAnnounced = false
        var hasGrown = false
        var isStreamed = false
        /// The bytes that have arrived and were not yet returned as a part.
        var body: [UInt8] = []
        /// The number of bytes that have arrived, for a body with a stated length.
        var count = 0
        var chunks: ChunkReader?

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            body += bytes
            count += bytes.count
        }

        mutating func readChunks(_ bytes: ArraySlice<UInt8>) throws(WireProblem) -> Int {
            try chunks?.read(bytes, into: &body) ?? 0
        }
    }

    private var buffer: [UInt8] = []
    /// The index up to which the buffer has been read.
    private var used = 0
    private var parser: RequestParser
    var incoming: Incoming?

    init(limits: RequestLimits) {
        parser = RequestParser(limits: limits)
    }

    private var limits: RequestLimits { parser.limits }

    var head: RequestHead? { incoming?.head ?? parser.start(of: buffer) }

    var hasRest: Bool { used < buffer.count }

    var bodyStart: [UInt8] { Array(incoming?.body.prefix(limits.wholeBody) ?? []) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if used > 0 {
            // A parser counts from the beginning of its buffer.
            buffer = Array(buffer[used...])
            used = 0
            parser.restart(at: 0)
        }
        buffer += bytes
    }

    mutating func next() throws(WireProblem) -> RequestReader.Event? {
        if incoming == nil {
            guard used < buffer.count, let head = try parser.read(buffer) else { return nil }
            take(upTo: head.end)
            switch head.body {
            case .none: return .request(head, body: [])
            case .length(let length):
                incoming = Incoming(head: head)
                guard length <= limits.body else {
                    throw WireProblem(413, "the body has more than \(limits.body) bytes")
                }
            case .chunked: incoming = Incoming(head: head, chunks: ChunkReader(limits: limits))
            }
        }
        return try nextOfBody()
    }

    private mutating func nextOfBody() throws(WireProblem) -> RequestReader.Event? {
        guard let head = incoming?.head else { return nil }
        let isComplete: Bool
        switch head.body {
        case .length(let length):
            let end = min(buffer.count, used + length - (incoming?.count ?? 0))
            incoming?.add(buffer[used..<end])
            take(upTo: end)
            isComplete = incoming?.count == length
        case .chunked:
            let count = try incoming?.readChunks(buffer[used...]) ?? 0
            take(upTo: used + count)
            isComplete = incoming?.chunks?.isDone == true
        case .none: isComplete = true
        }
        if incoming?.isStreamed == true { return nextPart(isLast: isComplete) }
        if incoming?.hasGrown == false, (incoming?.body.count ?? 0) > limits.wholeBody {
            incoming?.hasGrown = true
            return .grows(head)
        }
        if isComplete {
            let body = incoming?.body ?? []
            incoming = nil
            return .request(head, body: body)
        }
        if head.awaitsContinue, incoming?.body.isEmpty == true, incoming?.hasAnnounced == false {
            incoming?.hasAnnounced = true
            return .expects(head)
        }
        return nil
    }

    /// The bytes of the body that arrived since the last part; nil if no bytes arrived and the body hasn't ended.
    private mutating func nextPart(isLast: Bool) -> RequestReader.Event? {
        let part = incoming?.body ?? []
        if isLast { incoming = nil } else { incoming?.body = [] }
        return part.isEmpty && !isLast ? nil : .part(part, isLast: isLast)
    }

    /// Marks the bytes up to `end` as read. A buffer that is read to its end is freed, because a connection between two requests
    /// needs no buffer.
    private mutating func take(upTo end: Int) {
        used = end
        if used == buffer.count {
            buffer = []
            used = 0
        }
        parser.restart(at: used)
    }
}
