#if os(Linux)
import CReqcliLibcurl
import RequestBuilding

/// One request that is being sent: the state that libcurl's callbacks read and write. Only the engine's thread uses it.
final class Transfer {
    let id: Engine.ID
    let plan: TransferPlan
    let receiver: TransportExchange
    let easy: OpaquePointer

    /// Called when the receiver begins to hold the transfer back.
    var onHoldBack: () -> Void = {}
    /// Called when the transfer begins to wait for more of the request's body.
    var onAwaitBody: () -> Void = {}
    /// Called when a response begins while the transfer waits for more of the request's body.
    var onEarlyResponse: () -> Void = {}
    /// Called when the receiver was given a head or bytes of the body.
    var onNews: (TransportExchange) -> Void = { _ in }

    /// Whether the transfer is paused because the reader of the response is too slow.
    private(set) var isHeldBack = false
    /// Whether the transfer waits for more of the request's body.
    private(set) var awaitsBody = false

    var parser = HeadParser()
    var reader: UploadReader?
    /// Our own reason for ending the transfer, which says more than libcurl's code does.
    var failure: TransportError?
    /// The number of bytes of the response's body.
    private var received: Int64 = 0
    /// True if our callback ended a transfer whose response is complete.
    private var isCompleteEarly = false

    /// True once libcurl has been allowed to send the request.
    private var hasBegun = false
    /// True once it is known that the server has not looked at the request: the server refused its HTTP/2 stream, or the
    /// connection had unread bytes before the request was sent.
    private(set) var isRefused = false
    /// The number of times that this transfer was refused before.
    private let refusals: Int
    /// The HTTP/2 stream of the request, and the local port of the connection.
    private var stream: Int?
    private var localPort: Int32 = 0
    let pool: ConnectionPool

    private(set) var clock: TransferClock
    /// The time at which the engine looks at the clock next; `max` if it doesn't.
    var nextLook = Int64.max
    private var lists: [UnsafeMutablePointer<lc_slist>] = []
    private let errorText: UnsafeMutablePointer<CChar>
    /// The socket that was opened last for this transfer; -1 if none was.
    let socket: UnsafeMutablePointer<Int32>

    /// - Parameter refused: The transfer that the new transfer replaces. The new transfer continues the clock of the old
    ///   transfer, so that the time limits include both transfers.
    init(
        id: Engine.ID, plan: TransferPlan, receiver: TransportExchange, easy: OpaquePointer,
        pool: ConnectionPool, after refused: Transfer? = nil
    ) {
        self.pool = pool
        self.id = id
        self.plan = plan
        self.receiver = receiver
        self.easy = easy
        reader = plan.upload.map(UploadReader.init)
        refusals = refused.map { $0.refusals + 1 } ?? 0
        clock = refused?.clock ?? TransferClock(plan.settings.timeouts)
        errorText = .allocate(capacity: LC_CURL_ERROR_SIZE)
        errorText.pointee = 0
        socket = .allocate(capacity: 1)
        socket.pointee = -1
        clock.startConnecting()
    }

    deinit {
        errorText.deallocate()
        socket.deallocate()
    }

    /// Frees the lists that libcurl uses. The handle must have been removed from the multi handle before.
    func dispose() {
        for list in lists { lc_slist_free_all(list) }
        lists = []
    }

    /// Keeps a list until `dispose`, as libcurl requires.
    func keep(_ list: UnsafeMutablePointer<lc_slist>?) -> UnsafeMutablePointer<lc_slist>? {
        if let list { lists.append(list) }
        return list
    }

    var errorBuffer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(errorText) }

    /// libcurl's sentence about what went wrong; may be empty.
    var errorSentence: String {
        // The sentence may contain the proxy's URL with a password.
        let sentence = String(cString: errorText)
        guard let proxy, proxy.contains("@") else { return sentence }
        return sentence.replacing(proxy, with: proxyAddress)
    }
}

// MARK: - Callbacks from libcurl

