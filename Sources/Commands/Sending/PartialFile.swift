import Definitions
import Glibc
import Synchronization

/// A file that appears under its name when it is whole, and not before.
///
/// It grows under another name beside it; whatever ends the program meanwhile leaves nothing under the final name.
final class PartialFile: Sendable {
    let path: String
    let temporaryPath: String
    private let descriptor: Int32
    private let isDone = Mutex(false)

    init(_ path: String) throws(WritingProblem) {
        // A link stays a link: what it points to is replaced.
        let target = FileSystem.live.resolve(path) ?? path
        if FileSystem.live.kind(target) == .directory { throw WritingProblem("it is a directory") }
        self.path = target
        let folder = FilePath.parent(target)
        let name = target.split(separator: "/").last.map(String.init) ?? "body"
        temporaryPath = FilePath.join(folder, ".\(name).\(getpid()).part")
        descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw WritingProblem(SystemError.text(errno)) }
    }

    deinit { discard() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(WritingProblem) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                throw WritingProblem(SystemError.text(errno))
            }
        }
    }

    /// Gives the file its name.
    func finish() throws(WritingProblem) {
        guard
            isDone.withLock({ done in
                let was = done; done = true; return !was
            })
        else { return }
        // Some file systems tell only now that the disk is full.
        guard close(descriptor) == 0, rename(temporaryPath, path) == 0 else {
            let problem = WritingProblem(SystemError.text(errno))
            unlink(temporaryPath)
            throw problem
        }
    }

    func discard() {
        guard
            isDone.withLock({ done in
                let was = done; done = true; return !was
            })
        else { return }
        close(descriptor)
        unlink(temporaryPath)
    }
}
