import Definitions
import Glibc

extension FileWriting {
    /// The file system of this machine.
    package static let live = FileWriting(
        makeFolder: { path throws(WritingProblem) in try LiveWriting.makeFolder(path) },
        makeFile: { path, bytes throws(WritingProblem) in try LiveWriting.stage(path, bytes, .new).finish() },
        moveFolder: { path, newPath throws(WritingProblem) in
            // Fails where there is a file, or a folder with anything in it.
            guard Glibc.rename(path, newPath) == 0 else { throw WritingProblem(SystemError.text(errno)) }
        },
        stageFile: { path, bytes, kind throws(WritingProblem) in
            let file = try LiveWriting.stage(path, bytes, kind)
            return StagedFile(
                finish: { () throws(WritingProblem) in try file.finish() }, discard: { file.discard() })
        },
        lockFolder: { LiveWriting.lock($0) },
        remove: { LiveWriting.remove($0) })
}

private enum LiveWriting {
    static func makeFolder(_ path: String) throws(WritingProblem) {
        if mkdir(path, 0o777) == 0 { return }
        let problem = errno
        if problem == EEXIST, FileSystem.live.kind(path) == .directory { return }
        let parent = FilePath.parent(path)
        guard problem == ENOENT, parent != path else { throw WritingProblem(SystemError.text(problem)) }
        try makeFolder(parent)
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw WritingProblem(SystemError.text(errno)) }
    }

    static func stage(
        _ path: String, _ bytes: [UInt8], _ kind: StagedFile.Kind
    ) throws(WritingProblem) -> PartialFile {
        let file = try PartialFile(
            path, mayReplace: kind != .new, permissions: kind == .privateReplacement ? 0o600 : nil)
        try file.write(bytes)
        return file
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
