import Foundation

extension TemporaryFolder {
    /// Writes a file and gives its path.
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try write(bytes, to: name)
        return absolute(name)
    }

    package func read(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: absolute(name)).map(Array.init) ?? []
    }

    package var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }
}