extension Transfer {
    /// Decides whether libcurl may send the request now; false ends the transfer.
    ///
    /// If a connection ends without a response, libcurl sends the request again, up to five times. The server may already have
    /// acted on the request, so sending again is allowed only as long as no byte of the request has been sent.
    func maySendRequest(from localPort: Int32) -> Bool {
        if hasBegun, long(LC_CURLINFO_REQUEST_SIZE) > 0 {
            isRefused = isRefused || pool.closing.refuses(stream: stream, on: self.localPort)
            isCompleteEarly = parser.isComplete
            return false
        }
        hasBegun = true
        self.localPort = localPort
        if long(LC_CURLINFO_NUM_CONNECTS) > 0 {
            pool.closing.opened(localPort)
            pool.kept.opened(localPort, socket.pointee)
        } else if pool.kept.take(localPort, of: plan.authority) {
            // Bytes have arrived before the request was sent, so they are not its response. libcurl closes this connection, and
            // the request is sent on another connection.
            _ = lc_set_long(easy, LC_CURLOPT_FORBID_REUSE, 1)
            isRefused = true
            return false
        }
        clock.connected()
        if reader == nil { clock.requestSent() }
        return true
    }

    /// Reads one of libcurl's messages, which show refused and closing streams; see ``ClosingConnections``.
    func receiveMessage(_ text: UnsafeRawBufferPointer) {
        if text.starts(with: "REFUSED_STREAM".utf8) { isRefused = true }
        if let opened = ClosingConnections.openedStream(text) {
            stream = opened
            pool.kept.hasStreams(localPort)
        }
        pool.closing.read(text, on: localPort)
    }

    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        let event = parser.add(line)
        // A server that has sent only interim heads has not answered yet.
        if parser.isInterim { clock.touched() } else { clock.answered() }
        switch event {
        case .none:
            return true
        case .invalid(let reason):
            failure = error(.badResponse, reason)
            return false
        case .head:
            if let problem = parser.head.lengthProblem {
                failure = error(.badResponse, problem)
                return false
            }
            receiver.receive(completedHead())
            onNews(receiver)
            // Now that the response begins, libcurl may not need the rest of the request's body. A paused transfer would still
            // wait for the rest.
            if awaitsBody { onEarlyResponse() }
            // For a HEAD request with a body, libcurl would wait for the response body that the head announces. The server never
            // sends this body.
            isCompleteEarly = plan.method == "HEAD" && reader != nil
            return !isCompleteEarly
        }
    }

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        clock.touched()
        if receiver.receive(bytes) {
            received += Int64(bytes.count)
            onNews(receiver)
            return bytes.count
        }
        if !isHeldBack {
            isHeldBack = true
            onHoldBack()
        }
        clock.paused()
        return LC_CURL_WRITEFUNC_PAUSE
    }

    func readBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        clock.touched()
        switch reader?.read(into: buffer) ?? .end {
        case .failed:
            failure = error(.unreadableBody, reader?.problem ?? "")
            return LC_CURL_READFUNC_ABORT
        case .nothingYet:
            if !awaitsBody {
                awaitsBody = true
                onAwaitBody()
            }
            clock.awaitsBody()
            return LC_CURL_READFUNC_PAUSE
        case .end:
            clock.requestSent()
            return 0
        case .read(let count):
            // libcurl doesn't ask again once it has as many bytes as were announced.
            if reader?.isAtEnd == true { clock.requestSent() }
            return count
        }
    }

    func rewindBody(to offset: Int64) -> Bool {
        reader?.seek(to: offset) ?? false
    }

    /// Continues after being held back. libcurl offers the bytes again at once, and the transfer may be held back again at once.
    func resume() {
        isHeldBack = false
        clock.touched()
        _ = lc_easy_pause(easy, LC_CURLPAUSE_CONT)
    }

    /// Continues with the request's body. libcurl asks for more of it at once, and may have to wait again.
    func resumeBody() {
        awaitsBody = false
        clock.bodyCame()
        _ = lc_easy_pause(easy, isHeldBack ? LC_CURLPAUSE_RECV : LC_CURLPAUSE_CONT)
    }

    private func completedHead() -> ResponseHead {
        var head = parser.head
        head.url = plan.url
        if let address = string(LC_CURLINFO_PRIMARY_IP), !address.isEmpty {
            head.connection = ResponseHead.Connection(
                address: address, port: long(LC_CURLINFO_PRIMARY_PORT),
                isReused: long(LC_CURLINFO_NUM_CONNECTS) == 0)
        }
        return head
    }
}

