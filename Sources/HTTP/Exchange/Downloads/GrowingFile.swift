package import Foundation
import ReqcliBasics
import RequestBuilding

/// A file that several runs may write, because a run can stop before the end. `NAME.part` has the bytes written so far. Next to
/// it, `NAME.part.info` describes these bytes.
///
/// The bytes are removed before a new description is written, and the description is written before its bytes. So whenever the
/// program is killed, the description matches the bytes, or there are no bytes.
package final class GrowingFile: Sendable {
    private static let suffix = ".part"
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

    /// The reason why the file cannot be written.
    package struct Problem: DescribedError, Equatable {
        /// The reason, in a form that can follow a colon.
        package let reason: String
        fileprivate var path = ""

        fileprivate init(_ reason: String) { self.reason = reason }
        fileprivate init(_ error: SystemError = SystemError()) { reason = error.text }

        package var description: String { "\(path) can't be written: \(reason)" }

        /// The problem of a file with this path.
        func of(_ path: String) -> Problem {
            var problem = self
            problem.path = path
            return problem
        }
    }

    package init(_ path: String) throws(Problem) {
        guard !path.utf8.contains(0) else { throw Problem("the path has a NUL character") }
        // A link stays a link: the file that it points to is replaced.
        let resolved = realpath(path, nil)
        target = resolved.map { String(cString: $0) } ?? path
        free(resolved)
        var status = stat()
        if stat(target, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFDIR: throw Problem("it is a directory")
            case S_IFREG: break
            default: throw Problem("it is not a regular file, so a partial download cannot be kept for it")
            }
            guard access(target, W_OK) == 0 else { throw Problem() }
        }
    }

    deinit { leave() }

    /// Locks the bytes that an earlier run has left, so that no other run can use them. Returns their size and description; nil
    /// if there are none.
    package func kept() throws(Problem) -> (size: Int, description: [UInt8])? {
        try state.withLock { state throws(Problem) in
            guard try claim(&state, flags: 0), let descriptor = state.descriptor else { return nil }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
            guard let description = description() else {
                throw Problem("\(path) exists, but is not a partial download: remove it, or name another file")
            }
            return (Int(status.st_size), description)
        }
    }

    /// Discards the kept bytes, and begins a file with this description.
    package func begin(_ description: [UInt8], isWorthKeeping: Bool) throws(Problem) {
        try state.withLock { state throws(Problem) in
            _ = try claim(&state, flags: O_CREAT)
            try cut(state, 0)
            state.isWorthKeeping = isWorthKeeping
            // A new file, because the old one may be a link to a file that must stay. An incomplete description is harmless, since
            // there are no bytes yet.
            unlink(descriptionPath)
            let descriptor = open(descriptionPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Problem("\(descriptionPath): \(SystemError().text)") }
            defer { close(descriptor) }
            try Self.write(Data(description), to: descriptor)
        }
    }

    /// The description of the kept bytes; nil if there is none that this class has written.
    private func description() -> [UInt8]? {
        let descriptor = open(descriptionPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let data = try? handle.read(upToCount: Self.largestDescription + 1), data.count <= Self.largestDescription
        else { return nil }
        return Array(data)
    }

    private static func write(_ data: Data, to descriptor: Int32) throws(Problem) {
        var offset = 0
        while offset < data.count {
            let count = data.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
            }
            if count < 0, errno != EINTR { throw Problem() }
            offset += max(count, 0)
        }
    }

    /// Continues after this many of the kept bytes.
    package func goOn(after count: Int) throws(Problem) {
        try state.withLock { state throws(Problem) in try cut(state, count) }
    }

    package func write(_ data: Data) throws(Problem) {
        guard let descriptor = state.withLock(\.descriptor) else { throw Problem("it is not open") }
        try Self.write(data, to: descriptor)
    }

    /// Gives the file its final name.
    package func finish() throws(Problem) {
        try state.withLock { state throws(Problem) in
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
            defer { if lock >= 0 { Self.release(lock) } }
            // Some file systems report only now that the disk is full.
            guard close(descriptor) == 0, rename(path, target) == 0 else { throw Problem() }
            unlink(descriptionPath)
        }
    }

    /// Closes the file. Removes it unless a later run can continue it.
    ///
    /// - Returns: The number of bytes that are kept.
    @discardableResult
    package func leave() -> Int {
        state.withLock { state in
            guard !state.isDone, let descriptor = state.descriptor else { return 0 }
            state.isDone = true
            var status = stat()
            let size = fstat(descriptor, &status) == 0 && state.isWorthKeeping ? Int(status.st_size) : 0
            if size == 0 {
                unlink(path)
                unlink(descriptionPath)
            }
            Self.release(descriptor)
            return size
        }
    }

    /// Opens the file, unless it is already open. Returns false if the file doesn't exist.
    private func claim(_ state: inout State, flags: Int32) throws(Problem) -> Bool {
        if state.descriptor != nil { return true }
        // Doesn't follow a link that another user has put there, and doesn't wait for a pipe.
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0o666)
        guard descriptor >= 0 else {
            if errno == ENOENT, flags == 0 { return false }
            throw Problem("\(path): \(SystemError().text)")
        }
        do throws(Problem) { try claim(descriptor) } catch {
            Self.release(descriptor)
            throw error
        }
        state.descriptor = descriptor
        return true
    }

    /// Makes sure that the file belongs to this user, and that no other run writes to the file.
    private func claim(_ descriptor: Int32) throws(Problem) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw Problem("\(path) is not a regular file that you own")
        }
        var named = stat()
        // Another run may have given the file its final name just now.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, stat(path, &named) == 0, named.st_ino == status.st_ino else {
            throw Problem("another run is writing to \(path)")
        }
    }

    /// Closes the file, and unlocks it first: a program that is just being started has a copy of the descriptor for a moment, which
    /// would keep the lock.
    private static func release(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private func cut(_ state: State, _ count: Int) throws(Problem) {
        guard let descriptor = state.descriptor, ftruncate(descriptor, off_t(count)) == 0,
            lseek(descriptor, off_t(count), SEEK_SET) >= 0
        else { throw Problem() }
    }
}
