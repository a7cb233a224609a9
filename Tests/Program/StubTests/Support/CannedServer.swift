import HostileServing
import ReqcliBasics

/// A server that gives one answer, byte for byte, to whatever is asked.
final class CannedServer: Sendable {
    private let server: HostileServer

    /// - Parameter head: The lines of the head, the status line first; the length of the body is added to them.
    init(_ head: [String], _ body: [UInt8] = []) throws {
        server = try HostileServer { connection in
            while connection.readRequest() != nil {
                let lines = head + ["Content-Length: \(body.count)"]
                guard connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body) else { return }
            }
        }
    }

    var url: String { "http://127.0.0.1:\(server.port)" }
}
