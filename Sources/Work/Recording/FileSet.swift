package import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// Writes several files in the order given, all of them or none. On any failure, every file stays unchanged.
///
/// All bytes are written to the disk under other names before the first file gets its own name. A program that is killed
/// between two renames leaves the first file without the second, so the files must be consistent after each rename. The same
/// file may occur more than once.
package final class FileSet: Sendable {
    package struct File: Sendable {
        package let path: String
        package let bytes: [UInt8]
        /// Whether the file exists already and is replaced. If false, writing fails if the file was created in the meantime.
        package let isThere: Bool
        /// Whether only the user can read it.
        package let isPrivate: Bool

        package init(path: String, bytes: [UInt8], isThere: Bool, isPrivate: Bool = false) {
            self.path = path
            self.bytes = bytes
            self.isThere = isThere
            self.isPrivate = isPrivate
        }
    }

    private let files: FileSystem
    private let writing: FileWriting
    /// Whether the program is about to end. The lock is held while files change.
    private let isEnding = Mutex(false)

    package init(files: FileSystem, writing: FileWriting) {
        self.files = files
        self.writing = writing
    }

    /// Waits until no file is half changed. After that, no file is changed any more.
    package func settle() { isEnding.withLock { $0 = true } }

    /// Writes the files.
    ///
    /// - Parameter leftovers: The paths of files that are no longer needed after all files are written, and that are then
    ///   removed.
    package func write(_ set: [File], leftovers: () -> [String] = { [] }) throws(WritingProblem) {
        let problem = isEnding.withLock { isEnding -> WritingProblem? in
            if isEnding { return WritingProblem("the program was interrupted") }
            var attempt = Attempt(files: files, writing: writing)
            do throws(WritingProblem) {
                try attempt.make(set)
                for path in leftovers() { writing.remove(path) }
                return nil
            } catch {
                attempt.takeBack()
                return error
            }
        }
        if let problem { throw problem }
    }
}

/// The state of one attempt to write a set of files.
private struct Attempt {
    struct Item {
        let path: String
        let file: StagedFile
        /// A copy of the file that is replaced.
        var backup: StagedFile?
    }

    let files: FileSystem
    let writing: FileWriting
    var folders: [String] = []
    var items: [Item] = []
    var finishedCount = 0

    mutating func make(_ set: [FileSet.File]) throws(WritingProblem) {
        for file in set { try stage(file) }
        for item in items {
            try item.file.finish()
            finishedCount += 1
        }
        for item in items { item.backup?.discard() }
    }

    private mutating func stage(_ file: FileSet.File) throws(WritingProblem) {
        let folder = FilePath.parent(file.path)
        var missing: [String] = []
        while let outer = Optional(missing.last.map(FilePath.parent) ?? folder), files.kind(outer) == nil {
            missing.append(outer)
        }
        folders += missing.reversed()
        if !missing.isEmpty { try writing.makeFolder(folder) }
        let staged = try writing.stageFile(
            file.path, file.bytes, file.isPrivate ? .privateReplacement : file.isThere ? .replacement : .new)
        items.append(Item(path: file.path, file: staged))
        guard file.isThere else { return }
        items[items.count - 1].backup = try writing.stageFile(file.path, try read(file.path), .replacement)
    }

    /// Removes unfinished files, and restores files that were already replaced, beginning with the last file.
    func takeBack() {
        for (index, item) in items.enumerated().reversed() {
            item.file.discard()
            if index >= finishedCount {
                item.backup?.discard()
            } else if let backup = item.backup {
                // Ignores errors. They are rare, because a rename in the same folder has just succeeded.
                try? backup.finish()
            } else {
                writing.remove(item.path)
            }
        }
        for folder in folders.reversed() where (try? files.names(folder)) == [] { writing.remove(folder) }
    }

    private func read(_ path: String) throws(WritingProblem) -> [UInt8] {
        do throws(FileProblem) { return try files.read(path, 1 << 30) } catch { throw WritingProblem(error.reason) }
    }
}
