import CReqcliSystem
import Glibc
import ReqcliBasics

/// A socket that accepts connections.
struct Listener: Sendable {
    private enum Place: Sendable {
        case port
        /// The inode number distinguishes this server's socket file from a socket file that another server has put in its place.
        case path(String, inode: ino_t)
    }

    private(set) var descriptor: Int32
    /// Whether the socket accepts connections now.
    private(set) var isOpen = true
    private let place: Place
    private static let backlog: Int32 = 4096

    private init(_ descriptor: Int32, _ place: Place) {
        self.descriptor = descriptor
        self.place = place
    }

    /// The listeners of an address. All of them have the same port.
    static func open(_ address: ListenAddress) throws(ListenProblem) -> [Listener] {
        switch address {
        case .unixSocket(let path): return [try open(path: path)]
        case .address(let text, let port):
            guard let address = SocketAddress(text, port: port) else {
                throw ListenProblem("\(text) is not an IP address; use one such as 127.0.0.1 or ::1")
            }
            return [try open(address, "\(text) port \(port)")]
        case .loopback(let port):
            guard port == 0 else { return try openLoopback(port) }
            // Tries several ports, because a port that is free for IPv4 may be taken for IPv6.
            for _ in 0..<20 {
                do throws(ListenProblem) { return try openLoopback(0) } catch  where error.isTaken { continue }
            }
            throw ListenProblem("no port is free on both 127.0.0.1 and ::1", isTaken: true)
        }
    }

    private static func openLoopback(_ port: UInt16) throws(ListenProblem) -> [Listener] {
        guard let first = SocketAddress("127.0.0.1", port: port) else { throw ListenProblem("there is no 127.0.0.1") }
        let listener = try open(first, "127.0.0.1 port \(port)")
        guard let second = SocketAddress("::1", port: listener.port) else { return [listener] }
        do throws(ListenProblem) {
            return [listener, try open(second, "::1 port \(listener.port)")]
        } catch  where !error.isTaken {
            // Continues without IPv6, because many containers have no IPv6.
            return [listener]
        } catch {
            listener.close()
            throw error
        }
    }

    private static func open(_ address: SocketAddress, _ name: String) throws(ListenProblem) -> Listener {
        guard address.port == 0 else { return Listener(try bind(address, name), .port) }
        // While connections are refused, the system keeps a port only if the socket was bound to this port by number. This code
        // therefore finds a free port first, and then binds to its number.
        let probe = try bind(address, name, listens: false)
        defer { Glibc.close(probe) }
        guard let chosen = SocketAddress(of: probe) else { throw ListenProblem(name, SystemError()) }
        return Listener(try bind(chosen, name), .port)
    }

    private static func bind(
        _ address: SocketAddress, _ name: String, listens: Bool = true
    ) throws(ListenProblem) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, type, 0)
        func fail() -> ListenProblem {
            let error = SystemError()
            if descriptor >= 0 { Glibc.close(descriptor) }
            return ListenProblem("cannot listen on \(name)", error)
        }
        guard descriptor >= 0 else { throw fail() }
        func set(_ level: Int32, _ option: Int32) {
            var one: Int32 = 1
            setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        if address.family == AF_UNIX {
            // Sets the mode of the file that `bind` has made.
            guard fchmod(descriptor, 0o600) == 0 else { throw fail() }
        } else {
            set(SOL_SOCKET, SO_REUSEADDR)
            // Connections inherit this option.
            set(Int32(IPPROTO_TCP), TCP_NODELAY)
            if address.family == AF_INET6 { set(Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        }
        guard address.pass({ Glibc.bind(descriptor, $0, $1) }) == 0 else { throw fail() }
        guard !listens || listen(descriptor, backlog) == 0 else { throw fail() }
        return descriptor
    }

    private static func open(path: String) throws(ListenProblem) -> Listener {
        guard let address = SocketAddress(path: path) else {
            throw ListenProblem("\(path) is not a valid path for a Unix socket, which has 1 to 107 bytes")
        }
        let descriptor: Int32
        do throws(ListenProblem) {
            descriptor = try bind(address, path)
        } catch  where error.isTaken {
            guard isSocket(path) else {
                throw ListenProblem("cannot listen on \(path): the path exists, but is not a socket")
            }
            guard isLeftBehind(address) else {
                throw ListenProblem("cannot listen on \(path): another program uses this socket", isTaken: true)
            }
            unlink(path)
            descriptor = try bind(address, path)
        }
        var status = stat()
        lstat(path, &status)
        return Listener(descriptor, .path(path, inode: status.st_ino))
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Whether no program listens on a unix socket.
    private static func isLeftBehind(_ address: SocketAddress) -> Bool {
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { Glibc.close(probe) }
        return address.pass { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
    }

    /// The port; 0 for a unix socket.
    var port: UInt16 {
        guard case .port = place else { return 0 }
        return SocketAddress(of: descriptor)?.port ?? 0
    }

    /// Stops accepting connections until `listenAgain` is called. The server keeps its port or path.
    mutating func refuse() {
        isOpen = false
        switch place {
        case .port: shutdown(descriptor, Int32(SHUT_RD))
        case .path:
            // A unix socket that was shut down can't listen again.
            Glibc.close(descriptor)
            descriptor = -1
        }
    }

    mutating func listenAgain() {
        switch place {
        case .port: isOpen = listen(descriptor, Self.backlog) == 0
        case .path(let path, _):
            guard let listener = try? Self.open(path: path) else { return }
            self = listener
        }
    }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        guard case .path(let path, let inode) = place else { return }
        var status = stat()
        if lstat(path, &status) == 0, status.st_ino == inode { unlink(path) }
    }
}
