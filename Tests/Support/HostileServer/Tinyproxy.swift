import Foundation
import Glibc
import TestSupport

/// A forward proxy that a test starts.
package final class Tinyproxy: Sendable {
    /// The port that it listens on.
    package let port: Int

    private let folder: TemporaryFolder
    private let process: ChildProcess

    package init() throws {
        port = try HostileServer.freePort()
        folder = try TemporaryFolder()
        let configuration = "Port \(port)\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nAllow 127.0.0.1\n"
        let file = try folder.write("tinyproxy.conf", Array(configuration.utf8))
        process = try ChildProcess(server: ["tinyproxy", "-d", "-c", file])
        try waitUntilReady()
    }

    private func waitUntilReady() throws {
        for _ in 0..<500 {
            if (try? ShellCommand.run("grep -qi ':\(String(port, radix: 16)) .* 0A ' /proc/net/tcp")) != nil { return }
            usleep(10_000)
        }
        throw SetupFailure("tinyproxy doesn't start")
    }
}
