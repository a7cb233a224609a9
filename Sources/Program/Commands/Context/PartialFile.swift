import CommandLineKit
import Glibc
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A file that gets its final name only when its content is complete.
///
/// Until then, the file has a temporary name in the same folder. If the program ends before the file is complete, there is no new
/// file under the final name, and an existing file is unchanged. If the program was killed and could not remove the unfinished
/// file, the next run that writes into the folder removes it.
final class PartialFile: Sendable {
    /// The end of the temporary name.
    static let suffix = ".reqcli.part"
    /// The longest name that file systems take, in bytes.
    private static let longestName = 255

    private let path: String
    private let kind: StagedFile.Kind
    private let temporaryPath: String
    private let descriptor: Int32
    private let isDone = Mutex(false)

    init(_ path: String, _ kind: StagedFile.Kind) throws(WritingProblem) {
        let permissions: mode_t? = kind == .privateReplacement ? 0o600 : nil
        // A link stays a link: the file that it points to is replaced.
        let target = FileSystem.live.resolve(path) ?? path
        var existing = stat()
        let exists = stat(target, &existing) == 0
        if exists {
            if existing.st_mode & S_IFMT == S_IFDIR { throw WritingProblem("it is a directory") }
            // A rename could replace even a write-protected file, but must not.
            guard access(target, W_OK) == 0 else { throw WritingProblem() }
        }
        self.path = target
        self.kind = kind
        Abandoned.remove(from: FilePath.parent(target))
        (descriptor, temporaryPath) = try Self.open(beside: target, permissions ?? 0o666)
        // Best effort: a user who may replace a file may not be allowed to change its owner.
        if exists, permissions == nil { _ = fchown(descriptor, existing.st_uid, existing.st_gid) }
        if let mode = permissions ?? (exists ? existing.st_mode & 0o7777 : nil) { fchmod(descriptor, mode) }
    }

    deinit { discard() }

    private static func open(beside target: String, _ permissions: mode_t) throws(WritingProblem) -> (Int32, String) {
        let name = target.split(separator: "/").last.map(String.init) ?? "body"
        for _ in 0..<16 {
            let end = "." + String(UInt32.random(in: .min ... .max), radix: 36) + suffix
            let start = name.prefix(utf8: longestName - 1 - end.utf8.count)
            let path = FilePath.join(FilePath.parent(target), ".\(start)\(end)")
            // Doesn't follow a link that another user has put there.
            let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
            guard descriptor >= 0 else {
                // A set of files keeps all its files open until the end, so the process may reach its limit of open descriptors.
                if errno == EEXIST || errno == EMFILE && DescriptorSupply.raise() { continue }
                break
            }
            // The lock tells other runs not to remove the file as abandoned. One of them may have removed it just before it was
            // locked.
            flock(descriptor, LOCK_EX)
            var status = stat()
            if fstat(descriptor, &status) != 0 || status.st_nlink > 0 { return (descriptor, path) }
            close(descriptor)
        }
        throw WritingProblem()
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(WritingProblem) {
        do throws(SystemError) { try writeAll(bytes, to: descriptor) } catch { throw WritingProblem(error) }
    }

    /// Gives the file its final name.
    func finish() throws(WritingProblem) {
        // Runs under the lock, so that an interruption happens either before or after this step. After this step, an interruption
        // has nothing to remove.
        try isDone.withLock { isDone throws(WritingProblem) in
            guard !isDone else { return }
            isDone = true
            // The duplicate descriptor keeps the lock until the file has its final name.
            let lock = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            defer { if lock >= 0 { close(lock) } }
            // Some file systems report only now that the disk is full.
            let isClosed = close(descriptor) == 0
            if isClosed, isNamed() { return }
            let problem = WritingProblem()
            unlink(temporaryPath)
            throw problem
        }
    }

    private func isNamed() -> Bool {
        if kind != .new { return rename(temporaryPath, path) == 0 }
        // Unlike `rename`, `link` fails if the name already exists.
        guard link(temporaryPath, path) != 0 else { return unlink(temporaryPath) == 0 }
        // Some file systems have no links. There, the earlier check that the name is free has to be enough.
        return errno != EEXIST && rename(temporaryPath, path) == 0
    }

    func discard() {
        isDone.withLock { isDone in
            guard !isDone else { return }
            isDone = true
            unlink(temporaryPath)
            close(descriptor)
        }
    }
}

/// Unfinished files of runs that were killed.
private enum Abandoned {
    /// The folders that this process has already cleaned up.
    private static let tidied = Mutex<Set<String>>([])

    /// Removes the unfinished files of a folder, except files that a running process has locked. Does this only once for each
    /// folder.
    static func remove(from folder: String) {
        guard tidied.withLock({ $0.insert(folder).inserted }), let names = try? FileSystem.live.names(folder) else {
            return
        }
        for name in names where name.hasPrefix(".") && name.hasSuffix(PartialFile.suffix) {
            remove(FilePath.join(folder, name))
        }
    }

    private static func remove(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        unlink(path)
    }
}

extension String {
    /// The longest beginning that has at most this many bytes and ends with a whole character.
    func prefix(utf8 count: Int) -> Substring {
        var rest = count
        return prefix { character in
            rest -= character.utf8.count
            return rest >= 0
        }
    }
}
