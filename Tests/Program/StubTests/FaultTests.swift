import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Compares a variant's `error` with the same fault of a real connection.
struct FaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        let script: (@Sendable (HostileConnection) -> Void)?

        init(_ fault: String, _ words: [String] = [], script: (@Sendable (HostileConnection) -> Void)?) {
            (testDescription, self.words, self.script) = (fault, words, script)
        }
    }

    static let faults = [
        Case("refused", script: nil),
        Case("reset") { connection in
            _ = connection.readRequest()
            connection.reset()
        },
        Case("truncated") { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        },
        Case("timeout", ["--timeout", "200ms"]) { connection in
            _ = connection.readRequest()
            connection.waitForClose()
        },
        Case("tls") { connection in
            connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        },
    ]

    @Test("An error variant has the same exit code and message as the real fault", arguments: faults)
    func fault(_ fault: Case) async throws {
        let server = try HostileServer { fault.script?($0) }
        // Nothing listens on a port that was just released.
        if fault.script == nil { server.stop() }
        let name = fault.testDescription
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "path": "/", "stubs": { "variants": { "x": { "error": "\#(name)" } } } }"#)
        let scheme = name == "tls" ? "https" : "http"
        let words = ["send", "a", "--base-url", "\(scheme)://127.0.0.1:\(server.port)"] + fault.words
        let real = try await Tool.run(words, in: workspace.path)
        let stub = try await Tool.run(words + ["--stub", "x"], in: workspace.path)
        #expect(real.status == (name == "timeout" ? 7 : 6))
        #expect(stub.status == real.status)
        #expect(Self.shape(of: stub.errors) == Self.shape(of: real.errors))
        #expect(stub.errors.contains("127.0.0.1:\(server.port)"))
        #expect(stub.errors.contains("(stub x)"), "it says that it was a stub")
        let asJSON = try await Tool.run(words + ["--json"], in: workspace.path)
        let stubAsJSON = try await Tool.run(words + ["--json", "--stub", "x"], in: workspace.path)
        #expect(asJSON.output.isEmpty && stubAsJSON.output.isEmpty)
        #expect(Self.shape(of: stubAsJSON.errors) == Self.shape(of: asJSON.errors))
    }

    @Test("A truncated stub has the head and the body of the variant that it is like")
    func truncated() async throws {
        let variants = #""half": { "status": 201, "text": "half" }, "x": { "like": "half", "error": "truncated" }"#
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "path": "/", "stubs": { "variants": { \#(variants) } } }"#)
        let run = try await Tool.run("send", "a", "--stub", "x", "-i", in: workspace.path)
        #expect(run.status == 6)
        #expect(run.outputText == "HTTP/1.1 201 Created\nContent-Type: text/plain; charset=utf-8\n\nhalf")
        #expect(run.errors.hasPrefix("error: the response of a.test ended before it was complete (stub x): "))
    }

    @Test(
        "A truncated stub that is like no other has the default variant's response",
        arguments: [
            (#""d": { "status": 201, "text": "half" }, "x": { "error": "truncated" }"#, "201 Created", "half"),
            (#""x": { "error": "truncated" }, "d": { "text": "half" }"#, "200 OK", "half"),
            (#""x": { "error": "truncated" }, "d": { "like": "x" }"#, "200 OK", ""),
        ])
    func truncatedDefault(_ variants: String, _ status: String, _ body: String) async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "path": "/", "stubs": { "default": "d", "variants": { \#(variants) } } }"#)
        let run = try await Tool.run("send", "a", "--stub", "x", "-i", in: workspace.path)
        #expect(run.status == 6)
        #expect(run.outputText.hasPrefix("HTTP/1.1 \(status)\n") && run.outputText.hasSuffix("\n\n\(body)"))
    }

    @Test("A dns error variant names the host")
    func dns() async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "path": "/", "stubs": { "variants": { "x": { "error": "dns" } } } }"#)
        let run = try await Tool.run("send", "a", "--stub", "--base-url", "http://nobody.invalid", in: workspace.path)
        #expect(run.status == 6)
        #expect(Self.shape(of: run.errors).hasPrefix("error: can't find the host nobody.invalid: "))
    }

    /// The message without the details in parentheses.
    private static func shape(of message: String) -> String {
        guard let opening = message.range(of: " ("), let closing = message.range(of: "): ", options: .backwards) else {
            return message
        }
        return String(message[..<opening.lowerBound] + message[closing.lowerBound...].dropFirst())
    }
}
