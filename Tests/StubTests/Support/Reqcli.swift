import Foundation
import Testing

/// The program as a process of its own.
enum Reqcli {
    struct Run: CustomStringConvertible {
        let status: Int32
        let body: [UInt8]
        let messages: String

        var output: String { String(decoding: body, as: UTF8.self) }
        var description: String { "status \(status)\nstdout:\n\(output.prefix(2000))\nstderr:\n\(messages)" }
    }

    /// Beside the tests; `REQCLI` names another build, such as the release one.
    static let path =
        ProcessInfo.processInfo.environment["REQCLI"].flatMap { $0.isEmpty ? nil : $0 }
        ?? Bundle.main.bundleURL.appendingPathComponent("reqcli").path

    /// The workspace that comes with the sources.
    static let ownWorkspace = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .path

    static func run(
        _ words: String..., in folder: String = ownWorkspace, variables: [String: String] = [:],
        under tool: [String] = []
    ) throws -> Run {
        try start(words, in: folder, variables: variables, under: tool).end()
    }

    /// Starts the program; it gets the variables given and no others.
    static func start(
        _ words: [String], in folder: String, variables: [String: String] = [:], under tool: [String] = [],
        program: String = path
    ) throws -> Running {
        let streams = FileManager.default.temporaryDirectory.appendingPathComponent("streams-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = tool + [program] + words
        process.environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"].merging(variables) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        // Files never fill up as pipes do.
        for name in ["out", "err"] {
            try Data().write(to: streams.appendingPathComponent(name))
        }
        process.standardOutput = try FileHandle(forWritingTo: streams.appendingPathComponent("out"))
        process.standardError = try FileHandle(forWritingTo: streams.appendingPathComponent("err"))
        try process.run()
        return Running(process: process, streams: streams)
    }

    struct Running {
        let process: Process
        let streams: URL

        func end() throws -> Run {
            process.waitUntilExit()
            defer { try? FileManager.default.removeItem(at: streams) }
            let status = process.terminationStatus + (process.terminationReason == .exit ? 0 : 128)
            return Run(
                status: status, body: Array(try Data(contentsOf: streams.appendingPathComponent("out"))),
                messages: String(decoding: try Data(contentsOf: streams.appendingPathComponent("err")), as: UTF8.self))
        }
    }
}
