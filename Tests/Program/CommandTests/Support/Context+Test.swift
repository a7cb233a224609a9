import CommandLineKit
import Exchange
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliNetworking
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@testable import Commands

extension Context {
    /// A world in which everything that a test doesn't give is an error of the test.
    static func test(
        files: FileSystem = .untouched, writing: FileWriting = .untouched, folder: String? = "/work",
        userID: UInt32 = 1000, variables: [String: String] = [:], width: Int = 80,
        terminals: Set<Terminal.Stream> = [], input: String? = nil, output: Output = Output { _ in },
        messages: Output = Output { _ in }
    ) -> Context {
        var world = World.untouched
        world.files = files
        world.variable = { variables[$0] }
        if let input { world.standardInput = { Array(input.utf8) } }
        return Context(
            world: world, writing: writing, currentFolder: { folder }, userID: userID,
            terminal: .test(width: width, terminals: terminals), network: .untouched, output: output,
            messages: messages)
    }
}

extension FileSystem {
    /// For commands that have no business with files.
    static let untouched = FileSystem(
        read: { path, _ throws(FileProblem) in
            Issue.record("\(path) was read")
            throw FileProblem(.missing)
        },
        kind: { path in
            Issue.record("\(path) was looked at")
            return nil
        },
        names: { path throws(FileProblem) in
            Issue.record("\(path) was listed")
            throw FileProblem(.missing)
        },
        resolve: { path in
            Issue.record("\(path) was resolved")
            return nil
        })
}

extension FileWriting {
    /// For commands that only read.
    static let untouched = FileWriting(
        makeFolder: { path throws(WritingProblem) in Issue.record("the folder \(path) was made") },
        moveFolder: { path, _ throws(WritingProblem) in Issue.record("\(path) was moved") },
        stageFile: { path, _ throws(WritingProblem) in
            Issue.record("the file \(path) was made")
            throw WritingProblem("nothing is written here")
        },
        append: { _, path in Issue.record("\(path) was added to") },
        remove: { path in Issue.record("\(path) was removed") })
}

extension MemoryFiles {
    var writing: FileWriting {
        FileWriting(
            makeFolder: { [self] path throws(WritingProblem) in try writing(.folder, at: path) },
            moveFolder: { [self] path, newPath throws(WritingProblem) in
                if paths.contains(newPath) { throw WritingProblem("directory not empty") }
                do { try move(path, to: newPath) } catch { throw .diskFull }
            },
            stageFile: { [self] path, kind throws(WritingProblem) in
                let content = Mutex<[UInt8]>([])
                return StagedFile(
                    write: { bytes throws(WritingProblem) in content.withLock { $0 += bytes } },
                    finish: { [self] () throws(WritingProblem) in
                        if kind == .new, paths.contains(path) { throw WritingProblem("file exists") }
                        try writing(.bytes(content.withLock(\.self)), at: path)
                    }, discard: {})
            },
            remove: { [self] path in remove(path) })
    }

    private func writing(_ content: Content, at path: String) throws(WritingProblem) {
        do { try write(content, at: path) } catch { throw .diskFull }
    }
}

extension WritingProblem {
    fileprivate static let diskFull = WritingProblem("no space left on device")
}

extension World {
    /// For commands that make no request.
    static let untouched = World(
        files: .untouched, variable: { _ in nil },
        standardInput: { () throws(FileProblem) in
            Issue.record("standard input was read")
            return []
        },
        run: { arguments, _, _ in
            Issue.record("\(arguments) was run")
            return .timedOut
        },
        uuid: {
            Issue.record("a UUID was made")
            return ""
        },
        randomInt: {
            Issue.record("a random number was made")
            return 0
        },
        clock: WorldClock(
            date: {
                Issue.record("the time was asked for")
                return 0
            },
            elapsed: {
                Issue.record("the clock was read")
                return .zero
            },
            sleep: { _ in Issue.record("somebody slept") }))
}

extension Network {
    /// For commands that send nothing.
    static let untouched = Network(
        transport: {
            Issue.record("a transport was made")
            return NoTransport()
        })

    private struct NoTransport: Transport {
        func send(_ request: PreparedRequest) async throws -> Response {
            throw TransportError(.refused, target: "a test")
        }
    }
}

/// What a run of the program in a test came to.
struct Run: Equatable, CustomStringConvertible {
    let status: Int32
    let output: String
    let messages: String

    var description: String { "status \(status)\nstdout:\n\(output)stderr:\n\(messages)" }
}

/// Collects what is written.
final class Written: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    var output: Output {
        Output { [self] new in bytes.withLock { $0 += new } }
    }
}

/// Runs the program as a person would, on files in memory.
func reqcli(
    _ words: String..., files: MemoryFiles? = nil, folder: String? = "/work", variables: [String: String] = [:],
    width: Int = 80, terminals: Set<Terminal.Stream> = [], input: String? = nil
) async -> Run {
    await reqcli(
        words, files: files, folder: folder, variables: variables, width: width, terminals: terminals, input: input)
}

func reqcli(
    _ words: [String], files: MemoryFiles? = nil, folder: String? = "/work", variables: [String: String] = [:],
    width: Int = 80, terminals: Set<Terminal.Stream> = [], input: String? = nil
) async -> Run {
    let (output, messages) = (Written(), Written())
    let context = Context.test(
        files: files?.fileSystem ?? .untouched, writing: files?.writing ?? .untouched, folder: folder,
        variables: variables, width: width, terminals: terminals, input: input, output: output.output,
        messages: messages.output)
    let status = await Program.run(words, in: context)
    return Run(status: status.code, output: output.text, messages: messages.text)
}
