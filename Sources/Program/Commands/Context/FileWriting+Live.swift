import CommandLineKit
import Exchange
import Glibc
package import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

extension FileWriting {
    /// The file system of this machine.
    package static let live = FileWriting(
        makeFolder: { path throws(WritingProblem) in try LiveWriting.makeFolder(path) },
        makePrivateFolder: { path throws(WritingProblem) in try LiveWriting.makePrivateFolder(path) },
        moveFolder: { path, newPath throws(WritingProblem) in
            // Fails if the new path is a file, or a folder that isn't empty.
            guard Glibc.rename(path, newPath) == 0 else { throw WritingProblem() }
        },
        stageFile: { path, kind throws(WritingProblem) in
            let file = try PartialFile(path, kind)
            return StagedFile(
                write: { bytes throws(WritingProblem) in try file.write(bytes) },
                finish: { () throws(WritingProblem) in try file.finish() }, discard: { file.discard() })
        },
        growingFile: { path throws(WritingProblem) in
            let file = try growing { () throws(GrowingFile.Problem) in try GrowingFile(path) }
            return GrowingFileAccess(
                kept: { () throws(WritingProblem) in
                    try growing { () throws(GrowingFile.Problem) in try file.kept() }
                },
                begin: { description, isWorthKeeping throws(WritingProblem) in
                    try growing { () throws(GrowingFile.Problem) in
                        try file.begin(description, isWorthKeeping: isWorthKeeping)
                    }
                },
                goOn: { count throws(WritingProblem) in
                    try growing { () throws(GrowingFile.Problem) in try file.goOn(after: count) }
                },
                write: { data throws(WritingProblem) in
                    try growing { () throws(GrowingFile.Problem) in try file.write(data) }
                },
                finish: { () throws(WritingProblem) in
                    try growing { () throws(GrowingFile.Problem) in try file.finish() }
                }, leave: { file.leave() })
        },
        append: { LiveWriting.append($0, to: $1) },
        lockFolder: { LiveWriting.lock($0) },
        tryLockFile: { LiveWriting.tryLock($0) },
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

    static func makePrivateFolder(_ path: String) throws(WritingProblem) {
        try makeFolder(FilePath.parent(path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw WritingProblem() }
        var status = stat()
        // A link is rejected, because the user who made the link chose where it leads.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw WritingProblem("it is not a directory")
        }
        guard status.st_uid == geteuid() else { throw WritingProblem("it belongs to another user") }
        guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else { throw WritingProblem() }
    }

    static func append(_ line: String, to path: String) {
        try? makeFolder(FilePath.parent(path))
        // Gives access only to this user, because the file says what may be run in the user's name.
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        Output(descriptor: descriptor).write(line)
        close(descriptor)
    }

    static func lock(_ folder: String) -> @Sendable () -> Void {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return {} }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return {
            // Otherwise a program that is just being started, which has a copy of the descriptor for a moment, keeps the lock.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    static func tryLock(_ path: String) -> (@Sendable () -> Void)? {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return {} }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let isBusy = [EWOULDBLOCK, EINTR].contains(errno)
                close(descriptor)
                if isBusy { return nil }
                return {}
            }
            var status = stat()
            if fstat(descriptor, &status) != 0 || status.st_nlink > 0 {
                return {
                    flock(descriptor, LOCK_UN)
                    close(descriptor)
                }
            }
            // The last holder of the lock removed the file, so the next process would lock another file.
            close(descriptor)
        }
    }

    static func remove(_ path: String) {
        if unlink(path) == 0 || errno == ENOENT { return }
        // A link to a folder was unlinked above, so the removal never leaves the folder.
        for name in (try? FileSystem.live.names(path)) ?? [] { remove(FilePath.join(path, name)) }
        rmdir(path)
    }
}

private func growing<Result>(_ body: () throws(GrowingFile.Problem) -> Result) throws(WritingProblem) -> Result {
    do throws(GrowingFile.Problem) { return try body() } catch { throw WritingProblem(error.reason) }
}
