import HostileServing
import Testing
import ToolSupport

/// Waiting uses almost no processor time.
@Suite(.serialized) struct WaitingTests {
    enum Wait: String, CaseIterable, Sendable {
        case forTLS, forHead, inHead, inBody, betweenDrops
    }

    @Test("waiting three seconds for a server uses less than 0.3 s of processor time")
    func idle() async throws {
        try await withThrowingTaskGroup { group in
            for wait in Wait.allCases { group.addTask { try await Self.expectIdle(wait) } }
            try await group.waitForAll()
        }
    }

    private static func expectIdle(_ wait: Wait) async throws {
        let server = try HostileServer { connection in
            if wait != .forTLS { _ = connection.readRequest() }
            switch wait {
            case .forTLS, .forHead: break
            case .inHead: connection.send("HTTP/1.1 200 OK\r\nContent-Le")
            case .inBody: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")
            case .betweenDrops:
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                while connection.send("a") { connection.pause(0.1) }
            }
            connection.waitForClose()
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "\(wait == .forTLS ? "https" : "http")://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "--timeout", "3"], in: workspace)
        #expect(run.status == 7, "\(wait): \(run.errors)")
        #expect(run.time >= .seconds(3) && run.time < .seconds(20), "\(wait)")
        #expect(run.processorTime < .milliseconds(300), "\(wait)")
    }

    @Test("--timeout none waits as long as the server takes", arguments: ["none", "1m30s"])
    func withoutLimit(flag: String) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.pause(0.5)
            connection.respond(200, body: "late")
        }
        defer { server.stop() }
        let limits = #""timeout": { "total": "200ms", "firstByte": "100ms", "idle": "100ms" }"#
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", environment: flag == "none" ? limits : #""timeout": "200ms""#)
        let run = try await Tool.run(["send", "it", "--timeout", flag], in: workspace)
        #expect(run.status == 0 && run.outputText == "late", "\(run.errors)")
        let rendered = try await Tool.run(["render", "it", "--timeout", flag], in: workspace)
        #expect(rendered.outputText.contains("-m 90") == (flag != "none"))
    }

    @Test("waiting three seconds for a blocked reader uses less than 0.3 s of processor time")
    func reader() async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send([UInt8](repeating: 0x61, count: 1 << 16)) {}
        }
        defer { server.stop() }
        let pipe = try Descriptor.pipe()
        defer { Descriptor.close(pipe.reading) }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let tool = try Tool.start(["send", "it"], in: workspace, output: .descriptor(pipe.writing))
        Descriptor.close(pipe.writing)
        try await Task.sleep(for: .seconds(3))
        tool.send(signal: .interrupt)
        let run = try await tool.end()
        #expect(run.signal == .interrupt)
        #expect(run.processorTime < .milliseconds(300))
    }
}
