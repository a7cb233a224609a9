#if os(Linux)
import ReqcliBasics

/// The HTTP/2 connections that servers are closing. For each connection, the number of the last stream that the server answers is
/// stored (GOAWAY, RFC 9113 §6.8).
///
/// The server has not looked at a request on a later stream, so the request may be sent again, whatever its method. libcurl itself
/// sends such a request again only five times, and treats it like a request that the server may have acted on. Only libcurl's log
/// messages show the difference. If a later libcurl words these messages differently, such a request fails instead of being sent
/// again.
final class ClosingConnections {
    /// The last stream of each connection, by the local port of the connection.
    private var lastStreams: [Int32: Int] = [:]

    /// Notes that a connection was opened, and forgets an earlier one with the same local port.
    func opened(_ port: Int32) {
        lastStreams[port] = nil
    }

    /// True if the server has said that it won't answer this stream.
    func refuses(stream: Int?, on port: Int32) -> Bool {
        guard let stream, let last = lastStreams[port] else { return false }
        return stream > last
    }

    /// Reads one of libcurl's messages about a transfer on the connection with this local port.
    func read(_ message: UnsafeRawBufferPointer, on port: Int32) {
        guard Self.find("GOAWAY", in: message) != nil else { return }
        lastStreams[port] = Self.number(after: "last_stream=", in: message)
    }

    /// The stream that libcurl reports as opened in a message. The first form of the message is from before libcurl 8.1, the
    /// second form from 8.1 and later.
    static func openedStream(_ message: UnsafeRawBufferPointer) -> Int? {
        if let stream = number(after: "Using Stream ID: ", in: message) { return stream }
        return find("OPENED stream", in: message) == nil ? nil : number(after: "[HTTP/2] [", in: message)
    }

    private static func number(after mark: StaticString, in message: UnsafeRawBufferPointer) -> Int? {
        guard let start = find(mark, in: message) else { return nil }
        return Int(String(decoding: message[start...].prefix(while: \.isDigit), as: UTF8.self))
    }

    /// The index after a mark; nil if the message does not contain it.
    private static func find(_ mark: StaticString, in message: UnsafeRawBufferPointer) -> Int? {
        let mark = UnsafeRawBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
        guard message.count >= mark.count else { return nil }
        let start = (0...message.count - mark.count).first { message[$0...].starts(with: mark) }
        return start.map { $0 + mark.count }
    }
}
#endif
