import Definitions
import Synchronization

/// Writes several files, all of them or none: on any failure every file is as it was.
///
/// All bytes are on the disk under other names before the first file gets its own. Only a machine that stops between two
/// renames can leave the first without the second.
final class FileSet: Sendable {
    struct File: Sendable {
        let path: String
        let bytes: [UInt8]
        /// Whether there is such a file now, which gives way; otherwise none may have come up meanwhile.
        let isThere: Bool
    }

    private let files: FileSystem
    private let writing: FileWriting
    /// Held while files change.
    private let isWriting = Mutex(())

    init(files: FileSystem, writing: FileWriting) {
        self.files = files
        self.writing = writing
    }

    /// Returns when no file is half changed.
    func settle() { isWriting.withLock { _ in } }

    func write(_ set: [File]) throws(WritingProblem) {
        let problem = isWriting.withLock { _ -> WritingProblem? in
            var attempt = Attempt(files: files, writing: writing)
            do throws(WritingProblem) {
                try attempt.make(set)
                return nil
            } catch {
                attempt.takeBack()
                return error
            }
        }
        if let problem { throw problem }
    }
}

/// One attempt, and how far it has come.
private struct Attempt {
    private struct Staged {
        let file: FileSet.File
        /// Where the new bytes are until they get their place.
        let newPath: String
        /// A copy of what has to give way.
        var backup: String?
    }

    private let files: FileSystem
    private let writing: FileWriting
    private var folders: [String] = []
    private var staged: [Staged] = []
    private var movedCount = 0
    /// A name that was taken and not yet filled.
    private var reserved: String?

    init(files: FileSystem, writing: FileWriting) {
        self.files = files
        self.writing = writing
    }

    mutating func make(_ set: [FileSet.File]) throws(WritingProblem) {
        for file in set { try stage(file) }
        for file in staged {
            try move(file)
            movedCount += 1
        }
        for file in staged { file.backup.map(writing.remove) }
    }

    private mutating func stage(_ file: FileSet.File) throws(WritingProblem) {
        let folder = FilePath.parent(file.path)
        if files.kind(folder) == nil {
            folders.append(folder)
            try writing.makeFolder(folder)
        }
        staged.append(Staged(file: file, newPath: Self.path(beside: file.path, ending: "new")))
        try writing.makeFile(staged[staged.count - 1].newPath, file.bytes)
        guard file.isThere else { return }
        let backup = Self.path(beside: file.path, ending: "old")
        staged[staged.count - 1].backup = backup
        try writing.makeFile(backup, try read(file.path))
    }

    private mutating func move(_ item: Staged) throws(WritingProblem) {
        if !item.file.isThere {
            // Fails where there is one by now.
            try writing.makeFile(item.file.path, [])
            reserved = item.file.path
        }
        try writing.replaceFile(item.newPath, item.file.path)
        reserved = nil
    }

    func takeBack() {
        reserved.map(writing.remove)
        for (index, item) in staged.enumerated().reversed() {
            writing.remove(item.newPath)
            if index >= movedCount {
                item.backup.map(writing.remove)
            } else if let backup = item.backup {
                // A rename where one has just worked. If it fails all the same, the backup is left: it is all there is.
                try? writing.replaceFile(backup, item.file.path)
            } else {
                writing.remove(item.file.path)
            }
        }
        for folder in folders where (try? files.names(folder)) == [] { writing.remove(folder) }
    }

    private func read(_ path: String) throws(WritingProblem) -> [UInt8] {
        do throws(FileProblem) { return try files.read(path, 1 << 30) } catch { throw WritingProblem(error.reason) }
    }

    /// Hidden, and nobody else's.
    private static func path(beside path: String, ending: String) -> String {
        let name = path.split(separator: "/").last ?? "file"
        let mark = String(UInt32.random(in: .min ... .max), radix: 16)
        return FilePath.join(FilePath.parent(path), ".\(name).\(mark).\(ending)")
    }
}
