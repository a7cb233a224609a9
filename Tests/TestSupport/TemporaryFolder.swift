import Foundation

/// A folder that goes with its owner.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("test-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // Best effort: a folder left behind fails no test.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and gives its path.
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    package func read(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init) ?? []
    }

    package var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }
}
