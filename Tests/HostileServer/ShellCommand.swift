package import Foundation
package import TestSupport

/// Runs commands that tests get their material from, such as `openssl`.
package enum ShellCommand {
    /// The output of a command line; one that fails is a set-up failure.
    package static func run(_ command: String, in folder: TemporaryFolder? = nil) throws -> Data {
        let place = folder.map { "cd '\($0.path)' && " } ?? ""
        let process = try ChildProcess(["/bin/sh", "-c", place + command])
        var data = Data()
        while case let bytes = process.read(), !bytes.isEmpty { data += bytes }
        let status = process.wait()
        guard status == 0 else { throw SetupFailure("`\(command)` ended with status \(status)") }
        return data
    }

    /// True if a tool of that name is installed.
    package static func has(_ tool: String) -> Bool {
        (try? run("command -v \(tool)")) != nil
    }
}
