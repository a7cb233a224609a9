import Foundation
package import TestSupport

/// A workspace on disk for one test, in which the program runs; it goes with its owner.
package final class ToolWorkspace: Sendable {
    package let folder: TemporaryFolder

    /// Files by their paths below the workspace's root.
    package init(_ files: [String: String]) throws {
        folder = try TemporaryFolder(files)
    }

    /// The endpoint `it` (`{"path": "/"}` unless said otherwise) at a server, and further members of the environment.
    package convenience init(
        server: String, endpoint: String = #"{ "path": "/" }"#, environment: String? = nil
    ) throws {
        let more = environment.map { ", \($0)" } ?? ""
        try self.init([
            "endpoints/it.json": endpoint, "environments/development.json": #"{ "baseURL": "\#(server)"\#(more) }"#,
        ])
    }

    package func write(_ path: String, _ text: String) throws { try folder.write(path, text) }

    package func path(_ name: String) -> String { folder.path(name) }

    package func read(_ name: String) -> [UInt8]? { folder.bytes(name) }

    /// What lies in the root beside the definitions, hidden files too.
    package var files: [String] { folder.files.filter { $0 != "endpoints" && $0 != "environments" } }

    /// What a program needs of the process's environment, and nothing of whoever runs the tests.
    package var environment: [String: String] {
        ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
    }
}
