import Glibc
import HTTPWire
import ReqcliServing
import Testing

@Suite("Many connections")
struct ManyConnectionsTests {
    /// The number of this process's sockets that are bound to the port.
    private static func sockets(boundTo port: UInt16) -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return (0..<Int32(clamping: min(limit.rlim_cur, 65_536))).count { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            return result == 0 && address.sin_family == sa_family_t(AF_INET) && address.sin_port == port.bigEndian
        }
    }

    @Test("A thousand idle connections don't hold up others, and leave no descriptor behind")
    func idle() async throws {
        let server = try TestServer()
        let port = server.server.port
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // Other tests need descriptors, too.
        let count = min(1000, Int(clamping: limit.rlim_cur) / 4)
        do {
            let clients = try (0..<count).map { _ in try server.connect() }
            for client in clients { client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
            for client in clients { #expect(client.text(until: "GET / ").hasSuffix("GET / ")) }
            #expect(Self.sockets(boundTo: port) == count + 1)
            #expect(try server.exchange(FramingTests.close).hasSuffix("GET /end "))
            withExtendedLifetime(clients) {}
        }
        let end = ContinuousClock.now + .seconds(20)
        while Self.sockets(boundTo: port) > 1, .now < end { usleep(1000) }
        #expect(Self.sockets(boundTo: port) == 1)
        await server.server.stop(grace: .seconds(1))
        #expect(Self.sockets(boundTo: port) == 0)
    }

    @Test("Many clients at once get their own responses")
    func parallel() async throws {
        let server = try TestServer()
        try await withThrowingTaskGroup { group in
            for client in 0..<50 {
                group.addTask {
                    let connection = try server.connect()
                    for request in 0..<20 {
                        let path = "/\(client)/\(request)"
                        connection.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                        #expect(connection.text(until: "GET \(path) ").hasSuffix("\n\nGET \(path) "))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
