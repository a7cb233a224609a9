import Foundation
import TestSupport
import Testing
import ToolSupport

/// Sends hostile calls with Foundation's built-in loader, if it supports them, and compares the requests that arrive
/// with the `http` format.
struct FoundationProof {
    let count: Int
    let seed: UInt64

    struct Result {
        var failures: [String] = []
        /// The number of calls that the built-in loader supports.
        var compared = 0
    }

    func result() async throws -> Result {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        var source = HostileWorkspace(seed: seed, server: "http://127.0.0.1:\(server.port)", in: workspace)
        var result = Result()
        for number in 0..<count {
            let one = try source.next(number)
            let caller = Caller(workspace: workspace, variables: one.environment)
            let http = await caller.run(["render"] + one.arguments + ["--format", "http", "--reveal"])
            var consumed = 0
            guard http.status == 0, let message = RecordedRequest(http.output, consumed: &consumed),
                Self.isRight(message, "127.0.0.1:\(server.port)")
            else { continue }
            let before = server.requests.count
            let sent = await caller.run(["send"] + one.arguments + ["--loader", "foundation"])
            result.compared += 1
            let arrived = Array(server.requests[before...])
            if !sent.gotNoBody || arrived.count != 1 {
                result.failures.append("\(number): arrived \(arrived.count) times: \(sent.errors)")
            } else if let difference = Self.joined(message).difference(from: Self.joined(arrived[0])) {
                result.failures.append("\(number): \(message.method): \(difference)")
            }
        }
        return result
    }

    /// Whether the built-in loader sends this message unchanged. Other messages need `--loader curl`.
    private static func isRight(_ message: RecordedRequest, _ authority: String) -> Bool {
        // The loader rejects a GET with a body, drops the body of a HEAD, and gives every other request one.
        let hasBody = !message.values("Content-Length").isEmpty
        guard hasBody != ["GET", "HEAD"].contains(message.method) else { return false }
        // The loader adds its own defaults for these headers.
        let invented = ["User-Agent", "Accept"] + (message.method == "POST" ? ["Content-Type"] : [])
        guard invented.allSatisfy({ !message.values($0).isEmpty }) else { return false }
        // Values that are not lists cannot be joined with commas.
        guard message.values("Cookie").count < 2, message.values("Host") == [authority] else { return false }
        // The loader resolves dot segments.
        let path = message.target.prefix { $0 != "?" }
        return !path.split(separator: "/").contains { [".", ".."].contains($0.replacing("%2E", with: ".")) }
    }

    /// The headers with lowercase names, sorted, joined if repeated, and without those that the loader adds.
    private static func joined(_ message: RecordedRequest) -> RecordedRequest {
        var joined: [String: String] = [:]
        for header in message.headers {
            let name = header.name.lowercased()
            joined[name] = joined[name].map { "\($0), \(header.value)" } ?? header.value
        }
        for name in ["accept-language", "accept-encoding", "connection"] { joined[name] = nil }
        // A body read from a file is sent in chunks. The bodies are compared however they are framed.
        for name in ["content-length", "transfer-encoding"] { joined[name] = nil }
        return RecordedRequest(
            method: message.method, target: message.target,
            headers: joined.sorted { $0.key < $1.key }.map {
                RecordedRequest.Header(name: $0.key, value: $0.value)
            }, body: message.body)
    }
}
