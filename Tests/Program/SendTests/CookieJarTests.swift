import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `--cookie-jar` sends the cookies of a file, stores those of every response in it, and never shows their values.
@Suite(.serialized) struct CookieJarTests {
    private static let first = "s3ss10n-one"
    private static let second = "s3ss10n-two"

    /// A server whose response depends on the path.
    private static func server(
        _ answer: @escaping @Sendable (HostileConnection, _ path: String) -> Void
    ) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let path = request.line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                answer(connection, path)
            }
        }
    }

    private static func jar(_ lines: [(domain: String, path: String, name: String, value: String)]) -> String {
        lines.map { "\($0.domain)\tFALSE\t\($0.path)\tFALSE\t0\t\($0.name)\t\($0.value)\n" }.joined()
    }

    private static func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func jarText(_ workspace: ToolWorkspace, _ name: String = "jar") -> String {
        String(decoding: workspace.read(name) ?? [], as: UTF8.self)
    }

    @Test("a missing jar is created with access for its owner only, and the next run sends its cookies")
    func twice() async throws {
        let server = try Self.server { connection, _ in
            connection.respond(200, ["Set-Cookie: id=\(Self.first); Path=/", "Set-Cookie: lang=de"])
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        for _ in 0..<2 {
            let run = try await Tool.run(["send", "it", "--cookie-jar", "jar"], in: workspace)
            #expect(run.status == 0 && run.errors == "note: 200 Some Reason, no body\n", "\(run.errors)")
        }
        #expect(server.requests.map { $0.values("Cookie") } == [[], ["id=\(Self.first); lang=de"]])
        #expect(try Self.permissions(workspace.path("jar")) == 0o600)
        #expect(workspace.files == ["jar"])
    }

    @Test("a cookie that cannot be sent is dropped with a note, and the next run works")
    func flawed() async throws {
        let server = try Self.server { connection, _ in
            connection.send("HTTP/1.1 200 OK\r\nSet-Cookie: a\u{7F}=\(Self.first)\r\nSet-Cookie: b=")
            connection.send([0xE9])
            connection.send("\r\nSet-Cookie: c=\u{301}\r\nSet-Cookie: d=1;\u{301}\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        for number in 0..<2 {
            let run = try await Tool.run(["send", "it", "-v", "--cookie-jar", "jar"], in: workspace)
            #expect(run.status == 0, "\(run.errors)")
            let notes = run.errors.split(separator: "\n").filter { $0.hasPrefix("note:") }
            #expect(notes.count == 2 && notes[0].contains("of 127.0.0.1 is not kept: it has a control character"))
            #expect(notes.last == #"note: cookie "b" of 127.0.0.1 is not kept: it is not UTF-8 text"#)
            #expect(!run.errors.contains(Self.first) && !run.errors.contains("\u{7F}"))
            let cookies = server.requests[number].values("Cookie").joined()
            #expect(cookies.unicodeScalars.elementsEqual((number == 0 ? "" : "c=\u{301}; d=1").unicodeScalars))
        }
    }

    @Test("of another program's jar, only the cookies that cannot be sent are dropped")
    func flawedFile() async throws {
        let server = try Self.server { connection, _ in connection.respond() }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        try workspace.write(
            "jar", Self.jar([("127.0.0.1", "/", "bad\u{7F}", Self.first), ("127.0.0.1", "/", "id", Self.second)]))
        let run = try await Tool.run(["send", "it", "--cookie-jar", "jar"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("note: jar: cookie") && run.errors.contains("it has a control character"))
        #expect(server.requests.first?.values("Cookie") == ["id=\(Self.second)"])
        #expect(!jarText(workspace).contains("bad"))
    }

    @Test("only cookies for the host and path are sent, and all others stay in the file")
    func scope() async throws {
        let server = try Self.server { connection, _ in connection.respond() }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/a/b" }"#)
        let lines = [
            ("127.0.0.1", "/", "here", "1"), ("127.0.0.1", "/a", "below", "2"), ("127.0.0.1", "/x", "beside", "3"),
            ("localhost", "/", "elsewhere", "4"),
        ]
        try workspace.write("jar", Self.jar(lines))
        let run = try await Tool.run(["send", "it", "--cookie-jar", "jar"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.first?.values("Cookie") == ["below=2; here=1"])
        for line in lines { #expect(jarText(workspace).contains("\t\(line.2)\t\(line.3)\n")) }
        #expect(try Self.permissions(workspace.path("jar")) == 0o600, "whatever it was before")
    }

    @Test("cookies set by redirects, retried responses and error responses are stored", arguments: [302, 503, 404])
    func everyAnswer(status: Int) async throws {
        let server = try Self.server { connection, path in
            let isFirst = path == "/"
            connection.respond(
                isFirst ? status : 200, isFirst ? ["Set-Cookie: id=\(Self.first); Path=/", "Location: /next"] : [])
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(
            ["send", "it", "--cookie-jar", "jar", "--follow", "--retry", "1"], in: workspace)
        #expect(run.status == (status == 302 ? 0 : Int32(status / 100)), "\(run.errors)")
        #expect(jarText(workspace).contains("\tid\t\(Self.first)\n"))
        if status != 404 { #expect(server.requests.last?.values("Cookie") == ["id=\(Self.first)"]) }
    }

    @Test("needed requests share the jar, and their cookies are stored even if a later request fails")
    func needs() async throws {
        let server = try Self.server { connection, path in
            if path == "/login" {
                connection.respond(200, ["Set-Cookie: id=\(Self.first); Path=/"], body: #"{"user": 7}"#)
            } else {
                connection.send("garbage")
                connection.reset()
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/user/{{login.user}}", "needs": { "login": "login" } }"#)
        try workspace.write(
            "endpoints/login.json", #"{ "path": "/login", "capture": { "user": { "json": "$.user" } } }"#)
        let run = try await Tool.run(["send", "it", "--cookie-jar", "jar"], in: workspace)
        #expect(run.status == 6, "\(run.errors)")
        #expect(server.requests.map { $0.values("Cookie") } == [[], ["id=\(Self.first)"]])
        #expect(jarText(workspace).contains("\tid\t\(Self.first)\n"))
    }

    @Test("a redirect to another host does not send the first host's cookies")
    func otherHost() async throws {
        let other = try Self.server { connection, _ in connection.respond(200, ["Set-Cookie: own=1"]) }
        defer { other.stop() }
        let server = try Self.server { connection, _ in
            connection.respond(302, ["Location: http://localhost:\(other.port)/"])
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        try workspace.write("jar", Self.jar([("127.0.0.1", "/", "id", Self.first)]))
        let run = try await Tool.run(["send", "it", "--cookie-jar", "jar", "--follow"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(other.requests.first?.values("Cookie") == [])
        #expect(jarText(workspace).contains("localhost\tFALSE\t/\tFALSE\t0\town\t1\n"))
    }

    @Test(
        "values of sent and received cookies are never shown, however short they are",
        arguments: [["-v", "-i"], ["--json"], ["--headers"]])
    func masked(flags: [String]) async throws {
        let server = try Self.server { connection, _ in
            connection.respond(
                200, ["Set-Cookie: id=\(Self.second); Path=/; HttpOnly", "Set-Cookie: n=71", "X-Echo: \(Self.first)"],
                body: #"{"echo": "\#(Self.first)"}"#)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/", "headers": { "Cookie": "own=yes" } }"#
        )
        try workspace.write(
            "jar", Self.jar([("127.0.0.1", "/", "id", Self.first), ("127.0.0.1", "/", "n", "70")]))
        let run = try await Tool.run(["send", "it", "--cookie-jar", "jar"] + flags, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.first?.values("Cookie") == ["own=yes; id=\(Self.first); n=70"])
        // A response body is shown as the server sent it.
        let shown = (run.outputText + run.errors).replacing("\"echo\": \"\(Self.first)\"", with: "")
        for value in [Self.first, Self.second, "=70", "=71"] { #expect(!shown.contains(value), "\(shown)") }
        #expect(shown.contains("id=<secret.cookie.id>; Path=/; HttpOnly"), "\(shown)")
        if flags != ["--headers"] {
            #expect(shown.contains("own=yes; id=<secret.cookie.id>; n=<secret.cookie.n>"), "\(shown)")
        }
    }

    @Test("an invalid cookie jar is reported with its line before anything is sent, and is left unchanged")
    func broken() async throws {
        let server = try Self.server { connection, _ in connection.respond() }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let text = "# Netscape HTTP Cookie File\n\nnot a cookie\n"
        try workspace.write("jar", text)
        for command in ["send", "render", "explain"] {
            let run = try await Tool.run([command, "it", "--cookie-jar", "jar"], in: workspace)
            #expect(run.status == 3)
            #expect(run.errors.hasPrefix("jar:3:1: error: not a valid cookie jar: expected seven"), "\(run.errors)")
            #expect(!run.errors.contains("not a cookie"), "its lines are credentials")
        }
        #expect(server.connections == 0)
        #expect(jarText(workspace) == text)
    }

    @Test(
        "a path that cannot be a cookie jar is an error before anything is sent",
        arguments: [
            ("nowhere/jar", 9, "nowhere/jar: no such file"), ("folder", 2, "it is a directory"),
            ("device", 2, "it is not a regular file"), ("-", 2, "can't be a stream"),
        ])
    func unusable(path: String, status: Int32, reason: String) async throws {
        let server = try Self.server { connection, _ in connection.respond() }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        try workspace.write("folder/file", "")
        try FileManager.default.createSymbolicLink(atPath: workspace.path("device"), withDestinationPath: "/dev/null")
        let run = try await Tool.run(["send", "it", "--cookie-jar", path], in: workspace)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(server.connections == 0)
        #expect(workspace.files == ["device", "folder"])
    }

    @Test("a jar that cannot be written at the end is exit 9, whatever the response was")
    func unwritable() async throws {
        let workspace = try ToolWorkspace([:])
        let folder = workspace.path("jars")
        let server = try Self.server { connection, _ in
            // The folder is removed before the response arrives.
            try? FileManager.default.removeItem(atPath: folder)
            connection.respond(404, ["Set-Cookie: id=1"], body: "nothing here")
        }
        defer { server.stop() }
        try workspace.write("endpoints/it.json", #"{ "path": "/" }"#)
        try workspace.write("environments/development.json", #"{ "baseURL": "http://127.0.0.1:\#(server.port)" }"#)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let run = try await Tool.run(["send", "it", "--cookie-jar", "jars/jar"], in: workspace)
        #expect(run.status == 9 && run.outputText == "nothing here")
        #expect(run.errors.contains("error: cannot write the cookie jar jars/jar: no such file"), "\(run.errors)")
    }

    @Test("without --cookie-jar no cookies are stored or sent")
    func none() async throws {
        let server = try Self.server { connection, path in
            connection.respond(path == "/" ? 302 : 200, ["Set-Cookie: id=1; Path=/", "Location: /next"])
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "--follow"], in: workspace)
        #expect(run.status == 0 && workspace.files == [])
        #expect(server.requests.map { $0.values("Cookie") } == [[], []])
    }

    @Test(
        "--cookie-file is read and never written, and the rendered curl sends the same cookies",
        .enabled(if: ShellCommand.has("curl"), "curl is needed"))
    func onlyRead() async throws {
        let server = try Self.server { connection, path in
            connection.respond(
                path == "/" ? 302 : 200, ["Set-Cookie: id=\(Self.second); Path=/", "Location: /next"])
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let text = Self.jar([("127.0.0.1", "/", "id", Self.first)])
        try workspace.write("cookies", text)
        let flags = ["--cookie-file", "cookies", "--follow"]
        let run = try await Tool.run(["send", "it", "-v"] + flags, in: workspace)
        #expect(run.status == 0 && !run.errors.contains(Self.first), "\(run.errors)")
        let render = try await Tool.run(["render", "it"] + flags, in: workspace)
        #expect(render.outputText.contains("-b cookies") && !render.outputText.contains("-c "), "\(render)")
        _ = try ShellCommand.run(render.outputText, in: workspace.folder)
        // The redirect gets the cookie that the first response has set.
        #expect(
            server.requests.map { $0.values("Cookie") }
                == [["id=\(Self.first)"], ["id=\(Self.second)"], ["id=\(Self.first)"], ["id=\(Self.second)"]])
        #expect(jarText(workspace, "cookies") == text && workspace.files == ["cookies"])
    }

    @Test(
        "a cookie file that can't be read is an error before anything is sent",
        arguments: [
            (["--cookie-file", "none"], 2, "cannot read the cookie file none: there is no such file"),
            (["--cookie-file", "endpoints/it.json"], 3, "not a valid cookie file: expected seven"),
            (["--cookie-file", "a", "--cookie-jar", "b"], 2, "--cookie-jar and --cookie-file contradict each other"),
        ])
    func unreadable(flags: [String], status: Int32, message: String) async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        let run = try await Tool.run(["send", "it"] + flags, in: workspace)
        #expect(run.status == status && run.errors.contains(message), "\(run.errors)")
        #expect(workspace.files == [])
    }

    @Test("an interrupted run leaves the jar unchanged")
    func interrupted() async throws {
        let server = try Self.server { connection, _ in
            connection.send("HTTP/1.1 200 OK\r\nSet-Cookie: id=new\r\nContent-Length: 100\r\n\r\nhalf")
            connection.waitForClose()
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let text = Self.jar([("127.0.0.1", "/", "id", "old")])
        try workspace.write("jar", text)
        let tool = try Tool.start(["send", "it", "--cookie-jar", "jar", "-o", "out"], in: workspace)
        #expect(await eventually { workspace.files.contains { $0.hasPrefix(".out.") } })
        tool.send(signal: .interrupt)
        #expect(try await tool.end().signal == .interrupt)
        #expect(jarText(workspace) == text)
        #expect(workspace.files == ["jar"])
    }

    @Test(
        "the rendered curl command sends and stores the same cookies",
        .enabled(if: ShellCommand.has("curl"), "curl is needed"))
    func rendered() async throws {
        let server = try Self.server { connection, _ in
            connection.respond(200, ["Set-Cookie: id=\(Self.second); Path=/"])
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let text = Self.jar([("127.0.0.1", "/", "id", Self.first)])
        try workspace.write("my jar", text)
        let render = try await Tool.run(["render", "it", "--cookie-jar", "my jar"], in: workspace)
        #expect(render.status == 0 && render.errors == "", "\(render.errors)")
        #expect(render.outputText.contains("-b 'my jar'") && render.outputText.contains("-c 'my jar'"))
        #expect(jarText(workspace, "my jar") == text, "rendering writes nothing")
        _ = try await Tool.run(["send", "it", "--cookie-jar", "my jar"], in: workspace)
        let kept = jarText(workspace, "my jar")
        try workspace.write("my jar", text)
        _ = try ShellCommand.run(render.outputText, in: workspace.folder)
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.values("Cookie") == ["id=\(Self.first)"] })
        let curls = jarText(workspace, "my jar")
        #expect(kept.contains("127.0.0.1\tFALSE\t/\tFALSE\t0\tid\t\(Self.second)\n"), "\(kept)")
        #expect(curls.contains("127.0.0.1\tFALSE\t/\tFALSE\t0\tid\t\(Self.second)\n"), "\(curls)")
        // Each program reads the jar that the other wrote.
        let run = try await Tool.run(["send", "it", "--cookie-jar", "my jar"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.last?.values("Cookie") == ["id=\(Self.second)"])
    }

    @Test(
        "a note says if curl would send other cookies from the jar",
        arguments: [
            (1, "", nil), (150, "", nil), (151, "", "150 cookies"), (3, String(repeating: "v", count: 3000), "8 KiB"),
        ] as [(Int, String, String?)])
    func limits(count: Int, value: String, note: String?) async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        try workspace.write(
            "jar", Self.jar((0..<count).map { ("127.0.0.1", "/", "n\($0)", "v\(value)") }))
        let run = try await Tool.run(["render", "it", "--cookie-jar", "jar"], in: workspace)
        #expect(run.status == 0)
        if let note { #expect(run.errors.contains(note), "\(run.errors)") } else { #expect(run.errors == "") }
    }

    @Test("a note says that curl sends the cookies of an explicit Host header")
    func ownHost() async throws {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:1", endpoint: #"{ "path": "/", "headers": { "Host": "own.example" } }"#)
        try workspace.write("jar", Self.jar([("127.0.0.1", "/", "id", Self.first)]))
        let run = try await Tool.run(["render", "it", "--cookie-jar", "jar"], in: workspace)
        #expect(run.errors.contains("note: curl sends the cookies for the host in the Host header"), "\(run.errors)")
    }

    @Test(
        "a rendered message contains the cookies, masked without --reveal", arguments: ["http", "json", "har"])
    func message(format: String) async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        try workspace.write("jar", Self.jar([("127.0.0.1", "/", "id", Self.first)]))
        let render = ["render", "it", "--cookie-jar", "jar", "--format", format]
        let masked = try await Tool.run(render, in: workspace)
        #expect(masked.outputText.contains("id=<secret.cookie.id>") && !masked.outputText.contains(Self.first))
        let plain = try await Tool.run(render + ["--reveal"], in: workspace)
        #expect(plain.outputText.contains("id=\(Self.first)"), "\(plain.outputText)\(plain.errors)")
    }
}
