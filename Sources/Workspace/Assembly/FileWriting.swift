package import ReqcliText

/// Everything that commands do to a file system, as closures; reading is `FileSystem`'s.
package struct FileWriting: Sendable {
    /// Makes a folder and those above it; one that already exists is left as it is.
    package var makeFolder: @Sendable (_ path: String) throws(WritingProblem) -> Void
    /// Makes a folder that only the user can read, and those above it; throws for one that belongs to another user.
    package var makePrivateFolder: @Sendable (_ path: String) throws(WritingProblem) -> Void
    /// Gives a folder another name, which must not be taken (by more than an empty folder): nothing is lost.
    package var moveFolder: @Sendable (_ path: String, _ newPath: String) throws(WritingProblem) -> Void
    /// Makes a file beside its final place, to be given its name when it is whole.
    package var stageFile: @Sendable (_ path: String, _ kind: StagedFile.Kind) throws(WritingProblem) -> StagedFile
    /// Opens a file that may grow over several runs.
    package var growingFile: @Sendable (_ path: String) throws(WritingProblem) -> GrowingFileAccess
    /// Adds a line to a file of the user's own, which is made where it is missing; best effort.
    package var append: @Sendable (_ line: String, _ path: String) -> Void
    /// Keeps other runs from changing what lies in a folder until the closure that it returns is called: waits for those
    /// that have it locked. Does nothing on a file system without locks.
    package var lockFolder: @Sendable (_ path: String) -> @Sendable () -> Void
    /// Removes a file, or a folder and all that is in it; what isn't there needs no removing.
    package var remove: @Sendable (_ path: String) -> Void

    package init(
        makeFolder: @escaping @Sendable (_ path: String) throws(WritingProblem) -> Void,
        makePrivateFolder: @escaping @Sendable (_ path: String) throws(WritingProblem) -> Void = { _ in },
        moveFolder: @escaping @Sendable (_ path: String, _ newPath: String) throws(WritingProblem) -> Void,
        stageFile: @escaping @Sendable (_ path: String, _ kind: StagedFile.Kind) throws(WritingProblem) -> StagedFile,
        growingFile: @escaping @Sendable (_ path: String) throws(WritingProblem) -> GrowingFileAccess = {
            _ throws(WritingProblem) in throw WritingProblem("no file can be continued here")
        },
        append: @escaping @Sendable (_ line: String, _ path: String) -> Void = { _, _ in },
        lockFolder: @escaping @Sendable (_ path: String) -> @Sendable () -> Void = { _ in {} },
        remove: @escaping @Sendable (_ path: String) -> Void
    ) {
        self.makeFolder = makeFolder
        self.makePrivateFolder = makePrivateFolder
        self.moveFolder = moveFolder
        self.stageFile = stageFile
        self.growingFile = growingFile
        self.append = append
        self.lockFolder = lockFolder
        self.remove = remove
    }
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

    package init(
        kept: @escaping @Sendable () throws(WritingProblem) -> (size: Int, description: [UInt8])?,
        begin: @escaping @Sendable (_ description: [UInt8], _ isWorthKeeping: Bool) throws(WritingProblem) -> Void,
        goOn: @escaping @Sendable (_ count: Int) throws(WritingProblem) -> Void,
        write: @escaping @Sendable (UnsafeRawBufferPointer) throws(WritingProblem) -> Void,
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
