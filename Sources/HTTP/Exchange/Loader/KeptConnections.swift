#if os(Linux)
import Glibc

/// The connections that are kept for further requests, by their local ports.
///
/// If a server sends more bytes after a response, libcurl reads these bytes as the response to the next request. libcurl itself
/// checks for such bytes at most once a second. Therefore each request first calls `take(_:of:)`.
final class KeptConnections {
    private var descriptors: [Int32: Int32] = [:]
    /// The local ports of HTTP/2 connections, which may receive frames that belong to no request.
    private var streaming: Set<Int32> = []
    /// An upper bound of the number of idle connections to each server. It also counts those that the server has closed.
    private var idle: [String: Int] = [:]

    /// Notes that a connection was opened, and forgets an earlier one with the same local port.
    ///
    /// - Parameter socket: The socket that was opened last for the transfer. It may be another one than that of the connection, if
    ///   libcurl has tried several addresses.
    func opened(_ port: Int32, _ socket: Int32) {
        descriptors[port] = socket
        streaming.remove(port)
    }

    /// Notes that a request to a server has ended, so that its connection may be kept.
    func freed(for authority: String) { idle[authority, default: 0] += 1 }

    /// False if no connection to the server is idle. libcurl would look for one among all its connections to the server, which takes
    /// long if thousands of requests are waiting there.
    func mayHaveIdle(for authority: String) -> Bool { idle[authority] != nil }

    /// Notes that a connection uses HTTP/2.
    func hasStreams(_ port: Int32) { streaming.insert(port) }

    /// Notes that a request uses a kept connection to a server. Returns true if bytes have arrived on the connection before.
    func take(_ port: Int32, of authority: String) -> Bool {
        idle[authority] = idle[authority].flatMap { $0 > 1 ? $0 - 1 : nil }
        guard port > 0, !streaming.contains(port), let descriptor = descriptor(of: port) else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    private func descriptor(of port: Int32) -> Int32? {
        let known = descriptors[port]
        if let known, known == Self.notFound || Self.localPort(of: known) == port {
            return known == Self.notFound ? nil : known
        }
        let found = (0..<Self.mostDescriptors).first { Self.localPort(of: $0) == port }
        descriptors[port] = found ?? Self.notFound
        return found
    }

    /// The number of file descriptors to search, if the socket of a connection isn't the one that was opened last.
    private static let mostDescriptors: Int32 = 1024
    /// In place of a descriptor that isn't among those.
    private static let notFound: Int32 = -2

    private static func localPort(of descriptor: Int32) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes -> Int32? in
            guard let base = bytes.baseAddress,
                getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return nil }
            let family = Int32(bytes.load(as: sa_family_t.self))
            guard family == AF_INET || family == AF_INET6 else { return nil }
            // IPv4 and IPv6 addresses both have the port at this position.
            return Int32(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }
}
#endif
