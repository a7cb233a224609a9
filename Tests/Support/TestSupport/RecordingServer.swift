import Foundation
import ReqcliBasics

#if canImport(Glibc)
import Glibc
#endif

/// A server on loopback that records requests as raw bytes and gives each the same response.
package final class RecordingServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let recorded = Log()

    /// The recorded requests. The server shares them with its threads, because the threads may outlive the server.
    private final class Log: Sendable {
        let requests = Mutex<[RecordedRequest]>([])
    }

    package static let emptyAnswer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)

    package init(answer: [UInt8] = RecordingServer.emptyAnswer) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw SocketError("socket", errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 256) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw SocketError("bind", errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        let recorded = recorded
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { Self.serve(connection, answer, recorded) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// All requests so far, in the order received.
    package var requests: [RecordedRequest] { recorded.requests.withLock { $0 } }

    private static func serve(_ connection: Int32, _ answer: [UInt8], _ recorded: Log) {
        defer { close(connection) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var hasContinued = false
        while true {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            bytes += chunk[..<count]
            if !hasContinued, let end = RecordedRequest.endOfHead(bytes) {
                hasContinued = true
                let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
                if head.contains("expect: 100-continue") {
                    write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), connection)
                }
            }
            var consumed = 0
            guard let request = RecordedRequest(bytes, consumed: &consumed) else { continue }
            recorded.requests.withLock { $0.append(request) }
            bytes.removeFirst(consumed)
            hasContinued = false
            write(answer, connection)
        }
    }

    private static func write(_ bytes: [UInt8], _ connection: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

/// A system call that failed.
package struct SocketError: Error, CustomStringConvertible {
    package let description: String

    init(_ call: String, _ code: Int32) {
        description = "\(call): \(String(cString: strerror(code)))"
    }
}
