import CLibcurl
import RequestBuilding

/// One request on its way: the state that libcurl's callbacks read and write. It belongs to the engine's thread.
final class Transfer {
    let id: Engine.ID
    let plan: TransferPlan
    let receiver: any TransferReceiver
    let easy: OpaquePointer

    /// Called when the receiver begins to hold the transfer back.
    var onHoldBack: () -> Void = {}
    /// Called when the receiver is given something.
    var onNews: (any TransferReceiver) -> Void = { _ in }

    private(set) var isHeldBack = false

    var parser = HeadParser()
    var reader: UploadReader?
    /// Our own reason for ending the transfer, which says more than libcurl's code does.
    var failure: TransportError?
    /// True where our callback ended a transfer whose answer is complete.
    private var isCompleteEarly = false

    private(set) var clock: TransferClock
    private var lists: [UnsafeMutablePointer<lc_slist>] = []
    private let errorText: UnsafeMutablePointer<CChar>

    init(id: Engine.ID, plan: TransferPlan, receiver: any TransferReceiver, easy: OpaquePointer) {
        self.id = id
        self.plan = plan
        self.receiver = receiver
        self.easy = easy
        reader = plan.upload.map(UploadReader.init)
        clock = TransferClock(plan.options.timeouts)
        errorText = .allocate(capacity: LC_CURL_ERROR_SIZE)
        errorText.pointee = 0
    }

    deinit {
        errorText.deallocate()
    }

    /// Frees what libcurl was lent; the handle must have left the multi handle.
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
        // It may name the proxy in full, and that may carry a password.
        let sentence = String(cString: errorText)
        guard let proxy, proxy.contains("@") else { return sentence }
        return sentence.replacing(proxy, with: proxyAddress)
    }
}

// MARK: - What libcurl tells

extension Transfer {
    func willSendRequest() {
        clock.connected()
        if reader == nil { clock.requestSent() }
    }

    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        clock.answered()
        switch parser.add(line) {
        case .none:
            return true
        case .tooLarge:
            failure = error(.badResponse, "its head is larger than \(HeadParser.limit >> 10) KiB")
            return false
        case .head:
            receiver.receive(completedHead())
            onNews(receiver)
            // libcurl would wait for the body that the head of a HEAD's answer announces, if the request had one itself.
            isCompleteEarly = plan.method == "HEAD" && reader != nil
            return !isCompleteEarly
        }
    }

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        clock.touched()
        if receiver.receive(bytes) {
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
        guard let count = reader?.read(into: buffer) else {
            failure = error(.unreadableBody, reader?.problem ?? "")
            return LC_CURL_READFUNC_ABORT
        }
        if count == 0 { clock.requestSent() }
        return count
    }

    func rewindBody(to offset: Int64) -> Bool {
        reader?.seek(to: offset) ?? false
    }

    /// Goes on after being held back. libcurl offers again at once, and may be held back again at once.
    func resume() {
        isHeldBack = false
        clock.touched()
        _ = lc_easy_pause(easy, LC_CURLPAUSE_CONT)
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
        clock.expired(at: now).map { error(.timeout($0.kind), "limit \($0.limit.secondsText) s") }
    }

    func result(code: Int) -> Result<ResponseBody.Ending, TransportError> {
        if let failure { return .failure(failure) }
        let isDone = code == LC_CURLE_OK || isCompleteEarly
        guard isDone else { return .failure(curlFailure(code: code)) }
        // libcurl takes a connection that ends within the head for the end of the answer.
        guard parser.isComplete else { return .failure(error(.truncated, "its head is not complete")) }
        return .success(ResponseBody.Ending(trailers: HeaderFields(parser.trailers), timings: timings()))
    }

    func error(_ kind: TransportError.Kind, _ detail: String = "") -> TransportError {
        TransportError(kind, target: plan.authority, detail: detail)
    }

    private func timings() -> Timings {
        Timings(
            nameLookup: time(LC_CURLINFO_NAMELOOKUP_TIME_T),
            connect: time(LC_CURLINFO_CONNECT_TIME_T), tls: time(LC_CURLINFO_APPCONNECT_TIME_T),
            firstByte: time(LC_CURLINFO_STARTTRANSFER_TIME_T),
            total: time(LC_CURLINFO_TOTAL_TIME_T))
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
        var value: Int64 = 0
        _ = lc_get_offset(easy, info, &value)
        return .microseconds(value)
    }
}
