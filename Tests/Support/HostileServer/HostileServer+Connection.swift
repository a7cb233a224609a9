import Foundation
import Glibc

/// One connection of a ``HostileServer``, for its script. All calls block.
package final class HostileConnection {
    private let socket: Int32
    private let record: (HostileServer.Request) -> Void
    private var unread: [UInt8] = []

    init(socket: Int32, record: @escaping (HostileServer.Request) -> Void) {
        self.socket = socket
        self.record = record
    }

    // MARK: - Reading

    /// The next request, head and body; nil if the client has closed the connection.
    ///
    /// - Parameter whenHead: Called between head and body.
    package func readRequest(whenHead: () -> Void = {}) -> HostileServer.Request? {
        guard let head = readHead() else { return nil }
        whenHead()
        guard let body = readBody(after: head) else { return nil }
        let request = HostileServer.Request(head: head, body: body)
        record(request)
        return request
    }

    /// The head of the next request alone, for scripts that respond before the body arrives.
    package func readHead() -> String? {
        let mark: [UInt8] = [13, 10, 13, 10]
        var searched = 0
        while true {
            if let end = Self.range(of: mark, in: unread, from: max(0, searched - 3)) {
                let head = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end)
                return head
            }
            searched = unread.count
            guard fill() else { return nil }
        }
    }

    /// This many bytes, for protocols other than HTTP; nil if the client has closed the connection.
    package func read(_ count: Int) -> [UInt8]? { take(count) }

    private func readBody(after head: String) -> Data? {
        let request = HostileServer.Request(head: head, body: Data())
        if request.values("Expect").contains("100-continue") { send("HTTP/1.1 100 Continue\r\n\r\n") }
        if request.values("Transfer-Encoding").contains("chunked") { return readChunks() }
        let length = request.values("Content-Length").first.flatMap(Int.init) ?? 0
        return take(length).map { Data($0) }
    }

    private func readChunks() -> Data? {
        var body = Data()
        while true {
            guard let line = readLine(), let size = Int(line, radix: 16), let chunk = take(size) else { return nil }
            body += chunk
            guard readLine() == "" else { return nil }
            if size == 0 { return body }
        }
    }

    private func readLine() -> String? {
        while true {
            if let end = Self.range(of: [13, 10], in: unread, from: 0) {
                let line = String(decoding: unread[..<(end - 2)], as: UTF8.self)
                unread.removeFirst(end)
                return line
            }
            guard fill() else { return nil }
        }
    }

    private func take(_ count: Int) -> [UInt8]? {
        while unread.count < count { guard fill() else { return nil } }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    private func fill() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        unread.append(contentsOf: buffer[..<count])
        return true
    }

    /// Reads and discards everything until the client closes.
    package func waitForClose() {
        unread = []
        while fill() { unread = [] }
    }

    private static func range(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= mark.count else { return nil }
        return (start...max(start, bytes.count - mark.count))
            .first { bytes[$0...].starts(with: mark) }
            .map { $0 + mark.count }
    }

    // MARK: - Writing

    /// Sends text as UTF-8; false if the client has closed.
    @discardableResult
    package func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Sends bytes; false if the client has closed.
    @discardableResult
    package func send(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends a complete response with a Content-Length.
    @discardableResult
    package func respond(_ status: Int = 200, _ headers: [String] = [], body: String = "") -> Bool {
        let lines = ["HTTP/1.1 \(status) Some Reason"] + headers + ["Content-Length: \(body.utf8.count)"]
        return send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Closes the sending side and continues to read.
    package func closeSending() {
        shutdown(socket, Int32(SHUT_WR))
    }

    /// Ends the connection with a reset instead of a normal close.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        // The reset is sent after the script has returned, when the socket is closed.
    }

    /// Waits until the client's system has received all bytes that were sent.
    package func waitUntilReceived() {
        var unsent: Int32 = 0
        while ioctl(socket, UInt(TIOCOUTQ), &unsent) == 0, unsent > 0 { sched_yield() }
    }

    /// Waits, for scripts that send slowly or nothing.
    package func pause(_ seconds: Double) {
        Thread.sleep(forTimeInterval: seconds)
    }
}
