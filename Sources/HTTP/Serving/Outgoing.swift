import CReqcliSystem
import Glibc
import ReqcliBasics

/// The part of a response that has not been passed to the socket yet.
struct Outgoing {
    let start: [UInt8]
    let body: ServerReply.Body
    /// The number of the body's bytes to send. If the response is truncated, this is less than the body's length.
    let bodyCount: Int
    let end: [UInt8]
    let pace: Pace?
    var sent = 0
    /// The time at which the socket last accepted bytes.
    var progress: Milliseconds
    /// Whether this is the response `100 Continue`, after which the server continues to read the request.
    var isContinue = false

    init(
        start: [UInt8], body: ServerReply.Body = .none, bodyCount: Int = 0, end: [UInt8] = [], pace: Pace? = nil,
        now: Milliseconds
    ) {
        self.start = start
        self.body = body
        self.bodyCount = bodyCount
        self.end = end
        self.pace = pace
        progress = now
    }

    static func continuation(at now: Milliseconds) -> Outgoing {
        var outgoing = Outgoing(start: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), now: now)
        outgoing.isContinue = true
        return outgoing
    }

    /// The time over which a body is sent evenly.
    struct Pace {
        let start: Milliseconds
        let time: Milliseconds

        /// The number of bytes that may be sent by now, if the body has `count` bytes.
        func allowed(_ count: Int, at now: Milliseconds) -> Int {
            now - start >= time ? count : Int(Double(count) * Double(now - start) / Double(time))
        }
    }

    enum Outcome {
        case sent
        /// All bytes that may be sent by now are sent.
        case paced(until: Milliseconds)
        case blocked
        /// More bytes could be sent, but it is the turn of other connections.
        case partly
        case failed
    }

    /// The maximum number of bytes that are sent before the turn of other connections.
    private static let turn = 1 << 20

    mutating func send(to descriptor: Int32, at now: Milliseconds) -> Outcome {
        let total = start.count + bodyCount + end.count
        let body = pace?.allowed(bodyCount, at: now) ?? bodyCount
        let allowed = body == bodyCount ? total : start.count + body
        let first = sent
        while sent < allowed {
            guard sent - first < Self.turn else { return .partly }
            let count = sendNext(upTo: min(allowed, first + Self.turn), descriptor)
            if count > 0 {
                sent += count
                progress = now
            } else if count < 0, errno == EAGAIN {
                return .blocked
            } else if count == 0 || errno != EINTR {
                // The count is 0 if the file has become shorter since its size was read.
                return .failed
            }
        }
        guard sent < total, let pace else { return .sent }
        // Waits at least 20 ms, because fifty pieces a second look smooth enough.
        let next = pace.start + Milliseconds(Double(pace.time) * Double(body + 1) / Double(max(1, bodyCount))) + 1
        return .paced(until: min(max(next, now + 20), pace.start + pace.time))
    }

    private func sendNext(upTo allowed: Int, _ descriptor: Int32) -> Int {
        let bodyEnd = start.count + bodyCount
        if sent < start.count { return Self.send(start, sent, allowed, descriptor) }
        guard sent < bodyEnd else { return Self.send(end, sent - bodyEnd, allowed - bodyEnd, descriptor) }
        let place = sent - start.count
        switch body {
        case .none, .stream: return 0
        case .bytes(let bytes):
            return Self.send(bytes[..<bodyCount], place, allowed - start.count, descriptor)
        case .file(let file, let range):
            var offset = off_t(range.lowerBound + place)
            return sendfile(descriptor, file.descriptor, &offset, min(allowed - start.count, bodyCount) - place)
        }
    }

    /// - Parameter allowed: The end of the bytes that may be sent, counted from the start of `bytes`. If more data follows
    ///   `bytes`, this is beyond their end.
    private static func send(_ bytes: some Collection<UInt8>, _ from: Int, _ allowed: Int, _ descriptor: Int32) -> Int {
        let end = min(bytes.count, allowed)
        let more = allowed > end ? Int32(MSG_MORE) : 0
        return bytes.withContiguousStorageIfAvailable {
            Glibc.send(descriptor, $0.baseAddress?.advanced(by: from), end - from, Int32(MSG_NOSIGNAL) | more)
        } ?? 0
    }
}
