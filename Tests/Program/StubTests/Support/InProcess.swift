import CommandLineKit
import Exchange
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliNetworking
import ReqcliText
import RequestBuilding
import TestSupport

@testable import Commands

/// The program inside the test's process, its network and clock replaced.
struct InProcess: Sendable {
    struct Run: Sendable {
        let status: Int32
        let outputText: String
        let errors: String
    }

    var response: @Sendable (PreparedRequest) throws -> Response = { _ in
        throw TransportError(.other, target: "a test without a network")
    }
    var writing = FileWriting.live
    var variables: [String: String] = [:]
    /// False once stdout's reader has gone.
    var hasReader = true
    let sleeps = Sleeps()
    let effort = Effort()

    func run(_ words: String..., in workspace: TemporaryFolder) async -> Run { await run(words, in: workspace) }

    func run(_ words: [String], in workspace: TemporaryFolder) async -> Run {
        let (output, messages) = (Collected(), Collected())
        var context = Context.live()
        let folder = workspace.path
        let variables = variables
        let hasReader = hasReader
        context.currentFolder = { folder }
        context.world.variable = { variables[$0] }
        context.terminal = .test()
        context.writing = writing
        context.network = Network(
            transport: { [response, effort] in
                effort.add("opened a connection")
                return CannedTransport(response: response)
            })
        context.world.clock.elapsed = { [sleeps] in sleeps.durations.reduce(.zero, +) }
        context.world.clock.sleep = { [sleeps] in sleeps.add($0) }
        let read = context.files.read
        context.world.files.read = { [effort] path, limit throws(FileProblem) in
            let bytes = try read(path, limit)
            effort.add("read \(path.dropFirst(folder.count + 1))")
            return bytes
        }
        context.output = Output { (bytes) throws(Output.Problem) in
            if !hasReader { throw .closed }
            output.add(bytes)
        }
        context.messages = Output { messages.add($0) }
        let status = await Commands.Program.run(words, in: context)
        return Run(status: status.code, outputText: output.text, errors: messages.text)
    }
}

/// The files that were read, and what was got ready for sending, in turn.
final class Effort: Sendable {
    private let all = Mutex<[String]>([])

    var steps: [String] { all.withLock { $0 } }

    func add(_ step: String) { all.withLock { $0.append(step) } }
}

/// How long something would have slept.
final class Sleeps: Sendable {
    private let all = Mutex<[Duration]>([])

    var durations: [Duration] { all.withLock { $0 } }

    func add(_ duration: Duration) { all.withLock { $0.append(duration) } }
}

private final class Collected: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    func add(_ new: [UInt8]) { bytes.withLock { $0 += new } }
}

private struct CannedTransport: Transport {
    let response: @Sendable (PreparedRequest) throws -> Response

    func send(_ request: PreparedRequest) async throws -> Response { try response(request) }
}
