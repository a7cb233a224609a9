import CommandLineKit
import Glibc
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A file that several runs may write, because a run can stop before the end. `NAME.part` has the bytes written so far. Next to
/// it, `NAME.part.info` describes these bytes.
///
/// The bytes are removed before a new description is written, and the description is written before its bytes. So whenever the
/// program is killed, the description matches the bytes, or there are no bytes.
final class GrowingFile: Sendable {
    static let suffix = ".part"
    private static let largestDescription = 64 << 10

    private let target: String
    private let state = Mutex(State())

    private struct State {
        /// The open file; nil until this run has claimed it.
        var descriptor: Int32?
        var isWorthKeeping = true
        var isDone = false
    }

    private var path: String { target + Self.suffix }
    private var descriptionPath: String { path + ".info" }

    init(_ path: String) throws(WritingProblem) {
        // A link stays a link: the file that it points to is replaced.
        target = FileSystem.live.resolve(path) ?? path
        switch FileSystem.live.kind(target) {
        case .directory: throw WritingProblem("it is a directory")
        case .other: throw WritingProblem("it is not a regular file, so a partial download cannot be kept for it")
        case .file, nil: break
        }
        guard access(target, F_OK) != 0 || access(target, W_OK) == 0 else { throw WritingProblem() }
    }

    deinit { leave() }

    /// Locks the bytes that an earlier run has left, so that no other run can use them. Returns their size and description; nil
    /// if there are none.
    func kept() throws(WritingProblem) -> (size: Int, description: [UInt8])? {
        try state.withLock { state throws(WritingProblem) in
            guard try open(&state, flags: 0), let descriptor = state.descriptor else { return nil }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
            guard let description = try? FileSystem.live.read(descriptionPath, Self.largestDescription) else {
                throw WritingProblem("\(path) exists, but is not a partial download: remove it, or name another file")
            }
            return (Int(status.st_size), description)
        }
    }

    /// Discards the kept bytes, and begins a file with this description.
    func begin(_ description: [UInt8], isWorthKeeping: Bool) throws(WritingProblem) {
        try state.withLock { state throws(WritingProblem) in
            _ = try open(&state, flags: O_CREAT)
            try cut(state, 0)
            state.isWorthKeeping = isWorthKeeping
            let file = try PartialFile(descriptionPath, .privateReplacement)
            let problem = description.withUnsafeBytes { bytes -> WritingProblem? in
                do throws(WritingProblem) { try file.write(bytes) } catch { return error }
                return nil
            }
            if let problem { throw problem }
            try file.finish()
        }
    }

    /// Continues after this many of the kept bytes.
    func goOn(after count: Int) throws(WritingProblem) {
        try state.withLock { state throws(WritingProblem) in try cut(state, count) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(WritingProblem) {
        guard let descriptor = state.withLock(\.descriptor) else { throw WritingProblem("it is not open") }
        do throws(SystemError) { try writeAll(bytes, to: descriptor) } catch { throw WritingProblem(error) }
    }

    /// Gives the file its final name.
    func finish() throws(WritingProblem) {
        try state.withLock { state throws(WritingProblem) in
            guard !state.isDone, let descriptor = state.descriptor else { return }
            state.isDone = true
            var existing = stat()
            if stat(target, &existing) == 0 {
                // Best effort: a user who may replace a file may not be allowed to change its owner.
                _ = fchown(descriptor, existing.st_uid, existing.st_gid)
                fchmod(descriptor, existing.st_mode & 0o7777)
            }
            // The duplicate descriptor keeps the lock until the file has its final name.
            let lock = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            defer { if lock >= 0 { close(lock) } }
            // Some file systems report only now that the disk is full.
            guard close(descriptor) == 0, rename(path, target) == 0 else { throw WritingProblem() }
            unlink(descriptionPath)
        }
    }

    /// Closes the file. Removes it unless a later run can continue it.
    ///
    /// - Returns: The number of bytes that are kept.
    @discardableResult
    func leave() -> Int {
        state.withLock { state in
            guard !state.isDone, let descriptor = state.descriptor else { return 0 }
            state.isDone = true
            var status = stat()
            let size = fstat(descriptor, &status) == 0 && state.isWorthKeeping ? Int(status.st_size) : 0
            if size == 0 {
                unlink(path)
                unlink(descriptionPath)
            }
            close(descriptor)
            return size
        }
    }

    /// Opens the file, unless it is already open. Returns false if the file doesn't exist.
    private func open(_ state: inout State, flags: Int32) throws(WritingProblem) -> Bool {
        if state.descriptor != nil { return true }
        // Doesn't follow a link that another user has put there, and doesn't wait for a pipe.
        let descriptor = Glibc.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0o666)
        guard descriptor >= 0 else {
            if errno == ENOENT, flags == 0 { return false }
            throw WritingProblem("\(path): \(SystemError().text)")
        }
        do throws(WritingProblem) { try claim(descriptor) } catch {
            close(descriptor)
            throw error
        }
        state.descriptor = descriptor
        return true
    }

    /// Makes sure that the file belongs to this user, and that no other run writes to the file.
    private func claim(_ descriptor: Int32) throws(WritingProblem) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw WritingProblem("\(path) is not a regular file that you own")
        }
        var named = stat()
        // Another run may have given the file its final name just now.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, stat(path, &named) == 0, named.st_ino == status.st_ino else {
            throw WritingProblem("another run is writing to \(path)")
        }
    }

    private func cut(_ state: State, _ count: Int) throws(WritingProblem) {
        guard let descriptor = state.descriptor, ftruncate(descriptor, off_t(count)) == 0,
            lseek(descriptor, off_t(count), SEEK_SET) >= 0
        else { throw WritingProblem() }
    }
}
