import Exchange
import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `--save-stub` and then `--stub` give the same response again, from files.
struct SaveStubTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = "200 OK"
        var head: [String] = []
        /// The response as sent by the server.
        let sent: [UInt8]
        /// The response as replayed.
        let body: [UInt8]
        let file: String?

        init(
            _ name: String, _ status: String = "200 OK", head: [String], _ body: [UInt8], coded: [UInt8]? = nil,
            file: String?
        ) {
            testDescription = name
            (self.status, self.head, sent, self.body, self.file) = (status, head, coded ?? body, body, file)
        }
    }

    private static let json = Array("{\n \"b\": 1.50,\n \"a\": \"\\u00e9\\/\"}\n".utf8)
    private static let binary = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

    /// Data compressed by `gzip -n`.
    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        // If compressing fails, the empty body makes the test fail.
        guard let folder = try? TemporaryFolder(), let file = try? folder.write("body", bytes),
            let packed = try? ShellCommand.run("gzip -nc '\(file)'")
        else { return [] }
        return Array(packed)
    }

    static let cases = [
        Case("JSON", head: ["Content-Type: application/json"], json, file: "a.x.json"),
        Case("JSON of a kind", head: ["Content-Type: application/problem+json; charset=utf-8"], json, file: "a.x.json"),
        Case("text", head: ["Content-Type: text/plain; charset=utf-8"], Array("é\r\nline\u{0}".utf8), file: "a.x.bin"),
        Case("plain text", head: ["Content-Type: text/plain"], Array("é\r\n".utf8), file: "a.x.txt"),
        Case("HTML", head: ["Content-Type: text/html"], Array("<p>{{x}}".utf8), file: "a.x.html"),
        Case("binary", head: ["Content-Type: application/octet-stream"], binary, file: "a.x.bin"),
        Case("an image", head: ["Content-Type: image/png"], binary, file: "a.x.png"),
        Case("JSON without a type", head: [], json, file: "a.x.txt"),
        Case("empty", head: ["Content-Type: application/json"], [], file: nil),
        Case("204", "204 No Content", head: ["X-A: 1"], [], file: nil),
        Case("404 with a body", "404 Not Found", head: ["Content-Type: text/plain"], Array("no".utf8), file: "a.x.txt"),
        Case("503", "503 Service Unavailable", head: ["Retry-After: 120"], [], file: nil),
        Case("a redirect", "302 Found", head: ["Location: /elsewhere?a={{b}}&c=%7B"], [], file: nil),
        Case(
            "odd headers",
            head: [
                "X-Empty:", "X-Two: 1", "x-two: 2", #"X-Quote: "a\b""#, #"X-Braces: \{{a}} {{{b}}}"#, "X-Accent: é",
            ],
            Array("é".utf8), file: "a.x.txt"),
        Case(
            "gzip", head: ["Content-Type: application/json", "Content-Encoding: gzip", "Vary: Accept-Encoding"], json,
            coded: gzip(json), file: "a.x.json"),
        Case(
            "5 MiB", head: ["Content-Type: application/octet-stream"],
            (0..<5 << 20).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 9) }, file: "a.x.bin"),
        Case(
            "5 MiB of gzip", head: ["Content-Type: text/plain", "Content-Encoding: gzip"],
            [UInt8](repeating: 0x61, count: 5 << 20), coded: gzip([UInt8](repeating: 0x61, count: 5 << 20)),
            file: "a.x.txt"),
    ]

    private static let endpoint = """
        {
        \t"path" : "/a",   "stubs": {"variants": { "old": {"json":[ ] } }}
        }

        """

    @Test("A saved stub replays the same status, headers and body", arguments: cases)
    func replay(_ answer: Case) async throws {
        let dropped = ["Date: Thu, 01 Jan 1970 00:00:00 GMT", "Connection: keep-alive, X-Hop", "X-Hop: 1"]
        let server = try CannedServer(["HTTP/1.1 \(answer.status)"] + answer.head + dropped, answer.sent)
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
        let send = ["send", "a", "-i", "--base-url", server.url]
        let saved = try await Tool.run(send + ["--save-stub", "x"], in: workspace.path)
        // The output is the same as without the flag.
        let (head, body) = try Self.parts(saved.output)
        // Not compared inside the macro, which would compute and print the difference of megabytes.
        let isPrinted = body == answer.body
        #expect(isPrinted, "\(body.count) bytes")
        #expect(saved.errors.hasPrefix("note: saved as the stub variant x of a in endpoints/a.json"), "\(saved)")

        let replayed = try await Tool.run(send + ["--stub", "x"], in: workspace.path)
        #expect(replayed.status == saved.status)
        #expect(replayed.errors.isEmpty)
        let (stubHead, stubBody) = try Self.parts(replayed.output)
        let isReplayed = stubBody == answer.body
        #expect(isReplayed, "\(stubBody.count) bytes")
        let gone = ["date", "connection", "x-hop", "content-length", "content-encoding"]
        let kept = head.filter { line in !gone.contains { line.lowercased().hasPrefix($0 + ":") } }
        // Headers of the same name come back in the spelling of the first.
        #expect(stubHead.map { $0.replacing("X-Two: 2", with: "x-two: 2") } == kept)

        #expect(
            workspace.contents.keys.filter { $0.hasPrefix("stubs/") } == (answer.file.map { ["stubs/\($0)"] } ?? []))
        try await Self.expectInsertion(in: workspace, "endpoints/a.json", before: Self.endpoint)
    }

    /// Checks that the file is valid and that its other bytes are unchanged.
    static func expectInsertion(in workspace: TemporaryFolder, _ name: String, before: String) async throws {
        let validation = try await Tool.run("validate", in: workspace.path)
        #expect(validation.status == 0, "\(validation)")
        let (old, new) = (Array(before.utf8), try #require(workspace.bytes(name)))
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
        #expect(new.count > old.count && start + end >= old.count)
    }

    private static func parts(_ output: [UInt8]) throws -> (head: [String], body: [UInt8]) {
        let end = try #require(output.indices.first { output[$0...].starts(with: [0x0A, 0x0A]) })
        let head = String(decoding: output[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
        return (head, Array(output[(end + 2)...]))
    }

    @Test(
        "The variant is added to its endpoint, whatever the structure of the file",
        arguments: [
            ("endpoints/b/c.json", "b.c", "{\"path\":\"/a\"}"),
            (
                "endpoints/g.json", "g.a",
                "{\r\n\t\"endpoints\": {\r\n\t\t\"a\": { \"path\": \"/\" },\r\n\t\t\"b\": {}\r\n\t}\r\n}\r\n"
            ),
            (
                "endpoints/j.jsonc", "j",
                "// c\n{\n  \"path\": \"/\", // p\n  \"stubs\": {\n    \"variants\": {\n      // none\n    },\n  },\n}"
            ),
        ])
    func places(_ path: String, _ id: String, _ text: String) async throws {
        let server = try CannedServer(["HTTP/1.1 200 OK", "Content-Type: application/json"], Self.json)
        let workspace = try TemporaryFolder.workspace([path: text])
        let run = try await Tool.run("send", id, "--base-url", server.url, "--save-stub", "x", in: workspace.path)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors == "note: saved as the stub variant x of \(id) in \(path) and stubs/\(id).x.json\n")
        #expect(try await Tool.run("send", id, "--stub", "x", in: workspace.path).output == Self.json)
        #expect(workspace.bytes("stubs/\(id).x.json") == Self.json)
        try await Self.expectInsertion(in: workspace, path, before: text)
    }

    @Test("--save-stub works with every output option, and with a closed output pipe")
    func printing() async throws {
        let server = try CannedServer(
            ["HTTP/1.1 200 OK", "Content-Type: application/json"], Array(#"{"a":[1,2]}"#.utf8))
        for (index, words) in [
            ["-Q"], ["--json"], ["--select", "$.a[0]"], ["--select", "$.b"], ["-o", "out"], ["-v"], ["--pretty"],
        ]
        .enumerated() {
            let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
            let call = ["send", "a", "--base-url", server.url] + words
            let plain = try await Tool.run(call, in: workspace.path)
            let saved = try await Tool.run(call + ["--save-stub", "x\(index)"], in: workspace.path)
            #expect(saved.status == plain.status)
            // The times differ between two exchanges.
            if words != ["--json"] { #expect(saved.outputText == plain.outputText) }
            #expect(workspace.text("stubs/a.x\(index).json") == #"{"a":[1,2]}"#)
        }
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
        var program = InProcess()
        program.hasReader = false
        let body = Data(repeating: 0x61, count: 300_000)
        program.response = { _ in Response(status: 200, body: body) }
        let run = await program.run("send", "a", "--save-stub", "x", in: workspace)
        #expect(run.status == 0)
        #expect(workspace.bytes("stubs/a.x.txt")?.count == 300_000)
    }

    @Test("--force replaces only the variant and its file")
    func force() async throws {
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
        for body in ["[1]", "[2, 3]"] {
            let server = try CannedServer(["HTTP/1.1 200 OK", "Content-Type: application/json"], Array(body.utf8))
            let run = try await Tool.run(
                "send", "a", "--base-url", server.url, "--save-stub", "x", "--force", in: workspace.path)
            #expect(run.status == 0, "\(run)")
            #expect(try await Tool.run("send", "a", "--stub", "x", in: workspace.path).outputText == body)
            try await Self.expectInsertion(in: workspace, "endpoints/a.json", before: Self.endpoint)
        }
        let gone = try CannedServer(["HTTP/1.1 410 Gone"])
        _ = try await Tool.run("send", "a", "--base-url", gone.url, "--save-stub", "old", "--force", in: workspace.path)
        #expect(
            workspace.text("endpoints/a.json")?.hasPrefix(
                "{\n\t\"path\" : \"/a\",   \"stubs\": {\"variants\": { \"old\": {\"status\" : 410}")
                == true)
        #expect(try await Tool.run("send", "a", "--stub", "old", in: workspace.path).status == 4)
    }

    @Test("Concurrent runs that add variants to one file lose none of them")
    func together() async throws {
        let server = try CannedServer(["HTTP/1.1 200 OK", "Content-Type: text/plain"], Array("body".utf8))
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
        let names = (0..<12).map { "v\($0)" }
        let runs = try names.map {
            try Tool.start(["send", "a", "--base-url", server.url, "--save-stub", $0], in: workspace.path)
        }
        for run in runs {
            let end = try await run.end()
            #expect(end.status == 0, "\(end)")
        }
        let text = try #require(workspace.text("endpoints/a.json"))
        for name in names {
            #expect(text.contains("\"\(name)\"") && workspace.text("stubs/a.\(name).txt") == "body", "\(name)")
        }
        #expect(try await Tool.run("validate", in: workspace.path).status == 0)
    }

    @Test("The endpoint file keeps its permissions, and a link to it stays a link")
    func permissions() async throws {
        let server = try CannedServer(["HTTP/1.1 200 OK"], Array("x".utf8))
        let workspace = try TemporaryFolder.workspace([
            "elsewhere/real.json": Self.endpoint, "endpoints/b.json": Self.endpoint,
        ])
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("endpoints/a.json"), withDestinationPath: "../elsewhere/real.json")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: workspace.path("elsewhere/real.json"))
        let run = try await Tool.run("send", "a", "--base-url", server.url, "--save-stub", "x", in: workspace.path)
        #expect(run.status == 0, "\(run)")
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: workspace.path("endpoints/a.json"))
        #expect(link == "../elsewhere/real.json")
        let mode = try FileManager.default.attributesOfItem(atPath: workspace.path("elsewhere/real.json"))[
            .posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o640)
        #expect(try await Tool.run("send", "a", "--stub", "x", in: workspace.path).outputText == "x")
    }
}
