import CommandLineKit
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The files of a workspace, each in its last version that had no errors.
struct LastGoodFiles {
    private var versions: [String: [UInt8]] = [:]

    /// Loads a workspace from its current files. If a file has errors, its last version without errors is used. If there is no
    /// such version, the file is left out.
    ///
    /// - Returns: The value, or nil if it can't be loaded even with earlier versions. Also the errors of all current files.
    mutating func load<Value>(
        _ workspace: Workspace, _ load: (Workspace) throws(Failure) -> Value
    ) -> (value: Value?, problems: [Diagnostic]) {
        var drafts: [String: [UInt8]] = [:]
        var hidden: Set<String> = []
        var problems: [Diagnostic] = []
        while true {
            let notes = ReadNotes()
            let files = notes.noting(workspace.files.with(drafts: drafts).hiding(hidden))
            let attempt = Workspace(root: workspace.root, currentFolder: workspace.currentFolder, files: files)
            do throws(Failure) {
                let value = try load(attempt)
                versions.merge(notes.take().filter { drafts[$0.key] == nil }) { _, new in new }
                return (value, problems)
            } catch {
                // An earlier version of the same file may have the same error again.
                problems += error.diagnostics.filter { !problems.contains($0) }
                let broken = error.diagnostics.filter { $0.severity == .error }.compactMap(\.fileName)
                    .map { FilePath.tidy(FilePath.join(workspace.currentFolder, $0)) }
                    .filter { drafts[$0] == nil && !hidden.contains($0) }
                if broken.isEmpty {
                    let read = notes.take().filter { drafts[$0.key] == nil }
                    return (goBack(in: workspace, read, drafts, hidden, load), problems)
                }
                for path in broken {
                    if let version = versions[path] { drafts[path] = version } else { hidden.insert(path) }
                }
            }
        }
    }

    /// Finds the saved file that causes an error elsewhere, for example because the file no longer has a variant that an
    /// environment chooses. Loads the workspace with the last good version of this file.
    ///
    /// - Parameter read: The files that are read in their current version.
    private mutating func goBack<Value>(
        in workspace: Workspace, _ read: [String: [UInt8]], _ drafts: [String: [UInt8]], _ hidden: Set<String>,
        _ load: (Workspace) throws(Failure) -> Value
    ) -> Value? {
        for path in read.keys.sorted() {
            guard let version = versions[path], version != read[path] else { continue }
            let files = workspace.files.with(drafts: drafts.merging([path: version]) { $1 }).hiding(hidden)
            let attempt = Workspace(root: workspace.root, currentFolder: workspace.currentFolder, files: files)
            guard let value = try? load(attempt) else { continue }
            versions.merge(read.filter { $0.key != path }) { $1 }
            return value
        }
        return nil
    }
}

/// The content of definition files that are read while a workspace is loaded.
private final class ReadNotes: Sendable {
    /// The content of the files by path. Nil once loading is done: stub bodies are read later and must not be stored here.
    private let notes = Mutex<[String: [UInt8]]?>([:])

    func noting(_ files: FileSystem) -> FileSystem {
        var noting = files
        noting.read = { path, limit throws(FileProblem) in
            let bytes = try files.read(path, limit)
            if path.hasSuffix(".json") || path.hasSuffix(".jsonc") { self.notes.withLock { $0?[path] = bytes } }
            return bytes
        }
        return noting
    }

    func take() -> [String: [UInt8]] {
        notes.withLock { notes in
            defer { notes = nil }
            return notes ?? [:]
        }
    }
}

extension FileSystem {
    /// The file system without the hidden files: they seem not to exist.
    fileprivate func hiding(_ hidden: Set<String>) -> FileSystem {
        let base = self
        var hiding = base
        hiding.read = { path, limit throws(FileProblem) in
            if hidden.contains(path) { throw FileProblem(.missing) }
            return try base.read(path, limit)
        }
        hiding.kind = { hidden.contains($0) ? nil : base.kind($0) }
        hiding.names = { folder throws(FileProblem) in
            try base.names(folder).filter { !hidden.contains(FilePath.join(folder, $0)) }
        }
        return hiding
    }
}
