import CommandLineKit
import Definitions
import Glibc

extension FileWriting {
    /// The file system of this machine.
    package static let live = FileWriting(
        makeFolder: { path throws(WritingProblem) in try LiveWriting.makeFolder(path) },
        moveFolder: { path, newPath throws(WritingProblem) in
            // Fails where there is a file, or a folder with anything in it.
            guard Glibc.rename(path, newPath) == 0 else { throw WritingProblem() }
        },
        stageFile: { path, kind throws(WritingProblem) in
            let file = try PartialFile(path, kind)
            return StagedFile(
                write: { bytes throws(WritingProblem) in try file.write(bytes) },
                finish: { () throws(WritingProblem) in try file.finish() }, discard: { file.discard() })
        },
        append: { LiveWriting.append($0, to: $1) },
        lockFolder: { LiveWriting.lock($0) },
        remove: { LiveWriting.remove($0) })
}

private enum LiveWriting {
    static func makeFolder(_ path: String) throws(WritingProblem) {
        if mkdir(path, 0o777) == 0 { return }
        let problem = errno
        if problem == EEXIST, FileSystem.live.kind(path) == .directory { return }
        let parent = FilePath.parent(path)
        guard problem == ENOENT, parent != path else { throw WritingProblem(SystemError(problem)) }
        try makeFolder(parent)
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw WritingProblem() }
    }

    static func append(_ line: String, to path: String) {
        try? makeFolder(FilePath.parent(path))
        // For this user alone: it says what may be run in their name.
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        Output(descriptor: descriptor).write(line)
        close(descriptor)
    }

    static func lock(_ folder: String) -> @Sendable () -> Void {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return {} }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return { close(descriptor) }
    }

    static func remove(_ path: String) {
        if unlink(path) == 0 || errno == ENOENT { return }
        // A link to a folder was unlinked above, so this never leaves the folder.
        for name in (try? FileSystem.live.names(path)) ?? [] { remove(FilePath.join(path, name)) }
        rmdir(path)
    }
}
