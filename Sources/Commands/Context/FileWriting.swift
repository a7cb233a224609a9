package import CommandLineKit
import Definitions
import Glibc

/// Everything that commands do to a file system, as closures; reading is `FileSystem`'s.
package struct FileWriting: Sendable {
    /// Makes a folder and those above it; one that already exists is left as it is.
    package var makeFolder: @Sendable (_ path: String) throws(WritingProblem) -> Void
    /// Makes a folder that only the user can read, and those above it; throws for one that belongs to another user.
    package var makePrivateFolder: @Sendable (_ path: String) throws(WritingProblem) -> Void = { _ in }
    /// Gives a folder another name, which must not be taken (by more than an empty folder): nothing is lost.
    package var moveFolder: @Sendable (_ path: String, _ newPath: String) throws(WritingProblem) -> Void
    /// Makes a file beside its final place, to be given its name when it is whole.
    package var stageFile: @Sendable (_ path: String, _ kind: StagedFile.Kind) throws(WritingProblem) -> StagedFile
    /// Opens a file that may grow over several runs.
    package var growingFile: @Sendable (_ path: String) throws(WritingProblem) -> GrowingFileAccess = {
        _ throws(WritingProblem) in throw WritingProblem("no file can be continued here")
    }
    /// Adds a line to a file of the user's own, which is made where it is missing; best effort.
    package var append: @Sendable (_ line: String, _ path: String) -> Void = { _, _ in }
    /// Keeps other runs from changing what lies in a folder until the closure that it returns is called: waits for those
    /// that have it locked. Does nothing on a file system without locks.
    package var lockFolder: @Sendable (_ path: String) -> @Sendable () -> Void = { _ in {} }
    /// Removes a file, or a folder and all that is in it; what isn't there needs no removing.
    package var remove: @Sendable (_ path: String) -> Void
}

extension FileWriting {
    /// Makes a file, whole or not at all.
    package func writeFile(_ path: String, _ bytes: [UInt8], _ kind: StagedFile.Kind) throws(WritingProblem) {
        try stageFile(path, bytes, kind).finish()
    }

    /// Makes a file beside its final place that has all of its bytes.
    package func stageFile(
        _ path: String, _ bytes: [UInt8], _ kind: StagedFile.Kind
    ) throws(WritingProblem) -> StagedFile {
        let file = try stageFile(path, kind)
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(WritingProblem) in try file.write(bytes) }
        }
        if case .failure = written { file.discard() }
        try written.get()
        return file
    }
}

/// A file that doesn't have its name yet.
package struct StagedFile: Sendable {
    /// Whether the file may replace another, and who can read it.
    package enum Kind: Sendable {
        /// The name must be free.
        case new
        /// Takes the place and the permissions of a file with that name, if there is one.
        case replacement
        /// A replacement that only the owner can read.
        case privateReplacement
    }

    /// Adds bytes at the end.
    package let write: @Sendable (UnsafeRawBufferPointer) throws(WritingProblem) -> Void
    /// Gives the file its name, in one step.
    package let finish: @Sendable () throws(WritingProblem) -> Void
    /// Removes the file, unless it has its name.
    package let discard: @Sendable () -> Void
}

/// A file that grows over several runs.
package struct GrowingFileAccess: Sendable {
    /// The size of what an earlier run has left, and its description; no other run can take it from now on.
    package let kept: @Sendable () throws(WritingProblem) -> (size: Int, description: [UInt8])?
    /// Forgets what is kept, to write what this describes.
    package let begin: @Sendable (_ description: [UInt8], _ isWorthKeeping: Bool) throws(WritingProblem) -> Void
    /// Goes on after this many of the bytes that are kept.
    package let goOn: @Sendable (_ count: Int) throws(WritingProblem) -> Void
    /// Adds bytes at the end.
    package let write: @Sendable (UnsafeRawBufferPointer) throws(WritingProblem) -> Void
    /// Gives the file its name, in one step.
    package let finish: @Sendable () throws(WritingProblem) -> Void
    /// Closes the file, unless it has its name, and returns how many bytes are kept.
    package let leave: @Sendable () -> Int
}

extension FileWriting {
    /// The file system of this machine.
    package static let live = FileWriting(
        makeFolder: { path throws(WritingProblem) in try LiveWriting.makeFolder(path) },
        makePrivateFolder: { path throws(WritingProblem) in try LiveWriting.makePrivateFolder(path) },
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
        growingFile: { path throws(WritingProblem) in
            let file = try GrowingFile(path)
            return GrowingFileAccess(
                kept: { () throws(WritingProblem) in try file.kept() },
                begin: { description, isWorthKeeping throws(WritingProblem) in
                    try file.begin(description, isWorthKeeping: isWorthKeeping)
                },
                goOn: { count throws(WritingProblem) in try file.goOn(after: count) },
                write: { bytes throws(WritingProblem) in try file.write(bytes) },
                finish: { () throws(WritingProblem) in try file.finish() }, leave: { file.leave() })
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

    static func makePrivateFolder(_ path: String) throws(WritingProblem) {
        try makeFolder(FilePath.parent(path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw WritingProblem() }
        var status = stat()
        // Not a link: whoever made it chose where it leads.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw WritingProblem("it is not a directory")
        }
        guard status.st_uid == geteuid() else { throw WritingProblem("it belongs to another user") }
        guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else { throw WritingProblem() }
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