// MARK: - The end

extension Transfer {
    var deadline: Int64 { clock.deadline() }

    func timeout(at now: Int64) -> TransportError? {
        guard let (kind, limit) = clock.expired(at: now) else { return nil }
        if kind == .firstByte, isUploading {
            // Bytes that libcurl has read from the body may not have been sent yet.
            clock.stillSending(now: now)
            return nil
        }
        return withTimings(error(.timeout(kind), "limit \(limit.secondsText) s"))
    }

    private var isUploading: Bool {
        guard let size = plan.upload.flatMap(\.size) else { return false }
        return offset(LC_CURLINFO_SIZE_UPLOAD_T) < size
    }

    /// True if the request may be sent once more, because the server has not looked at it. For example, servers refuse requests
    /// when they close an HTTP/2 connection. The number of attempts is limited, in case a server refuses every attempt.
    var canStartAgain: Bool {
        isRefused && failure == nil && !parser.hasBegun && refusals < 100 && plan.upload?.feed?.hasBegun != true
    }

    func result(code: Int) -> Result<ResponseBody.Ending, TransportError> {
        if let failure { return .failure(withTimings(failure)) }
        let isDone = code == LC_CURLE_OK || isCompleteEarly || hasAnsweredEarly
        guard isDone else { return .failure(withTimings(curlFailure(code: code))) }
        // If a connection ends within the head, libcurl treats this as the end of the response.
        guard parser.isComplete else {
            return .failure(withTimings(error(.truncated, "the head of the response is incomplete")))
        }
        return .success(ResponseBody.Ending(trailers: HeaderFields(parser.trailers), timings: timings()))
    }

    /// Whether the response was complete before the end of the request's body, whatever happened to the rest of that body.
    private var hasAnsweredEarly: Bool {
        guard plan.upload?.feed != nil, parser.isComplete else { return false }
        return parser.head.headers["Content-Length"].flatMap { Int64($0) } == received
    }

    func error(_ kind: TransportError.Kind, _ detail: String = "") -> TransportError {
        TransportError(kind, target: plan.authority, detail: detail)
    }

    private func withTimings(_ error: TransportError) -> TransportError {
        var error = error
        error.timings = timings()
        return error
    }

    /// The times of the transfer up to now. On a connection that was already open, libcurl gives a few microseconds for the steps that
    /// open one.
    private func timings() -> Timings {
        let isNew = long(LC_CURLINFO_NUM_CONNECTS) > 0
        func sinceBegin(_ time: Int64?) -> Duration { time.map { .nanoseconds($0 - clock.began) } ?? .zero }
        // libcurl has this time since 8.10. In older versions, the last byte counts as sent when libcurl has taken it.
        let posted = time(LC_CURLINFO_POSTTRANSFER_TIME_T)
        return Timings(
            queued: .nanoseconds(clock.began - receiver.made),
            nameLookup: isNew ? time(LC_CURLINFO_NAMELOOKUP_TIME_T) : .zero,
            connect: isNew ? time(LC_CURLINFO_CONNECT_TIME_T) : .zero,
            tls: isNew ? time(LC_CURLINFO_APPCONNECT_TIME_T) : .zero,
            sending: sinceBegin(clock.sending),
            sent: posted > .zero ? max(posted, sinceBegin(clock.sending)) : sinceBegin(clock.sent),
            firstByte: sinceBegin(clock.response),
            total: sinceBegin(Clock.now))
    }

    func long(_ info: Int) -> Int {
        var value = 0
        _ = lc_get_long(easy, info, &value)
        return value
    }

    private func string(_ info: Int) -> String? {
        var value: UnsafePointer<CChar>?
        _ = lc_get_string(easy, info, &value)
        return value.map { String(cString: $0) }
    }

    private func time(_ info: Int) -> Duration {
        .microseconds(offset(info))
    }

    private func offset(_ info: Int) -> Int64 {
        var value: Int64 = 0
        _ = lc_get_offset(easy, info, &value)
        return value
    }
}
#endif
