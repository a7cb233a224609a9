import Foundation
import HostileServing
import Testing
import ToolSupport

/// Downloads that go on where an earlier run has stopped (`--continue`).
@Suite(.serialized) struct ContinueTests {
    private static let content = String((0..<5000).map { Character(Unicode.Scalar(UInt8(97 + $0 * 7 % 26))) })
    private static let tag = "\"v1\""

    /// How a server responds to one request.
    enum Reply: Sendable {
        /// With the whole file, of which the connection lets only so many bytes through.
        case whole(String = content, headers: [String] = ["ETag: \(tag)"], cut: Int? = nil)
        /// With a range of the file.
        case part(Range<Int>, headers: [String] = ["ETag: \(tag)"], cut: Int? = nil)
        case status(Int)
        /// With other bytes, and as many as wanted, for a range of the file.
        case range(Range<Int>, bytes: Int)
    }

    /// A server that replies to one request after the other, and to all further ones as to the last.
    private func server(_ replies: Reply...) throws -> HostileServer { try server(replies) }

    private func server(_ replies: [Reply]) throws -> HostileServer {
        let rest = Locked(replies)
        return try HostileServer { connection in
            while connection.readRequest() != nil {
                let reply = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
                switch reply {
                case .whole(let text, let headers, let cut):
                    Self.send(text, 200, headers, cut, to: connection)
                    if cut != nil { return }
                case .part(let range, let headers, let cut):
                    let range = range.clamped(to: 0..<Self.content.count)
                    let text = Self.content.dropFirst(range.lowerBound).prefix(range.count)
                    let place = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Self.content.count)"
                    Self.send(String(text), 206, headers + [place], cut, to: connection)
                    if cut != nil { return }
                case .range(let range, let count):
                    let place = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Self.content.count)"
                    let text = String(repeating: "x", count: count)
                    Self.send(text, 206, ["ETag: \(Self.tag)", place], nil, to: connection)
                case .status(let status): connection.respond(status, body: "sorry")
                }
            }
        }
    }

    private static func send(
        _ text: String, _ status: Int, _ headers: [String], _ cut: Int?, to connection: HostileConnection
    ) {
        let lines = ["HTTP/1.1 \(status) Fine"] + headers + ["Content-Length: \(text.utf8.count)"]
        connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + text.prefix(cut ?? text.count))
    }

    private func download(
        _ workspace: ToolWorkspace, _ server: HostileServer, _ flags: [String] = []
    ) async throws -> ToolRun {
        try await Tool.run(
            ["send", "it", "--base-url", "http://127.0.0.1:\(server.port)", "-o", "out", "--continue"] + flags,
            in: workspace, environment: ["KEY": "k3y-s3cr3t"])
    }

    private func workspace(_ endpoint: String = #"{ "path": "/file" }"#) throws -> ToolWorkspace {
        try ToolWorkspace(
            server: "http://127.0.0.1:9", endpoint: endpoint,
            environment: #""secrets": { "key": { "env": "KEY" } }"#)
    }

    private func text(_ workspace: ToolWorkspace, _ name: String = "out") -> String? {
        workspace.read(name).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("an interrupted download goes on where it stopped, as often as needed")
    func resumed() async throws {
        let server = try server(
            .whole(cut: 1000), .part(1000..<5000, cut: 2000), .part(3000..<5000))
        defer { server.stop() }
        let workspace = try workspace()
        try workspace.write("out", "what was there")
        for kept in [1000, 3000] {
            let run = try await download(workspace, server)
            #expect(run.status == 6)
            #expect(run.errors.contains("are kept; run the same command to continue\n"), "\(run.errors)")
            #expect(text(workspace, "out.part")?.count == kept && text(workspace) == "what was there")
        }
        let last = try await download(workspace, server)
        #expect(last.status == 0 && last.errors == "")
        #expect(text(workspace) == Self.content && workspace.files == ["out"])
        #expect(server.requests.map { $0.values("Range") } == [[], ["bytes=1000-"], ["bytes=3000-"]])
        #expect(server.requests.map { $0.values("If-Range") } == [[], [Self.tag], [Self.tag]])
        #expect(server.requests.allSatisfy { $0.values("Accept-Encoding") == ["identity"] })
    }

    @Test("--download --continue takes the name from the URL, and never replaces a file")
    func downloaded() async throws {
        let server = try server(.whole(cut: 1000), .part(1000..<5000))
        defer { server.stop() }
        let workspace = try workspace()
        let words = ["http://127.0.0.1:\(server.port)/files/big.bin?x=1", "--download", "--continue"]
        let first = try await Tool.run(words, in: workspace)
        #expect(first.status == 6 && first.errors.contains("run the same command to continue"), "\(first.errors)")
        #expect(text(workspace, "big.bin.part")?.count == 1000)
        let second = try await Tool.run(words, in: workspace)
        #expect(second.status == 0 && text(workspace, "big.bin") == Self.content, "\(second.errors)")
        let third = try await Tool.run(words, in: workspace)
        #expect(third.status == 9 && third.errors.contains("big.bin already exists"), "\(third.errors)")
        #expect(server.requests.count == 2)
    }

    struct Second: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: Reply
        var requests = 2
        var expected = content
    }

    private static let changed = "another content"

    @Test(
        "a download starts from the beginning if the server doesn't give the missing part of the same file",
        arguments: [
            Second(testDescription: "the server ignores ranges", reply: .whole()),
            Second(
                testDescription: "the file has changed", reply: .whole(changed, headers: ["ETag: \"v2\""]),
                expected: changed),
            Second(
                testDescription: "the server ignores If-Range", reply: .part(1000..<5000, headers: ["ETag: \"v2\""]),
                requests: 3),
            Second(testDescription: "no ETag", reply: .part(1000..<5000, headers: []), requests: 3),
            Second(testDescription: "another part", reply: .part(999..<5000), requests: 3),
            Second(testDescription: "a shorter part", reply: .part(1000..<4000), requests: 3),
            Second(
                testDescription: "compressed",
                reply: .part(1000..<5000, headers: ["ETag: \(tag)", "Content-Encoding: gzip"]), requests: 3),
            Second(testDescription: "416", reply: .status(416), requests: 3),
        ])
    func anew(second: Second) async throws {
        let server = try server(
            .whole(cut: 1000), second.reply, .whole(second.expected, headers: ["ETag: \"v2\""]))
        defer { server.stop() }
        let workspace = try workspace()
        _ = try await download(workspace, server)
        let run = try await download(workspace, server)
        #expect(run.status == 0, "\(run.errors)")
        #expect(text(workspace) == second.expected && workspace.files == ["out"])
        try #require(server.requests.count == second.requests)
        #expect(server.requests[1].values("Range") == ["bytes=1000-"])
        if second.requests == 3 {
            #expect(server.requests[2].values("Range") == [] && server.requests[2].values("If-Range") == [])
            #expect(run.errors.contains("so it starts from the beginning"), "\(run.errors)")
        }
    }

    @Test(
        "a body that is not as long as its range is an error, and no file is made of it",
        arguments: [1000..<4000, 1000..<6000, 1000..<1001])
    func otherLength(of body: Range<Int>) async throws {
        let server = try server(.whole(cut: 1000), .range(1000..<5000, bytes: body.count))
        defer { server.stop() }
        let workspace = try workspace()
        _ = try await download(workspace, server)
        let run = try await download(workspace, server)
        #expect(run.status == 6, "\(run.errors)")
        #expect(
            run.errors.contains("has \(body.count) bytes, but its Content-Range is 1000-4999/5000"), "\(run.errors)")
        #expect(text(workspace) == nil)
    }

    @Test(
        "a response that is neither the file nor a part of it is an error, and no file is made of it",
        arguments: [201, 204, 205, 206, 302, 304], [false, true])
    func otherStatus(_ status: Int, isContinued: Bool) async throws {
        let replies: [Reply] = isContinued ? [.whole(cut: 1000), .status(416), .status(status)] : [.status(status)]
        let server = try server(replies)
        defer { server.stop() }
        let workspace = try workspace()
        if isContinued { _ = try await download(workspace, server) }
        let run = try await download(workspace, server)
        #expect(run.status == 6, "\(run.errors)")
        #expect(run.errors.contains("responded with \(status) instead of the file"), "\(run.errors)")
        #expect(text(workspace) == nil)
    }

    @Test("of a file that is whole already, only the last byte is asked for again")
    func whole() async throws {
        let server = try server(.whole(cut: 1000), .part(4999..<5000))
        defer { server.stop() }
        let workspace = try workspace()
        _ = try await download(workspace, server)
        try workspace.write("out.part", Self.content)
        let run = try await download(workspace, server)
        #expect(run.status == 0, "\(run.errors)")
        #expect(text(workspace) == Self.content && workspace.files == ["out"])
        #expect(server.requests.last?.values("Range") == ["bytes=4999-"])
    }

    @Test(
        "nothing is kept of what no later run could recognize",
        arguments: [
            [], ["ETag: \"\(String(repeating: "x", count: 90_000))\""], ["ETag: W/\"weak\""], ["ETag: \"k3y-s3cr3t\""],
            ["ETag: \(tag)", "Content-Encoding: gzip"],
            ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"],
            ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:37 GMT"],
        ])
    func unknown(headers: [String]) async throws {
        let server = try server(.whole(headers: headers, cut: 1000))
        defer { server.stop() }
        let workspace = try workspace(#"{ "path": "/file", "query": { "key": "{{secret.key}}" } }"#)
        let run = try await download(workspace, server)
        #expect(run.status == 6 && !run.errors.contains("kept"), "\(run.errors)")
        #expect(workspace.files == [])
    }

    @Test("a Last-Modified that is older than the response tells that a file is the same")
    func date() async throws {
        let date = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
        let server = try server(
            .whole(headers: [date, "Date: Sun, 06 Nov 1994 08:49:38 GMT"], cut: 1000),
            .part(1000..<5000, headers: []))
        defer { server.stop() }
        let workspace = try workspace()
        _ = try await download(workspace, server)
        let run = try await download(workspace, server)
        #expect(run.status == 0 && text(workspace) == Self.content, "\(run.errors)")
        #expect(server.requests.last?.values("If-Range") == ["Sun, 06 Nov 1994 08:49:37 GMT"])
    }

    @Test("an error keeps what has arrived, and another request starts from the beginning")
    func kept() async throws {
        let server = try server(.whole(cut: 1000), .status(503), .whole())
        defer { server.stop() }
        let workspace = try workspace()
        _ = try await download(workspace, server)
        let failed = try await download(workspace, server)
        #expect(failed.status == 5 && text(workspace, "out.part")?.count == 1000, "\(failed.errors)")
        let other = try await download(workspace, server, ["-q", "page=2"])
        #expect(other.status == 0 && text(workspace) == Self.content, "\(other.errors)")
        #expect(other.errors.contains("does not match this request"))
        #expect(server.requests.last?.values("Range") == [])
    }

    @Test("what is kept has no secret beside the body, and is the user's alone")
    func secret() async throws {
        let server = try server(.whole(cut: 1000))
        defer { server.stop() }
        let workspace = try workspace(
            #"{ "path": "/file", "query": { "key": "{{secret.key}}" }, "headers": { "Accept": "{{secret.key}}" } }"#)
        _ = try await download(workspace, server)
        let info = try #require(text(workspace, "out.part.info"))
        #expect(info.contains("ETag: \(Self.tag)\n") && info.contains("Content-Length: 5000\n"))
        for form in ["k3y-s3cr3t", "k3y%2Ds3cr3t", "azN5LXMzY3IzdA"] { #expect(!info.contains(form), "\(info)") }
        let attributes = try FileManager.default.attributesOfItem(atPath: workspace.path("out.part.info"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("a file that is not a partial download is not touched")
    func foreign() async throws {
        let server = try server(.whole())
        defer { server.stop() }
        let workspace = try workspace()
        try workspace.write("out.part", "precious")
        let run = try await download(workspace, server)
        #expect(run.status == 9 && server.requests.isEmpty)
        #expect(run.errors.contains("out.part exists, but is not a partial download"), "\(run.errors)")
        #expect(text(workspace, "out.part") == "precious")
        try FileManager.default.removeItem(atPath: workspace.path("out.part"))
        try workspace.write("elsewhere", "precious")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("out.part"), withDestinationPath: "elsewhere")
        #expect(try await download(workspace, server).status == 9)
        #expect(text(workspace, "elsewhere") == "precious")
    }

    @Test(
        "options that --continue can't go with are errors before anything is sent",
        arguments: [
            (["--continue"], 2), (["--continue", "-o", "-"], 2), (["--continue", "--download", "-o", "out"], 2),
            (["--continue", "-o", "out", "--output-errors"], 2),
            (["--continue", "-o", "out", "-H", "Range: bytes=1-"], 2),
            (["--continue", "-o", "out", "--body", "x"], 2), (["--continue", "-o", "/dev/null"], 9),
            (["--continue", "-o", "/dev/stdout"], 9),
        ])
    func refused(flags: [String], status: Int) async throws {
        let server = try server(.whole())
        defer { server.stop() }
        let run = try await Tool.run(
            ["send", "it", "--base-url", "http://127.0.0.1:\(server.port)"] + flags, in: workspace())
        #expect(Int(run.status) == status && server.requests.isEmpty, "\(run.errors)")
    }

    /// A server that sends the file slowly, from where it is asked to.
    private func slow() throws -> HostileServer {
        try HostileServer { connection in
            guard let request = connection.readRequest() else { return }
            let start = request.values("Range").first.flatMap { Int($0.dropFirst(6).dropLast()) }
            let place = start.map { ["Content-Range: bytes \($0)-4999/5000"] } ?? []
            let rest = Self.content.dropFirst(start ?? 0)
            let head = ["HTTP/1.1 \(start == nil ? 200 : 206) Fine", "ETag: \(Self.tag)"] + place
            connection.send((head + ["Content-Length: \(rest.count)"]).joined(separator: "\r\n") + "\r\n\r\n")
            for byte in rest.utf8 {
                guard connection.send([byte]) else { return }
                connection.pause(0.0005)
            }
        }
    }

    @Test("a run that is killed or interrupted leaves what the next one goes on with")
    func killed() async throws {
        let server = try slow()
        defer { server.stop() }
        let workspace = try workspace()
        func size() -> Int { workspace.read("out.part")?.count ?? 0 }
        for round in 0..<6 {
            let tool = try Tool.start(
                ["send", "it", "--base-url", "http://127.0.0.1:\(server.port)", "-o", "out", "--continue"],
                in: workspace)
            let before = size()
            #expect(await eventually { size() > before + 20 })
            if round == 0 {
                let second = try await download(workspace, server)
                #expect(second.status == 9 && second.errors.contains("another run is writing"), "\(second.errors)")
            }
            if round % 2 == 0 { tool.kill() } else { tool.send(signal: .interrupt) }
            _ = try await tool.end()
            let kept = try #require(text(workspace, "out.part"))
            #expect(kept.count > before && Self.content.hasPrefix(kept))
        }
        let run = try await download(workspace, server)
        #expect(run.status == 0, "\(run.errors)")
        #expect(text(workspace) == Self.content && workspace.files == ["out"])
        #expect(server.requests.dropFirst().allSatisfy { $0.values("Range") != [] })
    }
}
