import Glibc

extension HostileServer {
    /// A port that was free a moment ago, for servers that can't choose a free port themselves.
    package static func freePort() throws -> Int {
        let (socket, port) = try Address.ipv4.listen()
        close(socket)
        return port
    }
}

extension HostileServer.Address {
    /// Creates a listening socket and returns it with its port, which is 0 for a unix socket.
    package func listen(backlog: Int32 = 512) throws -> (socket: Int32, port: Int) {
        switch self {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let socket = try Self.bind(AF_INET, address, backlog)
            return (socket, try Self.port(of: socket, like: address) { Int(UInt16(bigEndian: $0.sin_port)) })
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            let socket = try Self.bind(AF_INET6, address, backlog)
            return (socket, try Self.port(of: socket, like: address) { Int(UInt16(bigEndian: $0.sin6_port)) })
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let capacity = MemoryLayout.size(ofValue: address.sun_path)
            guard path.utf8.count < capacity else { throw SetupFailure("\(path) is too long for a unix socket") }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return (try Self.bind(AF_UNIX, address, backlog), 0)
        }
    }

    private static func bind<Address>(_ family: Int32, _ address: Address, _ backlog: Int32) throws -> Int32 {
        let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw SetupFailure("no socket: \(String(cString: strerror(errno)))") }
        var address = address
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0, Glibc.listen(socket, backlog) == 0 else {
            throw SetupFailure("can't listen: \(String(cString: strerror(errno)))")
        }
        return socket
    }

    private static func port<Address>(of socket: Int32, like address: Address, _ port: (Address) -> Int) throws -> Int {
        var address = address
        var size = socklen_t(MemoryLayout<Address>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        guard result == 0 else { throw SetupFailure("no port: \(String(cString: strerror(errno)))") }
        return port(address)
    }
}
