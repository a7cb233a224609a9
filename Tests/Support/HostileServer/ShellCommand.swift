package import Foundation
package import TestSupport

/// Runs commands that make files and data for tests, such as `openssl`.
package enum ShellCommand {
    /// Runs a command line and returns its output; throws `SetupFailure` if the command fails.
    package static func run(_ command: String, in folder: TemporaryFolder? = nil) throws -> Data {
        let place = folder.map { "cd '\($0.path)' && " } ?? ""
        let process = try ChildProcess(["/bin/sh", "-c", place + command])
        var data = Data()
        while case let bytes = process.read(), !bytes.isEmpty { data += bytes }
        let status = process.wait()
        guard status == 0 else { throw SetupFailure("`\(command)` ended with status \(status)") }
        return data
    }

    /// Whether a tool of that name is installed.
    package static func has(_ tool: String) -> Bool {
        (try? run("command -v \(tool)")) != nil
    }
}
