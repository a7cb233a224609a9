package import Definitions
import Synchronization

/// A file system in memory, which notes what is read: the folders are those that the files' paths name.
package final class MemoryFiles: Sendable {
    package enum Content: Sendable {
        case bytes([UInt8])
        case link(to: String)
        /// Something that can't be read.
        case problem(FileProblem.Kind)
    }

    private let contents: [String: Content]
    private let folders: [String: Set<String>]
    private let noted = Mutex<(read: [String], listed: [String])>(([], []))

    /// - Parameter contents: What there is by absolute path. A path that ends with a slash is an empty folder.
    package init(_ contents: [String: Content]) {
        var folders: [String: Set<String>] = ["/": []]
        for path in contents.keys {
            var path = path.hasSuffix("/") ? String(path.dropLast()) : path
            while path != "/" {
                let parent = FilePath.parent(path)
                folders[parent, default: []].insert(String(path.dropFirst(parent == "/" ? 1 : parent.count + 1)))
                path = parent
            }
        }
        for path in contents.keys where path.hasSuffix("/") {
            folders[String(path.dropLast()), default: []].formUnion([])
        }
        self.contents = contents.filter { !$0.key.hasSuffix("/") }
        self.folders = folders
    }

    /// Texts below a root.
    package convenience init(root: String = "/work", _ texts: [String: String]) {
        let entries = texts.map { (FilePath.join(root, $0.key), Content.bytes(Array($0.value.utf8))) }
        self.init(Dictionary(uniqueKeysWithValues: entries))
    }

    /// The files that were read to the end, in that order.
    package var readFiles: [String] { noted.withLock(\.read) }
    package var listedFolders: [String] { noted.withLock(\.listed) }

    package var fileSystem: FileSystem {
        FileSystem(
            read: { [self] path, limit throws(FileProblem) in try read(path, limit) },
            kind: { [self] path in kind(path) },
            names: { [self] path throws(FileProblem) in try names(path) },
            resolve: { [self] path in
                let resolved = resolved(path)
                return kind(resolved) == nil ? nil : resolved
            })
    }

    private func read(_ path: String, _ limit: Int) throws(FileProblem) -> [UInt8] {
        switch contents[resolved(path)] {
        case .bytes(let bytes):
            if bytes.count > limit { throw FileProblem(.tooLarge(limit: limit)) }
            noted.withLock { $0.read.append(path) }
            return bytes
        case .problem(let kind): throw FileProblem(kind)
        case .link, nil:
            if folders[resolved(path)] != nil { throw FileProblem(.isDirectory) }
            if case .link? = contents[path] { throw FileProblem(.brokenLink) }
            throw FileProblem(.missing)
        }
    }

    private func kind(_ path: String) -> FileSystem.Kind? {
        let path = resolved(path)
        switch contents[path] {
        case .bytes: return .file
        case .problem(.missing), .problem(.brokenLink): return nil
        case .problem(.isDirectory): return .directory
        case .problem(.notRegular): return .other
        case .problem: return .file
        case .link: return nil
        case nil: return folders[path] == nil ? nil : .directory
        }
    }

    private func names(_ path: String) throws(FileProblem) -> [String] {
        let path = resolved(path)
        if case .problem(let kind)? = contents[path] { throw FileProblem(kind) }
        guard let names = folders[path] else {
            throw FileProblem(contents[path] == nil ? .missing : .notDirectory)
        }
        noted.withLock { $0.listed.append(path) }
        return names.sorted()
    }

    /// Links followed, part by part; a link in a circle leads nowhere.
    private func resolved(_ path: String, depth: Int = 0) -> String {
        guard depth < 16 else { return "/dev/null/nowhere" }
        var done = ""
        var rest = FilePath.tidy(path).split(separator: "/")[...]
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
