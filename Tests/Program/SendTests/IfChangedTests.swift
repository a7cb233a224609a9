import Foundation
import HostileServing
import ReqcliBasics
import TestSupport
import Testing
import ToolSupport

/// `--if-changed` asks for a response only if it has changed.
struct IfChangedTests {
    /// A server whose document has this tag and date, and which knows conditions.
    private func server(
        _ headers: [String] = ["ETag: W/\"1\"", "Last-Modified: Sat, 21 Nov 2026 08:00:00 GMT"], body: String = "one"
    ) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let tags = request.values("If-None-Match")
                let isSame =
                    tags.isEmpty
                    ? !request.values("If-Modified-Since").isEmpty : headers.contains { $0 == "ETag: \(tags[0])" }
                connection.respond(isSame ? 304 : 200, headers, body: isSame ? "" : body)
            }
        }
    }

    private func send(
        _ workspace: ToolWorkspace, _ server: HostileServer, _ flags: [String] = ["-o", "out", "--if-changed", "since"]
    ) async throws -> ToolRun {
        try await Tool.run(["send", "it", "--base-url", "http://127.0.0.1:\(server.port)"] + flags, in: workspace)
    }

    private func text(_ workspace: ToolWorkspace, _ name: String) -> String? {
        workspace.read(name).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("an unchanged response is status 0 with a note, and the files stay as they are")
    func unchanged() async throws {
        let server = try server()
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://h", endpoint: #"{ "path": "/" }"#)
        let first = try await send(workspace, server)
        #expect(first.status == 0 && first.errors == "" && text(workspace, "out") == "one", "\(first.errors)")
        let kept = text(workspace, "since")
        #expect(
            kept?.contains("ETag: W/\"1\"\nLast-Modified: Sat, 21 Nov 2026 08:00:00 GMT\n") == true, "\(kept ?? "")")
        let second = try await send(workspace, server)
        #expect(second.status == 0)
        #expect(second.errors == "note: 304 Not Modified: unchanged since Sat, 21 Nov 2026 08:00:00 GMT\n")
        #expect(text(workspace, "out") == "one" && text(workspace, "since") == kept)
        #expect(server.requests.map { $0.values("If-None-Match") } == [[], ["W/\"1\""]])
        let piped = try await send(workspace, server, ["--if-changed", "since", "-w", "{status}\\n"])
        #expect(piped.status == 0 && piped.outputText == "304\n")
    }

    @Test("the rendered curl sends the same conditions, and so does curl with the same tag")
    func rendered() async throws {
        let server = try server()
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: server.url().absoluteString, endpoint: #"{ "path": "/" }"#)
        let condition = ["--if-changed", "since"]
        for command in [["send", "it"], ["send", "it"], ["render", "it"]] {
            let run = try await Tool.run(command + condition, in: workspace)
            #expect(run.status == 0, "\(run.errors)")
            if command[0] == "render" { _ = try ShellCommand.run(run.outputText) }
        }
        let folder = workspace.path("")
        _ = try ShellCommand.run(
            "cd '\(folder)' && printf '%s\\n' 'W/\"1\"' > tag && curl -sS --etag-compare tag \(server.url())")
        try #require(server.requests.count == 4)
        #expect(Set(server.requests[1].headerLines) == Set(server.requests[2].headerLines))
        #expect(server.requests[3].values("If-None-Match") == server.requests[2].values("If-None-Match"))
    }

    @Test("a changed response replaces the body and what is kept")
    func changed() async throws {
        let workspace = try ToolWorkspace(server: "http://h", endpoint: #"{ "path": "/" }"#)
        // The same request, since the address counts.
        let document = Document()
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                let number = document.next()
                connection.respond(200, ["ETag: \"\(number)\""], body: "body \(number)")
            }
        }
        defer { server.stop() }
        for number in 1...3 {
            #expect(try await send(workspace, server).status == 0)
            #expect(text(workspace, "out") == "body \(number)")
        }
        #expect(server.requests.map { $0.values("If-None-Match") } == [[], ["\"1\""], ["\"2\""]])
    }

    private final class Document: Sendable {
        private let number = Mutex(0)
        func next() -> Int {
            number.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test(
        "no condition is sent where an answer without a body would be of no use",
        arguments: [["--if-changed", "since", "-o", "new"], ["--if-changed", "since", "-q", "a=1"]])
    func unconditional(_ flags: [String]) async throws {
        let server = try server()
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://h", endpoint: #"{ "path": "/" }"#)
        _ = try await send(workspace, server)
        let run = try await send(workspace, server, flags)
        #expect(run.status == 0)
        #expect(server.requests.last?.values("If-None-Match") == [])
        #expect(flags.contains("new") ? text(workspace, "new") == "one" : run.outputText == "one")
    }

    @Test("an error and a body that is cut off leave the file as it is")
    func failed() async throws {
        let server = try server()
        defer { server.stop() }
        let failing = try HostileServer { connection in
            guard let request = connection.readRequest() else { return }
            if request.line.contains("/cut") {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"2\"\r\nContent-Length: 9\r\n\r\nhalf")
            } else {
                connection.respond(500, ["ETag: \"2\""], body: "no")
            }
        }
        defer { failing.stop() }
        for (path, status) in [("/", Int32(5)), ("/cut", 6)] {
            let workspace = try ToolWorkspace(server: "http://h", endpoint: #"{ "path": "\#(path)" }"#)
            _ = try await send(workspace, server)
            let kept = text(workspace, "since")
            #expect(try await send(workspace, failing).status == status)
            #expect(kept != nil && text(workspace, "since") == kept)
        }
    }

    @Test("a response without validators is noted")
    func without() async throws {
        let server = try server([])
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://h", endpoint: #"{ "path": "/" }"#)
        let run = try await send(workspace, server)
        #expect(run.status == 0 && run.errors.contains("neither ETag nor Last-Modified"), "\(run.errors)")
    }

    @Test(
        "what --if-changed can't do is an error before anything is sent",
        arguments: [
            (["--if-changed", "endpoints/it.json"], "endpoints/it.json was not written by --if-changed", Int32(2)),
            (["--if-changed", "since", "-H", "If-None-Match: x"], "but the request already has If-None-Match", 2),
            (
                ["--if-changed", "since", "--body", "x", "-H", "Range: bytes=0-1"], "but the request already has Range",
                2
            ),
            (["--if-changed", "since", "-o", "./since"], "name the same file, since", 2),
            (["--if-changed", "link/since", "-o", "since"], "name the same file, link/since", 2),
            (["--if-changed", "pipe"], "cannot read pipe: it is not a regular file", 2),
            (["--if-changed", "pipe", "-o", "pipe"], "name the same file, pipe", 2),
            (["--if-changed", "since", "--continue", "-o", "out"], "--continue", 2),
            (["--if-changed", "since", "--save-stub", "x"], "--save-stub", 2),
        ])
    func refused(_ flags: [String], _ message: String, _ status: Int32) async throws {
        let server = try server()
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://h", endpoint: #"{ "path": "/" }"#)
        try workspace.folder.makePipe("pipe")
        try workspace.folder.link("link", to: ".")
        let run = try await send(workspace, server, flags)
        #expect(run.status == status && run.errors.contains(message), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }

    @Test("a POST is refused, and so is a folder that can't be written to, after the body was printed")
    func others() async throws {
        let server = try server()
        defer { server.stop() }
        let post = try ToolWorkspace(server: "http://h", endpoint: #"{ "method": "POST", "path": "/" }"#)
        let refused = try await send(post, server)
        #expect(refused.status == 2 && refused.errors.contains("needs a GET or HEAD request; this is a POST"))
        let workspace = try ToolWorkspace(server: "http://h", endpoint: #"{ "path": "/" }"#)
        let run = try await send(workspace, server, ["--if-changed", "no/since"])
        #expect(
            run.status == 9 && run.outputText == "one" && run.errors.contains("cannot write no/since"), "\(run.errors)")
    }
}
