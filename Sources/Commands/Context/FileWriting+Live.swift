import Definitions
import Glibc

extension FileWriting {
    /// The file system of this machine.
    package static let live = FileWriting(
        makeFolder: { path throws(WritingProblem) in try LiveWriting.makeFolder(path) },
        makeFile: { path, bytes throws(WritingProblem) in try LiveWriting.makeFile(path, bytes) },
        moveFolder: { path, newPath throws(WritingProblem) in
            // Fails where there is a file, or a folder with anything in it.
            guard Glibc.rename(path, newPath) == 0 else { throw WritingProblem(SystemError.text(errno)) }
        },
        replaceFile: { path, newPath throws(WritingProblem) in try LiveWriting.replaceFile(path, newPath) },
        replacePrivateFile: { path, bytes throws(WritingProblem) in
            let file = try PartialFile(path, permissions: 0o600)
            var problem: WritingProblem?
            bytes.withUnsafeBytes { bytes in
                do throws(WritingProblem) { try file.write(bytes) } catch { problem = error }
            }
            if let problem { throw problem }
            try file.finish()
        },
        checkPrivateFile: { path throws(WritingProblem) in
            try PartialFile(path, permissions: 0o600).discard()
        },
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

    static func makeFile(_ path: String, _ bytes: [UInt8]) throws(WritingProblem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw WritingProblem(SystemError.text(errno)) }
        let file = Output(descriptor: descriptor)
        file.write(bytes)
        // Some file systems tell only now that the disk is full.
        let isClosed = close(descriptor) == 0
        let closing = SystemError.text(errno)
        if isClosed, file.isOpen { return }
        unlink(path)
        if case .failed(let reason) = file.problem { throw WritingProblem(reason) }
        throw WritingProblem(closing)
    }

    static func replaceFile(_ path: String, _ newPath: String) throws(WritingProblem) {
        var old = stat()
        if stat(newPath, &old) == 0 {
            // Best effort: whoever may replace a file may not always give it away.
            _ = chown(path, old.st_uid, old.st_gid)
            _ = chmod(path, old.st_mode & 0o7777)
        }
        guard Glibc.rename(path, newPath) == 0 else { throw WritingProblem(SystemError.text(errno)) }
    }

    static func remove(_ path: String) {
        if unlink(path) == 0 || errno == ENOENT { return }
        // A link to a folder was unlinked above, so this never leaves the folder.
        for name in (try? FileSystem.live.names(path)) ?? [] { remove(FilePath.join(path, name)) }
        rmdir(path)
    }
}
