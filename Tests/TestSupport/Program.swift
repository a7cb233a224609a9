import Foundation

/// A program of the machine that a test runs.
package enum Program {
    /// Where a program is, or nil where it isn't installed.
    package static func path(of name: String) -> String? {
        ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    package struct Outcome: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// Runs a program to its end. Its output goes through files, so that no full pipe can hold it up.
    package static func run(
        _ path: String, _ arguments: [String], environment: [String: String], in folder: TemporaryFolder
    ) throws -> Outcome {
        let id = UUID().uuidString
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: try folder.write("out-\(id)", []))
        process.standardError = FileHandle(forWritingAtPath: try folder.write("err-\(id)", []))
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: folder.read("out-\(id)"), as: UTF8.self),
            errors: String(decoding: folder.read("err-\(id)"), as: UTF8.self))
    }
}
