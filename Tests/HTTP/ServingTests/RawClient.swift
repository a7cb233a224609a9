import Glibc

/// A client that sends the bytes it is given, and sees how a connection ends.
final class RawClient: Sendable {
    enum End: Equatable {
        case closed
        case reset
        /// Nothing came for a time that no test should take.
        case silence
    }

    struct Failure: Error {
        let text: String
    }

    let descriptor: Int32
    static let patience = 20

    /// - Parameter receiveBuffer: The size of the kernel's buffer, for clients that don't read.
    init(port: UInt16, ipv6: Bool = false, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            try connect(to: address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try connect(to: address)
        }
    }

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        try connect(to: address)
    }

    deinit { close(descriptor) }

    private func connect<Address>(to address: Address) throws {
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw Failure(text: String(cString: strerror(errno))) }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What comes until `isEnough`, or the end.
    func receive(until isEnough: ([UInt8]) -> Bool = { _ in false }) -> (bytes: [UInt8], end: End?) {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(bytes) {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count == 0 { return (bytes, .closed) }
            if count < 0 { return (bytes, errno == ECONNRESET ? .reset : .silence) }
            bytes += chunk[..<count]
        }
        return (bytes, nil)
    }

    /// The text until the server closes the connection, without the lines that each response has; a reset and silence are marked.
    func text() -> String {
        let (bytes, end) = receive()
        return Self.brief(bytes) + (end == .closed ? "" : end == .reset ? "RESET" : "SILENCE")
    }

    /// The text until it ends with `suffix`, or the connection ends.
    func text(until suffix: String) -> String {
        Self.brief(receive { $0.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }.bytes)
    }

    /// Without `Date`, and with line feeds in place of CR and LF.
    static func brief(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
            .replacing(/Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\n/, with: "")
    }
}
