import Foundation
package import TestSupport

/// A workspace on disk in which a test runs the program. It is deleted when this object is released.
package final class ToolWorkspace: Sendable {
    package let folder: TemporaryFolder

    /// A workspace with these files, by their paths below its root.
    package init(_ files: [String: String]) throws {
        folder = try TemporaryFolder(files)
    }

    /// A workspace with the endpoint `it` at a server. By default, the endpoint is `{"path": "/"}`. `environment` has more
    /// members of the environment.
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

    /// The names in the root, including hidden files, but without the folders of definitions.
    package var files: [String] { folder.files.filter { $0 != "endpoints" && $0 != "environments" } }

    /// The variables that a program needs. No variable is taken from the user who runs the tests. The history is off, because its
    /// first call at a terminal prints a note.
    package var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
            "REQCLI_HISTORY": "0",
        ]
    }
}
