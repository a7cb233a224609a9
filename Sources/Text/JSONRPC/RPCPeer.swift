import ReqcliBasics
package import ReqcliText

/// The queue of messages from the other side, and the form of messages to it. The bytes themselves are read and written elsewhere.
package struct RPCPeer: ~Copyable {
    private let framing: Framing
    private let write: (_ bytes: [UInt8]) -> Void
    private let cancelMethod: String
    private let cancelKey: String
    private let answersCancelled: Bool
    private var frames: FrameReader
    private var queue: [RPCMessage] = []
    private var nextIndex = 0
    private var cancelled: Set<RequestID> = []
    /// The request that is being carried out while messages are received; it can still be cancelled.
    package var running: RequestID? { didSet { isRunningCancelled = false } }
    package private(set) var isRunningCancelled = false
    private var lastID = 0

    /// - Parameters:
    ///   - cancelMethod: The notification that cancels a request, and the key of the request's id in it.
    ///   - answersCancelled: Whether a cancelled request is answered with an error.
    package init(
        _ framing: Framing, cancelMethod: String, cancelKey: String, answersCancelled: Bool,
        write: @escaping (_ bytes: [UInt8]) -> Void
    ) {
        self.framing = framing
        self.cancelMethod = cancelMethod
        self.cancelKey = cancelKey
        self.answersCancelled = answersCancelled
        self.write = write
        frames = FrameReader(framing)
    }

    /// Queues the messages in these bytes. Damaged messages are answered, and cancelled ones marked, at once.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        frames.add(bytes)
        while let frame = frames.next() {
            switch frame {
            case .damaged(let reason): send(error: RPCError(RPCError.parse, reason), to: nil)
            case .message(let bytes):
                switch RPCMessage.read(bytes) {
                case .failure(let damaged): send(error: damaged.error, to: damaged.id)
                case .success(.notification(cancelMethod, let params)):
                    guard let id = RequestID(params?[cancelKey]) else { continue }
                    if id == running { isRunningCancelled = true } else if isQueued(id) { cancelled.insert(id) }
                case .success(let message): queue.append(message)
                }
            }
        }
    }

    private func isQueued(_ id: RequestID) -> Bool {
        queue[nextIndex...].contains { if case .request(id, _, _) = $0 { true } else { false } }
    }

    package var isEmpty: Bool { nextIndex == queue.count }

    /// The next message that isn't cancelled.
    package mutating func next() -> RPCMessage? {
        while nextIndex < queue.count {
            let message = queue[nextIndex]
            nextIndex += 1
            if nextIndex == queue.count {
                queue.removeAll(keepingCapacity: true)
                nextIndex = 0
            }
            guard case .request(let id, _, _) = message, cancelled.remove(id) != nil else { return message }
            if answersCancelled { send(error: RPCError(RPCError.cancelled, "the request was cancelled"), to: id) }
        }
        return nil
    }

    // MARK: Sending

    package func send(result: OrderedJSON, to id: RequestID) {
        send(.object(["jsonrpc": "2.0", "id": id.json, "result": result]))
    }

    package func send(error: RPCError, to id: RequestID?) {
        send(.object(["jsonrpc": "2.0", "id": id?.json ?? .null, "error": error.json]))
    }

    package func notify(_ method: String, _ params: OrderedJSON) {
        send(.object(["jsonrpc": "2.0", "method": .string(method), "params": params]))
    }

    /// Sends a request, and returns the id of its response.
    @discardableResult
    package mutating func request(_ method: String, _ params: OrderedJSON?) -> RequestID {
        lastID += 1
        let id = RequestID.text("reqcli-\(lastID)")
        send(.object(["jsonrpc": "2.0", "id": id.json, "method": .string(method), "params": params]))
        return id
    }

    private func send(_ message: OrderedJSON) { write(framing.framed(message.compact)) }
}
