import Foundation
import TestSupport
import Testing
import ToolSupport

/// `reqcli curl …`, beside curl itself.
struct CurlCallTests {
    @Test(
        "a pasted curl command sends what curl sends",
        arguments: [
            ["U/a?b=c%20d&e"], ["-X", "DELETE", "U/a/7"], ["-d", "a=1", "-d", "b=x y", "U"],
            ["-G", "-d", "q=1", "U/s"],
            ["--json", #"{"a": [1, 2.50]}"#, "U/json"],
            ["-H", "X-A: 1", "-H", "Accept: text/plain", "-H", "X-E;", "U"],
            ["-u", "ada:s3cr3t pw", "U/p"], ["-b", "sid=abc123", "U"], ["--data-raw", "@not a file", "U"],
            ["-d", "@body.txt", "U"], ["--data-binary", "@body.txt", "-H", "Content-Type: text/x", "U"],
            ["-T", "body.txt", "U/up"], ["-I", "U/h"], ["-A", "agent", "-e", "http://r.test/", "U"],
            ["U/one", "U/two"], ["U/[1-3]/{a,b}"], ["U/[08-11:2]?x={p,q}"], ["-d", "{{a}} $HOME", "U"],
            ["-H", "Authorization: Bearer abcdefgh12345678", "U/users/42?page=2&api_key=ABCDEFGH12345678"],
        ])
    func same(_ words: [String]) async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([
            "body.txt": "line 1\nline 2\u{2028}3\u{0C}4\r\n", "reqcli.json": "broken",
            "environments/development.json": "broken",
        ])
        let line = words.map { $0.hasPrefix("U") ? "http://127.0.0.1:\(server.port)" + $0.dropFirst() : $0 }
        let before = workspace.files
        let run = try await Tool.run(["curl"] + line, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(workspace.files == before, "no file is made")
        let ours = server.requests
        _ = try await Tool.run(["-q", "-sS"] + line, in: workspace.folder.path, program: ["curl"])
        let theirs = server.requests.dropFirst(ours.count)
        #expect(ours.map(Self.shown) == theirs.map(Self.shown))
    }

    /// What has to be equal. The User-Agent is the program's own, and the program decodes compressed bodies.
    private static func shown(_ request: RecordedRequest) -> String {
        let left = ["accept-encoding", "user-agent", "host", "expect", "connection", "content-length"]
        let headers = request.headers.filter { !left.contains($0.name.lowercased()) }
            .map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        return ([request.method, request.target] + headers + [String(decoding: request.body, as: UTF8.self)])
            .joined(separator: "\n")
    }

    @Test(
        "standard input is sent as curl sends it",
        arguments: [
            ["--data-binary", "@-"], ["-d", "@-"], ["-d", "a=1", "-d", "@-"], ["--data-urlencode", "q@-"], ["-T", "-"],
            ["--json", "@-"], ["-F", "a=@-;type=text/x", "-F", "b=1"],
        ], ["line 1\nline 2\n{{a}} $HOME\n", "\u{1}\u{e9}"])
    func standardInput(_ words: [String], _ input: String) async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace(["input": input])
        var bodies: [String] = []
        for program in [[Tool.path, "curl"], ["curl", "-q", "-sS"]] {
            let line = program + words + ["http://127.0.0.1:\(server.port)/"]
            let run = try await Tool.run(
                ["-c", #""$@" < input"#, "sh"] + line, in: workspace.folder.path, program: ["sh"])
            #expect(run.status == 0 && !run.errors.contains("not sent"), "\(run)")
            let request = try #require(server.requests.last)
            let body = String(decoding: request.body, as: UTF8.self)
            let boundary = request.headers.first { $0.name.lowercased() == "content-type" }?.value
                .split(separator: "boundary=").last.map(String.init)
            bodies.append(words[0] == "-F" ? body.replacing(boundary ?? "", with: "B") : body)
        }
        #expect(server.requests.count == 2 && bodies[0] == bodies[1])
    }

    @Test("-h anywhere shows the help, and sends nothing; as the value of an option it is a value")
    func help() async throws {
        let server = try RecordingServer()
        let url = "http://127.0.0.1:\(server.port)"
        let workspace = try ToolWorkspace([:])
        for line in [[url, "-h"], ["-X", "POST", "-h", url], ["-sh"], [url, "--help"], [url, "--help", "all"]] {
            let run = try await Tool.run(["curl"] + line, in: workspace)
            #expect(run.status == 0 && run.outputText.hasPrefix("Send a pasted curl command\n"), "\(line): \(run)")
            #expect(run.outputText.contains("Exit status") == line.contains("--help"), "\(line): \(run)")
        }
        #expect(server.requests.isEmpty)
        let sent = try await Tool.run(["curl", "-d", "-h", url], in: workspace)
        #expect(sent.status == 0 && server.requests.map(\.body) == [Array("-h".utf8)], "\(sent)")
    }

    @Test("the output goes where curl's options say, a URL for each -o, and secrets are masked")
    func output() async throws {
        let server = try RecordingServer()
        let url = "http://127.0.0.1:\(server.port)"
        let workspace = try ToolWorkspace([:])
        let run = try await Tool.run(
            ["curl", "-s", "-o", "one", "\(url)/1", "\(url)/2", "-v", "-u", "ada:s3cr3tpassword"],
            in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(Set(workspace.files).isSuperset(of: ["one"]))
        #expect(run.errors.contains("> GET /1\n") && !run.errors.contains("s3cr3tpassword"), "\(run.errors)")
        #expect(!run.errors.contains("YWRhOnMzY3IzdHBhc3N3b3Jk"), "\(run.errors)")
    }

    @Test("each URL of a range goes to its own file")
    func ranges() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        let url = "http://127.0.0.1:\(server.port)/[1-3]/{a,b}"
        let run = try await Tool.run(["curl", "-s", url, "-o", "x-#2-#1.json"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.map(\.target) == ["/1/a", "/1/b", "/2/a", "/2/b", "/3/a", "/3/b"])
        #expect(
            workspace.files.filter { $0.hasPrefix("x-") }.sorted()
                == ["a", "b"].flatMap { a in (1...3).map { "x-\(a)-\($0).json" } })
    }

    @Test("an error of one URL doesn't stop the others, and -O takes the name from the URL")
    func several() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        let run = try await Tool.run(
            ["curl", "http://127.0.0.1:9/", "http://127.0.0.1:\(server.port)/b"], in: workspace)
        #expect(run.status == 6 && server.requests.map(\.target) == ["/b"], "\(run)")
        let named = try await Tool.run(["curl", "-O", "http://127.0.0.1:\(server.port)/x/big.bin?y=1"], in: workspace)
        #expect(named.status == 0 && workspace.files == ["big.bin"], "\(named) \(workspace.files)")
        let outside = try TemporaryFolder(["data": "a=1\n"])
        let typed = try await Tool.run(
            ["curl", "-d", "@\(outside.path)/data", "http://127.0.0.1:\(server.port)/d"], in: workspace)
        #expect(typed.status == 0 && server.requests.last?.body == Array("a=1".utf8), "\(typed)")
    }

    @Test(
        "a command of which a part would be lost is refused before anything is sent",
        arguments: [
            (["--limit-rate", "5k", "U"], 2 as Int32, "--limit-rate"),
            (["--no-such-option", "U"], 3, "curl has no option"),
            ([], 2, "takes the words of a curl command"), (["-X", "GET"], 3, "URL"),
            (["-o", "f1", "ftp://127.0.0.1/x", "-o", "f2", "U"], 2, "valid URL"),
            (["-d", "x=1", "-d", "@binary", "U"], 2, "not converted"),
            (["-d", "x=1", "-d", "@missing", "U"], 2, "cannot read missing"), (["-U", "localhost:1", "U"], 2, "-U"),
            (["-C", "100", "-o", "body.txt", "U"], 2, "--continue-at"),
            (["--no-clobber", "-o", "body.txt", "U"], 2, "--clobber"),
            (["--output-dir", "sub", "-o", "x", "U"], 2, "--output-dir"), (["--proto", "=https", "U"], 2, "--proto"),
            (["-w", "%{http_code}", "U"], 2, "--write-out"),
            (["-i", "-o", "x", "U"], 2, "would not do what curl does"),
            (["-D", "x", "U", "U"], 2, "would not do what curl does"),
            (["-d", "@-", "-d", "@-", "U"], 2, "another part of the command already reads it"),
            (["-d", "@-", "U", "--next", "-d", "@-", "U"], 2, "another part of the command already reads it"),
        ])
    func refused(_ words: [String], _ status: Int32, _ message: String) async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace(["body.txt": "precious"])
        try Data([0xFF, 0xFE, 0x00, 0x80]).write(to: URL(filePath: workspace.path("binary")))
        let line = words.map { $0 == "U" ? "http://127.0.0.1:\(server.port)/" : $0 }
        let run = try await Tool.run(["curl"] + line, in: workspace)
        #expect(run.status == status && run.errors.contains(message), "\(run)")
        #expect(server.requests.isEmpty && workspace.files.sorted() == ["binary", "body.txt"], "\(workspace.files)")
    }

