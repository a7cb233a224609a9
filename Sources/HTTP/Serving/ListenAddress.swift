import Glibc
import ReqcliBasics

/// An address at which a server accepts connections.
package enum ListenAddress: Equatable, Sendable {
    /// 127.0.0.1 and, if the machine has IPv6, [::1], with the same port. 0 means any free port.
    case loopback(port: UInt16)
    /// An address in digits, such as 0.0.0.0 or ::1.
    case address(String, port: UInt16)
    case unixSocket(path: String)
}

/// The reason why a server can't listen.
package struct ListenProblem: Error, Equatable {
    package let reason: String
    /// Whether another program uses the port or the socket.
    package let isTaken: Bool

    init(_ reason: String, isTaken: Bool = false) {
        self.reason = reason
        self.isTaken = isTaken
    }

    init(_ subject: String, _ error: SystemError) {
        self.init("\(subject): \(error.name)", isTaken: error.code == EADDRINUSE)
    }
}

/// An address in the form that socket calls take.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length: socklen_t

    var family: Int32 { Int32(storage.ss_family) }

    init?(_ text: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, String(port), &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        length = found.pointee.ai_addrlen
        guard length <= MemoryLayout<sockaddr_storage>.size else { return nil }
        memcpy(&storage, found.pointee.ai_addr, Int(length))
    }

    /// Returns nil if the path is too long for a socket.
    init?(path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard !path.isEmpty, path.utf8.count < MemoryLayout.size(ofValue: address.sun_path),
            !path.utf8.contains(0)
        else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        length = socklen_t(MemoryLayout<sockaddr_un>.size)
        memcpy(&storage, &address, Int(length))
    }

    /// The address to which a socket is bound.
    init?(of socket: Int32) {
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { storage in
            withUnsafeMutablePointer(to: &length) { length in
                storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, length) }
            }
        }
        guard result == 0 else { return nil }
    }

    var port: UInt16 {
        // The port is at the same offset in IPv4 and IPv6 addresses.
        withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    }

    func pass<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, length) }
        }
    }
}
