import Foundation
import Glibc
import Synchronization
import ToolSupport

/// Sends bytes to a server of this machine, whatever they are.
enum RawClient {
    /// What the server sends until it closes the connection, or is silent for 5 seconds.
    static func exchange(_ text: String, port: UInt16) throws -> String {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) == 0 }
        }
        guard isConnected else { throw ToolProblem("no connection to port \(port)") }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let bytes = Array(text.utf8)
        _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer[..<count]
        }
    }
}

/// A count that several threads change.
final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock(\.self) }

    func add() { value.withLock { $0 += 1 } }
}

extension ServeProcess {
    /// What curl prints for a request with these headers, with the response's head.
    func curl(_ path: String, headers: [String]) async throws -> ToolRun {
        try await Tool.run(
            ["-sS", "-i", url + path] + headers.flatMap { ["-H", $0] }, program: [Tool.path(of: "curl") ?? "curl"])
    }
}