    @Test("a signature for AWS is made as curl makes it")
    func aws() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        let run = try await Tool.run(
            [
                "curl", "--aws-sigv4", "aws:amz:us-east-1:s3", "-u", "AKIAIOSFODNN7:wJalrXUtnFEMI", "-v",
                "http://127.0.0.1:\(server.port)/",
            ], in: workspace)
        let value = server.requests.first?.headers.first { $0.name == "Authorization" }?.value ?? ""
        #expect(value.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7/"), "\(run) \(server.requests)")
        #expect(value.contains("/us-east-1/s3/aws4_request") && !run.errors.contains("wJalrXUtnFEMI"), "\(run)")
    }

    @Test("options for a call are carried over: the proxy and the files of -H and -K, each for its own command")
    func carried() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([
            "heads": "X-A: 1\n", "config": "url = \"http://127.0.0.1:\(server.port)/k\"\n",
        ])
        let url = "http://127.0.0.1:\(server.port)"
        for line in [
            ["-H", "@heads", "\(url)/h"], ["-K", "config"], ["-x", url, "http://ex.invalid/p"],
            ["-x", "http://pu:pw@127.0.0.1:\(server.port)", "http://ex.invalid/q"],
            ["-x", url, "http://ex.invalid/1", "--next", "\(url)/2"], ["--data-binary", "@heads", "\(url)/d"],
        ] {
            let run = try await Tool.run(["curl"] + line, in: workspace)
            #expect(run.status == 0 && !run.errors.contains("note: a file"), "\(line): \(run)")
        }
        #expect(
            server.requests.map(\.target) == [
                "/h", "/k", "http://ex.invalid/p", "http://ex.invalid/q", "http://ex.invalid/1", "/2", "/d",
            ])
        #expect(server.requests[0].headers.contains(.init(name: "X-A", value: "1")))
        let socks = try await Tool.run(
            ["curl", "--connect-timeout", "1", "--socks5", "127.0.0.1:\(server.port)", "http://ex.invalid/"],
            in: workspace)
        #expect(socks.status == 7 && server.requests.count == 7, "\(socks)")
    }
}
