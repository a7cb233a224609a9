import Foundation
import TestSupport
import Testing
import ToolSupport

/// A behaviour that reqcli was founded on, the command that shows it, and the request which that command makes.
struct OriginsRow: Sendable, CustomTestStringConvertible {
    /// Where the definitions are.
    enum Definitions: Sendable {
        /// In this repository, called with a base URL of the test's.
        case repository
        /// In these files; `SERVER` stands for the test's server.
        case files([String: String])
    }

    let behaviour: String
    let definitions: Definitions
    let arguments: [String]
    /// The whole message, as text with plain newlines; `HOST` stands for the server's name and port.
    let message: String

    /// A command on the repository's own definitions, which adds nothing to what the development environment sends.
    init(_ behaviour: String, _ arguments: [String], sends line: String, body: String? = nil) {
        self.behaviour = behaviour
        definitions = .repository
        self.arguments = arguments
        let headers =
            ["Accept: application/json"] + (body == nil ? [] : ["Content-Type: application/json"])
            + ["X-Environment: development"] + (body.map { ["Content-Length: \($0.utf8.count)"] } ?? [])
        message = Self.message(line, headers, body)
    }

    /// A command on files of the row's own.
    init(
        _ behaviour: String, _ files: [String: String], _ arguments: [String] = ["it"], sends line: String,
        _ headers: [String] = ["Accept: */*"], body: String? = nil
    ) {
        self.behaviour = behaviour
        definitions = .files(files)
        self.arguments = arguments
        message = Self.message(line, headers, body)
    }

    private static func message(_ line: String, _ headers: [String], _ body: String?) -> String {
        let length = headers.filter { $0.hasPrefix("Content-Length:") }
        return
            (["\(line) HTTP/1.1", "Host: HOST", "User-Agent: reqcli"] + headers.dropLast(length.count)
            + ["Accept-Encoding: deflate, gzip, br, zstd"] + length).joined(separator: "\n") + "\n\n" + (body ?? "")
    }

    var testDescription: String { "\(behaviour): \(arguments.joined(separator: " "))" }

    /// The files of the row where the program can read them.
    func workspace(server: String) throws -> ToolWorkspace {
        switch definitions {
        case .files(let files):
            return try ToolWorkspace(files.mapValues { $0.replacing("SERVER", with: server) })
        case .repository:
            let workspace = try ToolWorkspace([:])
            for name in ["endpoints", "environments", "stubs"] {
                let folder = "\(Repository.root)/\(name)"
                try FileManager.default.copyItem(atPath: folder, toPath: workspace.path(name))
            }
            return workspace
        }
    }

    func arguments(server: String) -> [String] {
        switch definitions {
        case .files: arguments
        case .repository: arguments + ["--base-url", server]
        }
    }
}

extension RecordedRequest {
    /// The message as a row writes it.
    func text(host: String) -> String {
        let lines = headers.map { header in
            switch header.name {
            case "Host" where header.value == host: "Host: HOST"
            // The version changes with each release.
            case "User-Agent" where header.value.hasPrefix("reqcli/"): "User-Agent: reqcli"
            default: "\(header.name): \(header.value)"
            }
        }
        return (["\(method) \(target) \(version)"] + lines).joined(separator: "\n") + "\n\n"
            + String(decoding: body, as: UTF8.self)
    }
}
