package import Foundation
package import ReqcliText

/// All changes that commands make to a file system, as closures. `FileSystem` is for reading.
package struct FileWriting: Sendable {
    /// Makes a folder and its parent folders; a folder that already exists stays unchanged.
    package var makeFolder: @Sendable (_ path: String) throws(WritingProblem) -> Void
    /// Makes a folder that only the user can read, and its parent folders; throws if the folder belongs to another user.
    package var makePrivateFolder: @Sendable (_ path: String) throws(WritingProblem) -> Void
    /// Renames a folder. The new name must be free, or belong to an empty folder, so that nothing is lost.
    package var moveFolder: @Sendable (_ path: String, _ newPath: String) throws(WritingProblem) -> Void
    /// Makes a temporary file next to the final path. The file gets its final name when it is complete.
    package var stageFile: @Sendable (_ path: String, _ kind: StagedFile.Kind) throws(WritingProblem) -> StagedFile
    /// Opens a file that may grow over several runs.
    package var growingFile: @Sendable (_ path: String) throws(WritingProblem) -> GrowingFileAccess
    /// Adds a line to a file of the user, and makes the file if it is missing. Errors are ignored.
    package var append: @Sendable (_ line: String, _ path: String) -> Void
    /// Locks a folder, so that other runs cannot change its contents until the returned closure is called. Waits while another
    /// run holds the lock. Does nothing on a file system without locks.
    package var lockFolder: @Sendable (_ path: String) -> @Sendable () -> Void
    /// Locks a file, which is made if it is missing, so that other processes cannot lock it until the returned closure is called.
    /// Nil while another process holds the lock. Does nothing on a file system without locks.
    package var tryLockFile: @Sendable (_ path: String) -> (@Sendable () -> Void)?
    /// Removes a file, or a folder with its contents; does nothing if the path doesn't exist.
    package var remove: @Sendable (_ path: String) -> Void

    package init(
        makeFolder: @escaping @Sendable (_ path: String) throws(WritingProblem) -> Void,
        makePrivateFolder: @escaping @Sendable (_ path: String) throws(WritingProblem) -> Void = { _ in },
        moveFolder: @escaping @Sendable (_ path: String, _ newPath: String) throws(WritingProblem) -> Void,
        stageFile: @escaping @Sendable (_ path: String, _ kind: StagedFile.Kind) throws(WritingProblem) -> StagedFile,
        growingFile: @escaping @Sendable (_ path: String) throws(WritingProblem) -> GrowingFileAccess = {
            _ throws(WritingProblem) in throw WritingProblem("files cannot be appended to here")
        },
        append: @escaping @Sendable (_ line: String, _ path: String) -> Void = { _, _ in },
        lockFolder: @escaping @Sendable (_ path: String) -> @Sendable () -> Void = { _ in {} },
        tryLockFile: @escaping @Sendable (_ path: String) -> (@Sendable () -> Void)? = { _ in {} },
        remove: @escaping @Sendable (_ path: String) -> Void
    ) {
        self.makeFolder = makeFolder
        self.makePrivateFolder = makePrivateFolder
        self.moveFolder = moveFolder
        self.stageFile = stageFile
        self.growingFile = growingFile
        self.append = append
        self.lockFolder = lockFolder
        self.tryLockFile = tryLockFile
        self.remove = remove
    }
}

extension FileWriting {
    /// Writes a file completely or not at all.
    package func writeFile(_ path: String, _ bytes: [UInt8], _ kind: StagedFile.Kind) throws(WritingProblem) {
        try stageFile(path, bytes, kind).finish()
    }

    /// Makes a temporary file next to the final path, with all of its bytes.
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

/// A file that doesn't have its final name yet.
package struct StagedFile: Sendable {
    /// Whether the file may replace another file, and who can read the new file.
    package enum Kind: Sendable {
        /// A new file, whose name must be free.
        case new
        /// The file replaces an existing file with this name, if there is one, and gets the same permissions.
        case replacement
        /// A replacement that only the owner can read.
        case privateReplacement
    }

    /// Adds bytes at the end.
    package let write: @Sendable (UnsafeRawBufferPointer) throws(WritingProblem) -> Void
    /// Gives the file its name, in one step.
    package let finish: @Sendable () throws(WritingProblem) -> Void
    /// Removes the file, unless it already has its final name.
    package let discard: @Sendable () -> Void

    package init(
        write: @escaping @Sendable (UnsafeRawBufferPointer) throws(WritingProblem) -> Void,
        finish: @escaping @Sendable () throws(WritingProblem) -> Void, discard: @escaping @Sendable () -> Void
    ) {
        self.write = write
        self.finish = finish
        self.discard = discard
    }
}

/// A file that grows over several runs.
package struct GrowingFileAccess: Sendable {
    /// Returns the size and the description of the bytes that an earlier run has kept; nil if there are no such bytes. After this
    /// call, no other run can use the kept bytes.
    package let kept: @Sendable () throws(WritingProblem) -> (size: Int, description: [UInt8])?
    /// Discards the kept bytes, and begins a new file with this description. `isWorthKeeping` tells whether an incomplete file is
    /// kept for a later run.
    package let begin: @Sendable (_ description: [UInt8], _ isWorthKeeping: Bool) throws(WritingProblem) -> Void
    /// Continues writing after the first `count` of the kept bytes.
    package let goOn: @Sendable (_ count: Int) throws(WritingProblem) -> Void
    /// Adds bytes at the end.
    package let write: @Sendable (Data) throws(WritingProblem) -> Void
    /// Gives the file its name, in one step.
    package let finish: @Sendable () throws(WritingProblem) -> Void
    /// Closes the file, unless it already has its final name, and returns how many bytes are kept.
    package let leave: @Sendable () -> Int

    package init(
        kept: @escaping @Sendable () throws(WritingProblem) -> (size: Int, description: [UInt8])?,
        begin: @escaping @Sendable (_ description: [UInt8], _ isWorthKeeping: Bool) throws(WritingProblem) -> Void,
        goOn: @escaping @Sendable (_ count: Int) throws(WritingProblem) -> Void,
        write: @escaping @Sendable (Data) throws(WritingProblem) -> Void,
        finish: @escaping @Sendable () throws(WritingProblem) -> Void, leave: @escaping @Sendable () -> Int
    ) {
        self.kept = kept
        self.begin = begin
        self.goOn = goOn
        self.write = write
        self.finish = finish
        self.leave = leave
    }
}
