package import Foundation

/// Runs commands that tests get their material from, such as `openssl`.
package enum Shell {
    /// The output of a command line; one that fails is a set-up failure.
    package static func run(_ command: String, in folder: URL? = nil) throws -> Data {
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

/// A folder that is removed with its last holder.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("exchange-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a file and gives its path.
    package func file(_ name: String, _ content: Data) throws -> String {
        let file = url.appendingPathComponent(name)
        try content.write(to: file)
        return file.path
    }

    /// The path of a name in it.
    package func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }
}
