import CommandLineKit
import Foundation
import Glibc
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Receives the bytes of a body, chunk by chunk.
protocol BodySink: AnyObject {
    /// Returns false if no more bytes are wanted.
    func write(_ chunk: Data) throws(WritingProblem) -> Bool
    /// Called once, after the whole body was written.
    func finish() throws(WritingProblem)
    /// Called instead of `finish` if the body doesn't reach its end.
    func abandon()
}

extension BodySink {
    func abandon() {}
}

/// Discards the body.
final class NoSink: BodySink {
    func write(_ chunk: Data) -> Bool { true }
    func finish() {}
}

/// Writes the body unchanged.
final class OutputSink: BodySink {
    private let output: Output

    init(_ output: Output) { self.output = output }

    func write(_ chunk: Data) -> Bool { output.writeUnfiltered(Array(chunk)) }
    func finish() {}
}

/// Keeps the body in memory: all of it, or of a large JSON text only what a path looks at.
final class WholeSink: BodySink {
    /// The maximum size of a body in memory. It exists because a server may never stop sending.
    static let limit = 256 << 20
    /// The size from which a JSON text is reduced. A smaller text is kept whole, so that messages can point at its lines.
    private static let smallest = 1 << 20

    private(set) var bytes: [UInt8] = []
    private let scope: JSONScope?
    private var pruner: JSONPruner?

    /// - Parameter scope: What will be looked at; nil to keep everything.
    init(keeping scope: JSONScope? = nil) {
        self.scope = scope?.isWhole == true ? nil : scope
    }

    var isEmpty: Bool { bytes.isEmpty && pruner == nil }

    /// Whether `bytes` has only a part of the text.
    var isReduced: Bool { pruner != nil }

    /// Why a large text is not JSON.
    var mistake: String? {
        guard let pruner, let mistake = pruner.mistake else { return nil }
        return mistake == pruner.consumed
            ? "it ends too early, after \(mistake) bytes" : "it has an error at byte \(mistake + 1)"
    }

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        guard max(bytes.count, pruner?.size ?? 0) + chunk.count <= Self.limit else {
            throw WritingProblem(
                "it is larger than \(Self.limit >> 20) MiB, and --json and --select need all of it in memory; "
                    + "--output FILE takes any size")
        }
        if pruner != nil { return chunk.withUnsafeBytes { pruner?.read($0) } == true }
        bytes += chunk
        if let scope, bytes.count > Self.smallest {
            var pruner = JSONPruner(keeping: scope)
            let isJSON = bytes.withUnsafeBytes { pruner.read($0) }
            self.pruner = pruner
            bytes = []
            return isJSON
        }
        return true
    }

    func finish() {
        if let reduced = pruner?.finish() { bytes = reduced }
    }
}

/// Writes a body to a file that appears when the body is complete.
final class FileSink: BodySink {
    let path: String
    private let file: StagedFile

    /// - Parameter interruption: Used to remove the unfinished file when a signal ends the program.
    init(
        _ path: String, _ kind: StagedFile.Kind, _ writing: FileWriting, _ interruption: Interruption
    ) throws(WritingProblem) {
        self.path = path
        file = try interruption.tidying { () throws(WritingProblem) in
            let file = try writing.stageFile(path, kind)
            return (file, file.discard)
        }
    }

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        try chunk.write(with: file.write)
        return true
    }

    func finish() throws(WritingProblem) { try file.finish() }

    func abandon() { file.discard() }
}

/// Writes a body to something that is not a regular file: a pipe, a device, a terminal, or a descriptor that the program was
/// started with. No file is made or replaced.
final class DeviceSink: BodySink {
    private let descriptor: Int32
    private let output: Commands.Output

    /// Nil for a regular file, which is written under a temporary name first.
    init?(_ path: String, _ files: FileSystem) throws(WritingProblem) {
        if let own = OwnDescriptor.named(path) {
            // Duplicates the descriptor, because opening its path again would write the file from its beginning.
            descriptor = fcntl(own, F_DUPFD_CLOEXEC, 0)
        } else if files.kind(path) == .other {
            descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        } else {
            return nil
        }
        guard descriptor >= 0 else { throw WritingProblem() }
        output = Output(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        if output.write(Array(chunk)) { return true }
        if case .failed(let reason) = output.problem { throw WritingProblem(reason) }
        return false
    }

    func finish() {}
}

/// Paths of descriptors that the program was started with: `/dev/stdout`, `/dev/fd/3`, and links to them. Such a path may lead to
/// a file that other programs continue writing to, so the file must not be replaced.
enum OwnDescriptor {
    static func named(_ path: String) -> Int32? {
        var path = path
        // Follows at most 40 links, as Linux does.
        for _ in 0..<40 {
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            let folder = FilePath.parent(path)
            let real = FileSystem.live.resolve(folder.isEmpty ? "." : folder)
            if real == "/proc/\(getpid())/fd" { return Int32(name) }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return nil }
            path = FilePath.join(FilePath.parent(path), target)
        }
        return nil
    }
}

extension Data {
    /// Passes the bytes to a closure, without a copy. Unlike `withUnsafeBytes`, it has typed errors.
    func write(with write: (UnsafeRawBufferPointer) throws(WritingProblem) -> Void) throws(WritingProblem) {
        var problem: WritingProblem?
        withUnsafeBytes { bytes in
            do throws(WritingProblem) { try write(bytes) } catch { problem = error }
        }
        if let problem { throw problem }
    }
}
