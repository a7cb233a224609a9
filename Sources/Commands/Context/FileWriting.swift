import CommandLineKit

/// Everything that commands do to a file system, as closures; reading is `FileSystem`'s.
package struct FileWriting: Sendable {
    /// Makes a folder and those above it; one that is there already is left as it is.
    package var makeFolder: @Sendable (_ path: String) throws(WritingProblem) -> Void
    /// Gives a folder another name, which must not be taken (by more than an empty folder): nothing is lost.
    package var moveFolder: @Sendable (_ path: String, _ newPath: String) throws(WritingProblem) -> Void
    /// Makes a file beside its final place, to be given its name when it is whole.
    package var stageFile: @Sendable (_ path: String, _ kind: StagedFile.Kind) throws(WritingProblem) -> StagedFile
    /// Adds a line to a file of the user's own, which is made where it is missing; best effort.
    package var append: @Sendable (_ line: String, _ path: String) -> Void
    /// Keeps other runs from changing what lies in a folder until the closure that it returns is called: waits for those
    /// that have it locked. Does nothing on a file system without locks.
    package var lockFolder: @Sendable (_ path: String) -> @Sendable () -> Void
    /// Removes a file, or a folder and all that is in it; what isn't there needs no removing.
    package var remove: @Sendable (_ path: String) -> Void

    package init(
        makeFolder: @escaping @Sendable (String) throws(WritingProblem) -> Void,
        moveFolder: @escaping @Sendable (String, String) throws(WritingProblem) -> Void,
        stageFile: @escaping @Sendable (String, StagedFile.Kind) throws(WritingProblem) -> StagedFile,
        append: @escaping @Sendable (String, String) -> Void = { _, _ in },
        lockFolder: @escaping @Sendable (String) -> @Sendable () -> Void = { _ in {} },
        remove: @escaping @Sendable (String) -> Void
    ) {
        self.makeFolder = makeFolder
        self.moveFolder = moveFolder
        self.stageFile = stageFile
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

/// Why something can't be written.
package struct WritingProblem: Error, Equatable {
    /// Completes "… can't be written: ".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
    init(_ error: SystemError = SystemError()) { reason = error.text }
}
