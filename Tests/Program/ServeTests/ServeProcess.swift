import Foundation
import ReqcliBasics
import TestSupport
import Testing
import ToolSupport

/// `reqcli serve --json` in the background, with a workspace of its own.
final class ServeProcess: Sendable {
    static let endpoints = #"""
        { "endpoints": {
          "feed": { "path": "user/{{id}}/feed", "params": { "id": { "type": "integer" } },
            "stubs": { "default": "standard", "variants": {
              "standard": { "json": [1] }, "empty": { "json": [] },
              "large": { "when": { "params": { "id": { ">": 1000 } } }, "fill": true, "json": { "id": "{{id}}" } },
              "gone": { "status": 410, "text": "gone" }, "cut": { "like": "standard", "error": "truncated" },
              "reset": { "error": "reset" }, "slow": { "delay": "30s", "text": "slow" }, "late": { "delay": "1s", "text": "late" },
              "silent": { "error": "timeout" }, "file": { "file": "large.txt" }, "turns": { "sequence": ["empty", "gone"], "then": "loop" } } } },
          "create": { "method": "POST", "path": "user", "body": { "json": { "name": "{{name}}" } },
            "params": { "name": { "type": "string", "minLength": 2 } },
            "stubs": { "variants": { "created": { "status": 201, "headers": { "Location": "/user/1" } } } } },
          "bare": { "path": "bare" } } }
        """#
    static let files = [
        "endpoints/user.json": endpoints,
        "environments/development.json": #"{ "baseURL": "https://api.example.com/v1" }"#,
        "stubs/large.txt": String(repeating: "0123456789", count: 20_000),
    ]

    let tool: RunningTool
    let workspace: ToolWorkspace
    let url: String
    let token: String
    private let stdin: Int32
    private let lines: LineReader

    init(
        _ options: [String], _ files: [String: String] = [:], variables: [String: String] = [:], port: Int = 0
    ) async throws {
        workspace = try ToolWorkspace(Self.files.merging(files) { $1 })
        let input = try Descriptor.pipe()
        let output = try Descriptor.pipe()
        stdin = input.writing
        tool = try Tool.start(
            ["serve", "--port", "\(port)", "--json", "--until-eof"] + options, in: workspace, environment: variables,
            input: input.reading, output: .descriptor(output.writing))
        Descriptor.close(output.writing)
        Descriptor.close(input.reading)
        lines = LineReader(output.reading)
        let ready = try await lines.next(within: .seconds(30)) { $0["event"] as? String == "ready" }
        url = ready?["url"] as? String ?? ""
        token = ready?["token"] as? String ?? ""
    }

    /// The next line that has an event.
    func event(_ name: String) async throws -> [String: any Sendable] {
        try #require(try await lines.next(within: .seconds(30)) { $0["event"] as? String == name })
    }

    /// What curl prints, with the response's head.
    func curl(_ arguments: String...) async throws -> ToolRun { try await curl(arguments) }

    func curl(_ arguments: [String]) async throws -> ToolRun {
        let words = arguments.map { $0.hasPrefix("/") ? url + $0 : $0 }
        return try await Tool.run(["-sS", "-i"] + words, program: [Tool.path(of: "curl") ?? "curl"])
    }

    /// A call of the control API.
    func control(_ method: String, _ path: String, _ body: String? = nil) async throws -> ToolRun {
        try await Tool.run(
            ["-sS", "-i", "-X", method, url + "/__reqcli/" + path, "-H", "Authorization: Bearer \(token)"]
                + (body.map { ["-d", $0] } ?? []), program: [Tool.path(of: "curl") ?? "curl"])
    }

    /// Closes the server's standard input, which ends it.
    func end() async throws -> ToolRun {
        Descriptor.close(stdin)
        return try await tool.end(within: .seconds(20))
    }
}

/// Reads a pipe line by line, each an object.
private final class LineReader: Sendable {
    private let lines = Mutex<[String]>([])
    private let place = Mutex(0)

    init(_ descriptor: Int32) {
        Thread.detachNewThread { [weak self] in
            var rest = ""
            while let bytes = Descriptor.read(descriptor, upTo: 1 << 16), !bytes.isEmpty {
                rest += String(decoding: bytes, as: UTF8.self)
                var parts = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                rest = parts.removeLast()
                guard let self else { break }
                lines.withLock { $0 += parts }
            }
            Descriptor.close(descriptor)
        }
    }

    func next(
        within limit: Duration, where isWanted: ([String: any Sendable]) -> Bool
    ) async throws -> [String: any Sendable]? {
        var found: [String: any Sendable]?
        _ = await eventually(within: limit) {
            while found == nil, let line = take() {
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: any Sendable]
                if let object, isWanted(object) { found = object }
            }
            return found != nil
        }
        return found
    }

    private func take() -> String? {
        let index = place.withLock { place in
            defer { place += 1 }
            return place
        }
        let line = lines.withLock { $0.indices.contains(index) ? $0[index] : nil }
        if line == nil { place.withLock { $0 -= 1 } }
        return line
    }
}

extension ToolRun {
    /// The part behind the head.
    var body: String {
        outputText.firstRange(of: "\r\n\r\n").map { String(outputText[$0.upperBound...]) } ?? ""
    }

    /// The status line's number.
    var code: String { String(outputText.prefix(12).suffix(3)) }
}
