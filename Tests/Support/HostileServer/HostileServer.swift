package import Foundation
import Glibc

/// A TCP server on loopback whose every byte comes from the test, so that it can make any server fault.
///
/// Each connection runs the script on its own thread. The connection is closed when the script returns.
///
/// ```swift
/// let server = try HostileServer { connection in
///     guard connection.readRequest() != nil else { return }
///     connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
/// }
/// ```
package final class HostileServer: Sendable {
    /// The port that it listens on.
    package let port: Int

    private let listener: Int32
    private let state = Locked(State())

    private struct State {
        var requests: [HostileServer.Request] = []
        var connections = 0
        var open: Set<Int32> = []
        var isStopped = false
    }

    /// Listens on a free port of 127.0.0.1, or of ::1, or on a unix socket.
    package init(
        on address: Address = .ipv4, _ script: @escaping @Sendable (HostileConnection) -> Void
    ) throws {
        (listener, port) = try address.listen()
        let thread = Thread { [listener] in
            // This thread closes the socket, because it is the last one to use it. If another thread closed the socket, the next
            // server's socket could get the same number, and this thread would accept that server's connections.
            defer { close(listener) }
            while true {
                let socket = accept(listener, nil, nil)
                if socket < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    return
                }
                // Without this flag, a program that another test starts meanwhile would inherit the socket and keep it open.
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                guard self.began(socket) else {
                    close(socket)
                    return
                }
                let worker = Thread {
                    let connection = HostileConnection(socket: socket) { self.record($0) }
                    script(connection)
                    self.ended(socket)
                }
                worker.start()
            }
        }
        thread.start()
    }

    deinit {
        stop()
    }

    /// The URL of a path on this server.
    package func url(_ path: String = "/") -> URL {
        // The string has no variable parts except a number, so it is always a valid URL.
        URL(string: "http://127.0.0.1:\(port)\(path)")!
    }

    /// The requests read so far, in the order in which they were completed.
    package var requests: [HostileServer.Request] { state.withLock(\.requests) }

    /// The number of connections accepted so far.
    package var connections: Int { state.withLock(\.connections) }

    /// Stops listening and closes all connections.
    package func stop() {
        state.withLock { state in
            if state.isStopped { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            // The sockets are shut down under the lock, because a connection that ends meanwhile would release its descriptor.
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func began(_ socket: Int32) -> Bool {
        state.withLock { state in
            if state.isStopped { return false }
            state.connections += 1
            state.open.insert(socket)
            return true
        }
    }

    private func ended(_ socket: Int32) {
        state.withLock { state in
            state.open.remove(socket)
            close(socket)
        }
    }

    private func record(_ request: HostileServer.Request) {
        state.withLock { $0.requests.append(request) }
    }
}

extension HostileServer {
    /// The address that a server listens on.
    package enum Address: Sendable {
        case ipv4
        case ipv6
        case unix(path: String)
    }
}

/// An error in setting up a test.
package struct SetupFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
