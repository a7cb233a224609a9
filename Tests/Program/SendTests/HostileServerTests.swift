import HostileServing
import Testing
import ToolSupport

/// Server faults cause an exit code, one line that says what happened and what to do, an end in time, and no partial
/// file.
@Suite(.serialized) struct HostileServerTests {
    struct Scenario: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int32
        /// The part of the message that says what happened.
        let what: String
        /// The part of the message that says what to do.
        let remedy: String
        let environment: String?
        /// Whether the server keeps the program busy instead of waiting.
        var isBusy: Bool { testDescription == "has a body without end" }
        let script: @Sendable (HostileConnection) -> Void

        init(
            _ name: String, exits status: Int32, _ what: String, _ remedy: String, environment: String? = nil,
            script: @escaping @Sendable (HostileConnection) -> Void
        ) {
            testDescription = name
            self.status = status
            self.what = what
            self.remedy = remedy
            self.environment = environment
            self.script = script
        }
    }

    private static let faults: [Scenario] =
        [
            Scenario("closes without an answer", exits: 6, "closed the connection before it had responded", "try again")
            {
                _ = $0.readRequest()
            },
            Scenario("resets before the head", exits: 6, "connection reset", "try again") {
                _ = $0.readRequest()
                $0.reset()
            },
            Scenario("resets in the body", exits: 6, "ended before it was complete", "try again") {
                _ = $0.readRequest()
                $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
                $0.pause(0.05)
                $0.reset()
            },
            Scenario("sends less than its Content-Length", exits: 6, "ended before it was complete", "try again") {
                _ = $0.readRequest()
                $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
            },
            Scenario("ends within a chunk", exits: 6, "ended before it was complete", "try again") {
                _ = $0.readRequest()
                $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel")
            },
            Scenario("has a chunk size that is no number", exits: 6, "no valid HTTP response", "speaks HTTP") {
                _ = $0.readRequest()
                $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n")
            },
            Scenario(
                "cuts the head in the middle of a line", exits: 6, "the head of the response is incomplete", "try again"
            ) {
                _ = $0.readRequest()
                $0.send("HTTP/1.1 200 OK\r\nContent-Le")
            },
            Scenario("cuts the head between two lines", exits: 6, "the head of the response is incomplete", "try again")
            {
                _ = $0.readRequest()
                $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
            },
            Scenario("has a Content-Length that is no number", exits: 6, "no valid HTTP response", "speaks HTTP") {
                _ = $0.readRequest()
                $0.send("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nhello")
            },
            Scenario("speaks another protocol", exits: 6, "no valid HTTP response", "speaks HTTP") {
                _ = $0.readRequest()
                $0.send("220 mail.example.com ESMTP\r\n")
            },
            Scenario("has 1 MiB of headers", exits: 6, "larger than 256 KiB", "speaks HTTP") { connection in
                _ = connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\n")
                for number in 0..<1024 {
                    connection.send("X-\(number): \(String(repeating: "a", count: 1000))\r\n")
                }
                connection.send("Content-Length: 0\r\n\r\n")
            },
            Scenario("has headers without end", exits: 6, "larger than 256 KiB", "speaks HTTP") { connection in
                _ = connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\n")
                while connection.send("X-More: and more\r\n") {}
            },
            Scenario("has a header line without end", exits: 6, "too long", "speaks HTTP") { connection in
                _ = connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\nX-Long: ")
                while connection.send(String(repeating: "a", count: 4096)) {}
            },
            Scenario("sends heads with a 1xx status without end", exits: 6, "larger than 256 KiB", "speaks HTTP") {
                connection in
                _ = connection.readRequest()
                while connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") {}
            },
            Scenario(
                "has a body without end", exits: 7, "took too long", "raise the limit with --timeout",
                environment: #""timeout": "500ms""#
            ) { connection in
                _ = connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\n\r\n")
                let block = [UInt8](repeating: 0x61, count: 64 << 10)
                while connection.send(block) {}
            },
            Scenario(
                "drips", exits: 7, "took too long (limit 0.5 s)", "raise the limit with --timeout",
                environment: #""timeout": { "idle": "10s", "total": "500ms" }"#
            ) { connection in
                _ = connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                while connection.send("a") { connection.pause(0.02) }
            },
            Scenario(
                "drips its head", exits: 7, "took too long (limit 0.5 s)", "raise the limit with --timeout",
                environment: #""timeout": 0.5"#
            ) { connection in
                _ = connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\nX-Slow: ")
                while connection.send("a") { connection.pause(0.02) }
            },
            Scenario(
                "is silent", exits: 7, "didn't begin to respond in time (limit 0.3 s)", "raise timeout.firstByte",
                environment: #""timeout": { "firstByte": "300ms" }"#
            ) { $0.waitForClose() },
            Scenario(
                "falls silent in the body", exits: 7, "stopped sending data (limit 0.3 s)", "raise timeout.idle",
                environment: #""timeout": { "idle": "300ms" }"#
            ) {
                _ = $0.readRequest()
                $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
                $0.waitForClose()
            },
            Scenario(
                "redirects in a circle", exits: 6, "redirects too many times (limit 10)",
                "raise the limit with --max-redirects",
                environment: #""redirects": { "follow": true, "max": 10 }"#
            ) { connection in
                while connection.readRequest() != nil { connection.respond(302, ["Location: /again"]) }
            },
            Scenario(
                "redirects to a file", exits: 6, "cannot follow the redirect of 127.0.0.1",
                "request that address yourself",
                environment: #""redirects": { "follow": true }"#
            ) {
                _ = $0.readRequest()
                $0.respond(302, ["Location: file:///etc/passwd"])
            },
        ] + badLocations.map(badLocation)

    /// Locations that are not valid request URLs, with the reasons.
    private static let badLocations: [(location: String, reason: String)] = [
        ("//", "it has no host"), ("http://", "it has no host"), ("http:x", "it has no host"),
        ("http://:80/", "it has no host"), ("http:////h/", "it has no host"),
        ("http://127.0.0.1:99999/", "its port is not a number from 1 to 65535"),
        ("http://127.0.0.1:0/", "its port is not a number"), ("http://127.0.0.1:8a/", "its port is not a number"),
        ("http://127.0.0.1:-1/", "its port is not a number"), ("http://127.0.0.1\\x", "its host is not a name"),
        ("http://[::1/", "its host is not a name"), ("http://[::1]x/", "its host is not a name"),
        ("http://a b/", "its host is not a name"), ("http://a..b/", "its host is not a name"),
        ("http://%ff/", "its host is not a name"), ("/a\tb", "it has a control character"),
        ("/a\u{7F}", "it has a control character"), ("/a\u{1B}[2J", "it has a control character"),
    ]

    private static func badLocation(_ location: String, _ reason: String) -> Scenario {
        Scenario(
            "redirects to \(location.debugDescription)", exits: 6, reason, "request that address yourself",
            environment: #""redirects": { "follow": true }"#
        ) {
            _ = $0.readRequest()
            $0.respond(302, ["Location: \(location)"])
        }
    }

    @Test("a server fault is reported in one line and leaves no file", arguments: faults)
    func fault(_ scenario: Scenario) async throws {
        let server = try HostileServer(scenario.script)
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", environment: scenario.environment)
        let run = try await Tool.run(["send", "it", "-o", "out"], in: workspace)
        expect(run, scenario.status, scenario.what, scenario.remedy)
        // A run that timed out was waiting, except for the server that never stops sending.
        if scenario.status == 7, !scenario.isBusy { #expect(run.processorTime < .milliseconds(300)) }
        #expect(run.errors.contains("127.0.0.1"), "\(run.errors)")
        #expect(workspace.files == [])
    }

    @Test(
        "an endless body does not use up the memory, even if all of it is needed",
        arguments: [
            (["send", "it", "--json"], 9, "it is larger than 256 MiB"),
            (["send", "it", "--select", "$"], 9, "it is larger than 256 MiB"),
            (["check", "it"], 0, "1 passed"),
        ] as [([String], Int32, String)])
    func endless(words: [String], status: Int32, what: String) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let block = [UInt8](repeating: 0x61, count: 1 << 20)
            while connection.send(block) {}
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/", "expect": { "status": 200 } }"#)
        let run = try await Tool.run(words, in: workspace)
        #expect(run.status == status, "\(run.errors)")
        #expect((run.outputText + run.errors).contains(what), "\(run.outputText)\(run.errors)")
        #expect(run.time < .seconds(40))
    }

    @Test(
        "a TLS problem is one line and leaves no file", .enabled(if: TLSFixture.isAvailable, "openssl is needed"),
        arguments: [
            (.expired, [], "has expired", "have it renewed"), (.wrongHost, [], "is for another name", "check the host"),
            (.selfSigned, [], "is signed by itself", "--insecure"),
            (.good, ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], "can't agree on TLS", "tls.minVersion"),
        ] as [(TLSFixture.Certificate, [String], String, String)])
    func tls(certificate: TLSFixture.Certificate, options: [String], what: String, remedy: String) async throws {
        let fixture = try Self.fixture.get()
        let server = try TLSServer(fixture, certificate, options: options)
        let workspace = try ToolWorkspace(server: "https://localhost:\(server.port)")
        let run = try await Tool.run(["send", "it", "-o", "out", "--ca", fixture.authority], in: workspace)
        expect(run, 6, what, remedy)
        #expect(run.errors.contains("localhost:\(server.port)"), "\(run.errors)")
        #expect(workspace.files == [])
    }

    @Test(
        "--tls-max and tls.maxVersion limit the version of TLS",
        .enabled(if: TLSFixture.isAvailable, "openssl is needed"),
        arguments: [(["--tls-max", "1.2"], "{}"), ([], #"{"tls": {"maxVersion": "1.2"}}"#)])
    func newestVersion(_ words: [String], _ defaults: String) async throws {
        let fixture = try Self.fixture.get()
        let server = try TLSServer(fixture, .good, options: ["-tls1_3"])
        let workspace = try ToolWorkspace([
            "environments/development.json": #"{"baseURL": "https://localhost:\#(server.port)"}"#,
            "endpoints/it.json": #"{"defaults": \#(defaults), "endpoints": {"it": {"path": "/"}}}"#,
        ])
        let ca = ["--ca", fixture.authority]
        let refused = try await Tool.run(["send", "it.it"] + ca + words, in: workspace)
        expect(refused, 6, "can't agree on TLS", "tls.minVersion")
        let rendered = try await Tool.run(["render", "it.it"] + words, in: workspace)
        #expect(rendered.outputText.contains("--tls-max 1.2"), "\(rendered)")
        let other = try await Tool.run(["send", "it.it", "--tls-max", "1.3"] + ca, in: workspace)
        #expect(other.status == 0, "\(other)")
    }

    private static let fixture = Result { try TLSFixture() }

    @Test(
        "an unreachable server is reported in one line and leaves no file",
        arguments: [
            ("http://127.0.0.1:1", "127.0.0.1:1 refused the connection", "check that the server runs"),
            ("http://[::1]:1", "[::1]:1", "check"),
            ("http://nowhere.invalid", "can't find the host nowhere.invalid", "check its spelling"),
        ])
    func unreachable(server: String, what: String, remedy: String) async throws {
        let workspace = try ToolWorkspace(server: server)
        let run = try await Tool.run(["send", "it", "-o", "out"], in: workspace)
        expect(run, 6, what, remedy)
        #expect(workspace.files == [])
        #expect(run.processorTime < .milliseconds(300))
    }

    private func expect(_ run: ToolRun, _ status: Int32, _ what: String, _ remedy: String) {
        #expect(run.status == status, "\(run.errors)")
        #expect(run.output == [])
        #expect(run.errors.contains(what) && run.errors.contains(remedy), "\(run.errors)")
        #expect(run.errors.hasPrefix("error: ") && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect(run.errors.utf8.count < 300)
        // A hang would last for the default idle limit of 60 s, or for ever.
        #expect(run.time < .seconds(20))
    }
}
