package import Foundation
import Glibc
import TestSupport

/// An nginx that a test starts, with TLS, HTTP/2 and a unix socket.
package final class Nginx: Sendable {
    package static let bigSize = 48 << 20

    package let fixture: TLSFixture
    private let folder: TemporaryFolder
    private let process: ChildProcess
    private let ports: (plain: Int, secure: Int)

    /// - Parameter keepaliveRequests: The number of requests after which nginx closes a connection. Over HTTP/2, it sends GOAWAY
    ///   first.
    package init(keepaliveRequests: Int = 1000) throws {
        let fixture = try TLSFixture()
        let folder = try TemporaryFolder()
        let ports = (plain: try HostileServer.freePort(), secure: try HostileServer.freePort())
        (self.fixture, self.folder, self.ports) = (fixture, folder, ports)
        // nginx may run its workers as another user, who must be able to read the folder.
        chmod(folder.path, 0o755)
        try folder.write("small", Array("small\n".utf8))
        try folder.write("big", [UInt8](repeating: 0x61, count: Self.bigSize))
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
        let configuration = """
            daemon off; master_process off; pid \(folder.path)/pid; error_log \(folder.path)/error.log;
            events { worker_connections 512; }
            http {
                access_log \(folder.path)/access.log; client_max_body_size 0; keepalive_requests \(keepaliveRequests);
                keepalive_timeout 600s; \(temporary)
                server {
                    listen 127.0.0.1:\(ports.plain);
                    listen 127.0.0.1:\(ports.secure) ssl http2;
                    listen unix:\(folder.path)/socket;
                    listen unix:\(folder.path)/http2 http2;
                    ssl_certificate \(fixture.certificate(.good));
                    ssl_certificate_key \(fixture.key(.good));
                    ssl_client_certificate \(fixture.authority);
                    ssl_verify_client optional;
                    root \(folder.path);
                    location /echo { return 200 $args; }
                    location /private { if ($ssl_client_verify != SUCCESS) { return 403; } return 200 ok; }
                    location /upload { proxy_pass http://127.0.0.1:\(ports.plain)/size; }
                    location /size { return 200 $content_length; }
                }
            }
            """
        let file = try folder.write("nginx.conf", Array(configuration.utf8))
        process = try ChildProcess(server: ["nginx", "-c", file, "-p", folder.path, "-e", "\(folder.path)/error.log"])
        try waitUntilReady()
    }

    /// A URL with the host name of the certificate.
    package func url(_ path: String, secure: Bool) -> URL {
        // The strings have no variable parts except a path and a number, so they are always valid URLs.
        URL(string: secure ? "https://localhost:\(ports.secure)\(path)" : "http://127.0.0.1:\(ports.plain)\(path)")!
    }

    /// The path of the unix socket.
    package var socket: String { "\(folder.path)/socket" }

    /// The path of the unix socket on which nginx speaks only HTTP/2.
    package var http2Socket: String { "\(folder.path)/http2" }

    /// The path of a file of `bigSize` bytes.
    package var bigFile: String { "\(folder.path)/big" }

    /// The lines of the access log: one for each request that was handled.
    package func requestLines() throws -> [Substring] {
        (folder.text("access.log") ?? "").split(separator: "\n")
    }

    private func waitUntilReady() throws {
        for _ in 0..<500 {
            if FileManager.default.fileExists(atPath: "\(folder.path)/pid") { return }
            usleep(10_000)
        }
        let log = folder.text("error.log") ?? ""
        throw SetupFailure("nginx doesn't start: \(log)")
    }

}
