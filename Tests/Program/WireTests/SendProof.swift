import Calling
import CommandLineKit
import Commands
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing
import ToolSupport

/// Sends and renders many hostile calls and compares the requests that arrive from `send`, from the rendered curl in
/// real shells, and as the `http` format shows them.
struct SendProof {
    let count: Int
    let seed: UInt64
    /// Paths of POSIX shells; each runs every command.
    let shells: [String]
    /// The number of calls that run in their own process. The others run in this one.
    let processes: Int

    /// The output of one call before anything is compared.
    private struct Expectation {
        let one: HostileWorkspace.Case
        let message: RecordedRequest
        let command: String
        let sent: [RecordedRequest]
    }

    /// The result of all calls.
    struct Result {
        /// The failures, case by case.
        var failures: [String] = []
        /// The number of calls that `render` and `send` both rejected with the same message.
        var refused = 0
        /// The number of calls that ran in their own process.
        var byProcess = 0
    }

    func result() async throws -> Result {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        var source = HostileWorkspace(seed: seed, server: "http://127.0.0.1:\(server.port)", in: workspace)
        var result = Result()
        var expected: [Expectation] = []
        for number in 0..<count {
            let one = try source.next(number)
            let caller = Caller(workspace: workspace, variables: one.environment)
            let http = await caller.run(["render"] + one.arguments + ["--format", "http", "--reveal"])
            let before = server.requests.count
            let isProcess = result.byProcess < processes
            let send = ["send"] + one.arguments
            let sent = isProcess ? try await caller.process(send) : await caller.run(send)
            guard http.status == 0 else {
                result.refused += 1
                if sent.status != http.status || sent.problem != http.problem || server.requests.count != before {
                    result.failures.append("\(number): refused differently: \(http.errors) \(sent.errors)")
                }
                continue
            }
            if isProcess { result.byProcess += 1 }
            guard sent.gotNoBody else {
                result.failures.append("\(number): send failed: \(sent.errors)")
                continue
            }
            expected.append(
                Expectation(
                    one: one, message: try message(http.output), command: try await command(one, caller),
                    sent: Array(server.requests[before...])))
        }
        let before = server.requests.count
        let errors = try await ScriptRun(shells: shells).run(
            expected.map(\.command),
            environment: expected.reduce(into: workspace.environment) { $0.merge($1.one.environment) { $1 } })
        let arrived = Dictionary(grouping: server.requests[before...], by: Self.number)
        for one in expected {
            if let problem = problem(one, arrived[one.one.number] ?? []) {
                result.failures.append("\(one.one.number): \(problem)\n\(one.command.prefix(3000))\n\(errors)")
            }
        }
        return result
    }

    private func problem(_ expected: Expectation, _ fromShells: [RecordedRequest]) -> String? {
        guard expected.sent.count == 1, let sent = expected.sent.first else {
            return "send sent \(expected.sent.count) requests"
        }
        if let difference = expected.message.difference(from: sent) { return "send: \(difference)" }
        if expected.message != sent { return "send: \(expected.message.headers) became \(sent.headers)" }
        guard fromShells.count == shells.count else { return "curl sent \(fromShells.count) requests" }
        return fromShells.compactMap { sent.difference(from: $0) }.first.map { "curl: \($0)" }
    }

    private func message(_ bytes: [UInt8]) throws -> RecordedRequest {
        var consumed = 0
        let message = try #require(RecordedRequest(bytes, consumed: &consumed))
        #expect(consumed == bytes.count)
        return message
    }

    /// The command as rendered, or with its secrets revealed if the shell cannot insert them.
    private func command(_ one: HostileWorkspace.Case, _ caller: Caller) async throws -> String {
        let render = ["render"] + one.arguments + (one.isOneLine ? ["--one-line"] : [])
        let shown = await caller.run(render)
        #expect(shown.status == 0)
        let text = String(decoding: shown.output, as: UTF8.self)
        for beginning in one.hiddenBeginnings { #expect(!text.contains(beginning), "\(one.number) shows a secret") }
        guard text.contains("<secret.") else { return text }
        #expect(shown.errors.contains("--reveal"))
        return String(decoding: await caller.run(render + ["--reveal"]).output, as: UTF8.self)
    }

    /// The first part of the path that contains only digits.
    private static func number(of request: RecordedRequest) -> Int? {
        request.target.split(separator: "/").lazy.compactMap { Int($0) }.first
    }
}

/// Runs the program on a workspace, in this process or in its own.
struct Caller {
    let workspace: ToolWorkspace
    let variables: [String: String]

    struct Outcome {
        let status: Int32
        let output: [UInt8]
        let errors: String

        /// The first line of an error without its place, which depends on the current folder.
        var problem: Substring? {
            errors.firstRange(of: "error: ").map { errors[$0.upperBound...].prefix { $0 != "\n" } }
        }

        /// Whether `send` got an empty response with status 200, which is an error for GraphQL alone. Foundation's loader
        /// knows no reason phrase. Notes on what looks like a placeholder of another tool don't count.
        var gotNoBody: Bool {
            let errors = errors.replacing(/note: the path has \{\w+\} as plain text;.*\n/, with: "")
            let notGraphQL = "error: the response is not a GraphQL response: \"\"\n"
            return ["note: 200 OK, no body\n", "note: 200, no body\n"].contains {
                (status, errors) == (0, $0) || (status, errors) == (1, $0 + notGraphQL)
            }
        }
    }

    /// The program with the real network and file system; only its environment belongs to the test. This process is not
    /// in the workspace's folder, so files must be named in full.
    func run(_ words: [String]) async -> Outcome {
        let output = Written()
        let messages = Written()
        let known = workspace.environment.merging(variables) { $1 }
        var world = World.live
        world.variable = { known[$0] }
        let context = Context(
            world: world, writing: .live, currentFolder: { "/elsewhere" }, userID: 0, terminal: .test(), network: .live,
            output: output.output, messages: messages.output)
        let status = await Commands.Program.run(words + ["-C", workspace.folder.path], in: context)
        return Outcome(
            status: status.code, output: output.bytes, errors: String(decoding: messages.bytes, as: UTF8.self))
    }

    func process(_ words: [String]) async throws -> Outcome {
        let run = try await Tool.run(words + ["-C", workspace.folder.path], in: workspace, environment: variables)
        return Outcome(status: run.status, output: run.output, errors: run.errors)
    }
}

/// Keeps the bytes that are written.
private final class Written: Sendable {
    private let kept = Mutex<[UInt8]>([])

    var bytes: [UInt8] { kept.withLock { $0 } }

    var output: Output {
        Output { [self] new in kept.withLock { $0 += new } }
    }
}
