import Foundation
import Glibc
import ReqcliBasics
import ToolSupport

/// Sends bytes to a server of this machine, whatever they are.
enum RawClient {
    /// What the server sends until it closes the connection, or is silent for 5 seconds.
    static func exchange(_ text: String, port: UInt16) throws -> String {
        let connection = try RawConnection(port: port, patience: 5)
        connection.send(text)
        return connection.text()
    }
}

/// A connection to a server of this machine, for any bytes.
final class RawConnection: Sendable {
    private let socket: Int32

    /// - Parameter patience: The seconds of silence after which the rest is not waited for.
    init(port: UInt16, patience: Int = 20) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) == 0 }
        }
        guard isConnected else { throw ToolProblem("no connection to port \(port)") }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    convenience init(_ server: ServeProcess) throws {
        guard let port = UInt16(server.url.split(separator: ":").last ?? "") else {
            throw ToolProblem("the server has no port")
        }
        try self.init(port: port)
    }

    deinit { close(socket) }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Returns false if the server has closed the connection.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool { sendSome(Array(bytes)) == bytes.count }

    /// Waits until the server has read everything that was sent, for at most 20 seconds.
    func isRead() async -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            if hasBeenRead { return true }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    /// Whether nothing is left in the queues of the system, neither on this side of the connection nor on the server's.
    private var hasBeenRead: Bool {
        let (own, peer) = (port(getsockname), port(getpeername))
        let sides = Self.connections.split(separator: "\n")
            .map { $0.split(separator: " ") }
            .filter { columns in
                let isOfConnection = { (first: String, second: String) in
                    columns[1].hasSuffix(first) && columns[2].hasSuffix(second)
                }
                return columns.count > 4 && (isOfConnection(own, peer) || isOfConnection(peer, own))
            }
        return sides.count == 2 && sides.allSatisfy { $0[4] == "00000000:00000000" }
    }

    /// The system's list of connections, which comes in parts.
    private static var connections: String {
        let file = open("/proc/net/tcp", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(file, &part, part.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += part[..<count]
        }
    }

    /// The port of one side, as the system writes it: `:1F90`.
    private func port(
        _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> String {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(socket, $0, &length) }
        }
        let digits = String(address.sin_port.bigEndian, radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// The number of bytes that the server, or what is between, takes without a long wait.
    func sendUntilBlocked(_ bytes: [UInt8]) -> Int {
        setSendLimit(timeval(tv_sec: 0, tv_usec: 500_000))
        defer { setSendLimit(timeval()) }
        return sendSome(bytes)
    }

    private func setSendLimit(_ limit: timeval) {
        var limit = limit
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private func sendSome(_ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Whether something has come that wasn't read.
    var hasInput: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0
    }

    /// What the server sends until it ends with `suffix`, or until the server closes the connection or is silent.
    func text(until suffix: String? = nil) -> String {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let suffix, answer.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { break }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
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
