import ReqcliBasics
package import ReqcliDefinitions

/// A file system in memory that records which files are read and which folders are listed.
package final class MemoryFiles: Sendable {
    package enum Content: Sendable, Equatable {
        case bytes([UInt8])
        case folder
        case link(to: String)
        /// A file or folder that cannot be read.
        case problem(FileProblem.Kind)

        package static func text(_ text: String) -> Content { .bytes(Array(text.utf8)) }
    }

    /// The error of writing to a full disk.
    package struct DiskFull: Error {}

    fileprivate struct State {
        /// The files and folders by absolute path.
        var contents: [String: Content] = ["/": .folder]
        /// The names in each folder.
        var namesByFolder: [String: Set<String>] = [:]
        var readFiles: [String] = []
        var listedFolders: [String] = []
        var writesLeft = Int.max
    }

    private let state = Mutex(State())
    private let currentFolder: String

    /// - Parameters:
    ///   - contents: The files, folders and links by absolute path. The folders above them are added, too.
    ///   - currentFolder: The folder to which relative paths are relative.
    package init(_ contents: [String: Content] = [:], currentFolder: String = "/") {
        self.currentFolder = currentFolder
        state.withLock { state in
            for (path, content) in contents { state.add(content, at: path) }
        }
    }

    /// A file system with these text files below a root.
    package convenience init(root: String = "/work", _ texts: [String: String]) {
        let entries = texts.map { (FilePath.join(root, $0.key), Content.text($0.value)) }
        self.init(Dictionary(uniqueKeysWithValues: entries))
    }

    /// The files that were read to the end, in order; a file whose reading failed is not included.
    package var readFiles: [String] { state.withLock(\.readFiles) }
    package var listedFolders: [String] { state.withLock(\.listedFolders) }

    /// The paths of all files and folders, sorted.
    package var paths: [String] { state.withLock { $0.contents.keys.sorted() } }

    /// The text of each file, by path.
    package var texts: [String: String] {
        state.withLock { state in
            state.contents.compactMapValues {
                if case .bytes(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
            }
        }
    }

    package var fileSystem: FileSystem {
        FileSystem(
            read: { [self] path, limit throws(FileProblem) in
                try state.withLock { state throws(FileProblem) in try state.read(absolute(path), limit) }
            },
            kind: { [self] path in state.withLock { $0.kind(absolute(path)) } },
            names: { [self] path throws(FileProblem) in
                try state.withLock { state throws(FileProblem) in try state.names(absolute(path)) }
            },
            resolve: { [self] path in
                state.withLock { state in
                    let resolved = state.resolved(absolute(path))
                    return state.kind(resolved) == nil ? nil : resolved
                }
            })
    }

    private func absolute(_ path: String) -> String { FilePath.tidy(FilePath.join(currentFolder, path)) }
}

// MARK: - Writing

extension MemoryFiles {
    /// Makes the disk full after this many more writes.
    package func fill(after count: Int) { state.withLock { $0.writesLeft = count } }

    /// Adds or replaces a file or folder.
    package func write(_ content: Content, at path: String) throws(DiskFull) {
        try change { $0.add(content, at: path) }
    }

    /// Moves a folder with everything in it.
    package func move(_ path: String, to newPath: String) throws(DiskFull) {
        try change { state in
            let moved = state.remove(path)
            for (name, content) in moved { state.add(content, at: newPath + name.dropFirst(path.count)) }
        }
    }

    /// Removes a file, or a folder with everything in it. This also works on a full disk.
    package func remove(_ path: String) { state.withLock { _ = $0.remove(path) } }

    private func change(_ change: (inout State) -> Void) throws(DiskFull) {
        let isFull = state.withLock { state in
            state.writesLeft -= 1
            if state.writesLeft >= 0 { change(&state) }
            return state.writesLeft < 0
        }
        if isFull { throw DiskFull() }
    }
}

// MARK: - Reading

extension MemoryFiles.State {
    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    fileprivate mutating func add(_ content: MemoryFiles.Content, at path: String) {
        contents[path] = content
        let parent = FilePath.parent(path)
        guard path != "/", namesByFolder[parent, default: []].insert(Self.name(path)).inserted else { return }
        if contents[parent] == nil { add(.folder, at: parent) }
    }

    fileprivate mutating func remove(_ path: String) -> [String: MemoryFiles.Content] {
        let removed = contents.filter { $0.key == path || $0.key.hasPrefix(path + "/") }
        for name in removed.keys {
            contents[name] = nil
            namesByFolder[name] = nil
        }
        namesByFolder[FilePath.parent(path)]?.remove(Self.name(path))
        return removed
    }

    fileprivate mutating func read(_ path: String, _ limit: Int) throws(FileProblem) -> [UInt8] {
        switch contents[resolved(path)] {
        case .bytes(let bytes):
            if bytes.count > limit { throw FileProblem(.tooLarge(limit: limit)) }
            readFiles.append(path)
            return bytes
        case .folder: throw FileProblem(.isDirectory)
        case .problem(let kind): throw FileProblem(kind)
        case .link, nil:
            if case .link? = contents[path] { throw FileProblem(.brokenLink) }
            throw FileProblem(.missing)
        }
    }

    fileprivate func kind(_ path: String) -> FileSystem.Kind? {
        switch contents[resolved(path)] {
        case .bytes: .file
        case .folder, .problem(.isDirectory): .directory
        case .problem(.notRegular): .other
        case .problem(.missing), .problem(.brokenLink), .link, nil: nil
        case .problem: .file
        }
    }

    fileprivate mutating func names(_ path: String) throws(FileProblem) -> [String] {
        let path = resolved(path)
        switch contents[path] {
        case .folder:
            listedFolders.append(path)
            return namesByFolder[path, default: []].sorted()
        case .problem(let kind): throw FileProblem(kind)
        case .bytes: throw FileProblem(.notDirectory)
        case .link, nil: throw FileProblem(.missing)
        }
    }

    /// Follows links, part by part. A cycle of links leads to a path that does not exist.
    fileprivate func resolved(_ path: String, depth: Int = 0) -> String {
        guard depth < 16 else { return "/dev/null/nowhere" }
        var done = ""
        var rest = path.split(separator: "/")[...]
        while let part = rest.popFirst() {
            done += "/" + part
            if case .link(let target)? = contents[done] {
                let absolute = FilePath.tidy(FilePath.join(FilePath.parent(done), target))
                return resolved(([absolute] + rest.map(String.init)).joined(separator: "/"), depth: depth + 1)
            }
        }
        return done.isEmpty ? "/" : done
    }
}
