import Definitions
import Foundation
import Glibc

/// Writes a body to a file that appears when it is whole.
final class FileSink: BodySink {
    private let file: StagedFile

    /// - Parameter interruption: Has the unfinished file removed.
    init(
        _ path: String, _ kind: StagedFile.Kind, _ writing: FileWriting, _ interruption: Interruption
    ) throws(WritingProblem) {
        file = try interruption.tidying { () throws(WritingProblem) in
            let file = try writing.stageFile(path, kind)
            return (file, file.discard)
        }
    }

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        var problem: WritingProblem?
        chunk.withUnsafeBytes { bytes in
            do throws(WritingProblem) { try file.write(bytes) } catch { problem = error }
        }
        if let problem { throw problem }
        return true
    }

    func finish() throws(WritingProblem) { try file.finish() }

    func abandon() { file.discard() }
}

/// Writes a body to what is no file: a pipe, a device, a terminal, or what the program was started with. Nothing is made,
/// and nothing replaced.
final class DeviceSink: BodySink {
    private let descriptor: Int32
    private let output: Commands.Output

    /// Nil for a file, which grows beside its final place.
    init?(_ path: String, _ files: FileSystem) throws(WritingProblem) {
        if let own = OwnDescriptor.named(path) {
            // Opened anew, it would be written from its beginning.
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
