import ReqcliBasics

/// The HTTP/2 connections that servers are closing, and up to which stream they answer on each (GOAWAY, RFC 9113 §6.8).
///
/// A request on a later stream has not been looked at and may be sent again, whatever its method. libcurl sends it again by
/// itself only five times, and treats it like one whose fate is unknown. Its messages are the only place that shows the
/// difference. If their words change, such a request fails instead of being sent again.
final class ClosingConnections {
    /// Connections by their local port.
    private var lastStreams: [Int32: Int] = [:]

    /// Takes note of a request's first use of a connection.
    func opened(_ port: Int32) {
        lastStreams[port] = nil
    }

    /// True if the server has said that it won't answer this stream.
    func refuses(stream: Int?, on port: Int32) -> Bool {
        guard let stream, let last = lastStreams[port] else { return false }
        return stream > last
    }

    /// Reads one of libcurl's messages about a transfer on that connection.
    func read(_ message: UnsafeRawBufferPointer, on port: Int32) {
        guard Self.find("GOAWAY", in: message) != nil else { return }
        lastStreams[port] = Self.number(after: "last_stream=", in: message)
    }

    /// The stream that one of libcurl's messages says it has opened: before 8.1, and since.
    static func openedStream(_ message: UnsafeRawBufferPointer) -> Int? {
        if let stream = number(after: "Using Stream ID: ", in: message) { return stream }
        return find("OPENED stream", in: message) == nil ? nil : number(after: "[HTTP/2] [", in: message)
    }

    private static func number(after mark: StaticString, in message: UnsafeRawBufferPointer) -> Int? {
        guard let start = find(mark, in: message) else { return nil }
        return Int(String(decoding: message[start...].prefix(while: \.isDigit), as: UTF8.self))
    }

    /// Where the text behind a mark begins.
    private static func find(_ mark: StaticString, in message: UnsafeRawBufferPointer) -> Int? {
        let mark = UnsafeRawBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
        guard message.count >= mark.count else { return nil }
        let start = (0...message.count - mark.count).first { message[$0...].starts(with: mark) }
        return start.map { $0 + mark.count }
    }
}
