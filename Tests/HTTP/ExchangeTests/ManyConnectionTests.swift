import Foundation
import Glibc
import HostileServing
import RequestBuilding
import TestSupport
import Testing

@testable import Exchange

/// Thousands of requests in flight at a server that never answers.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct ManyConnectionTests {
    private static let count = 10_000

    /// True if the process may open so many descriptors.
    private static let hasDescriptors: Bool = {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur > count + 2_000
    }()

    /// Accepts connections, reads, and never answers.
    private static let server = """
        import resource, selectors, socket
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        waiting = selectors.EpollSelector()
        listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        print(listener.getsockname()[1], flush=True)
        waiting.register(listener, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is listener:
                    waiting.register(listener.accept()[0], selectors.EVENT_READ)
                elif not key.fileobj.recv(65536):
                    waiting.unregister(key.fileobj)
                    key.fileobj.close()
        """

    @Test(
        "10,000 requests are in flight together, can be cancelled in any order, and leave no descriptor open",
        .enabled(if: hasDescriptors && ShellCommand.has("python3"), "python3 and 12,000 descriptors are needed"))
    func cancelled() async throws {
        let server = try ChildProcess(server: ["python3", "-c", Self.server])
        let line = String(decoding: server.read(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let port = try #require(Int(line))
        let transport = URLSessionTransport(engine: Engine(name: "many", limit: Self.count))
        let request = PreparedRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/")))
        // The engine's own descriptors, and those of its first connection, are opened before the count.
        let first = Task { try await transport.send(request).status }
        while Self.connections(to: port) < 1 { try await Task.sleep(for: .milliseconds(1)) }
        first.cancel()
        while Self.connections(to: port) > 0 { try await Task.sleep(for: .milliseconds(1)) }
        let before = Self.descriptors.count

        var tasks = (0..<Self.count).map { _ in Task { try await transport.send(request).status } }
        while Self.connections(to: port) < Self.count { try await Task.sleep(for: .milliseconds(20)) }

        var random = SeededGenerator(seed: 1)
        tasks.shuffle(using: &random)
        for task in tasks.prefix(Self.count / 2) { task.cancel() }
        for task in tasks.prefix(Self.count / 2) { await #expect(throws: (any Error).self) { try await task.value } }
        while Self.connections(to: port) > Self.count / 2 { try await Task.sleep(for: .milliseconds(20)) }
        // Others begin meanwhile, and are cancelled wherever they are: in the queue, while they connect, or later.
        let more = (0..<Self.count / 2).map { _ in Task { try await transport.send(request).status } }
        for task in (tasks + more).shuffled(using: &random) { task.cancel() }
        for task in tasks + more { _ = try? await task.value }
        while Self.connections(to: port) > 0 { try await Task.sleep(for: .milliseconds(20)) }
        // Each further pool of connections has two descriptors.
        let pools = Self.count / Engine.usualLimit
        #expect(Self.descriptors.count <= before + 2 * pools)
    }

    /// The descriptors of this process.
    private static var descriptors: [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).compactMap { Int32($0) }
    }

    /// The number of this process's connections to a port.
    private static func connections(to port: Int) -> Int {
        descriptors.count { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
            }
            return status == 0 && Int(UInt16(bigEndian: address.sin_port)) == port
        }
    }
}
