import Definitions
import Synchronization

/// Files that exist only in a test, by absolute path; folders are what the paths imply.
struct MemoryFiles: Sendable {
    let contents: [String: [UInt8]]
    /// What relative paths are seen from.
    let folder: String
    /// Where links lead, by their absolute paths.
    let links: [String: String]
    let log = ReadLog()

    init(_ contents: [String: [UInt8]], folder: String = "/w", links: [String: String] = [:]) {
        self.links = links
        self.contents = contents
        self.folder = folder
    }

    var system: FileSystem {
        FileSystem(
            read: { path, _ throws(FileProblem) in
                let path = absolute(path)
                guard let bytes = contents[path] else {
                    throw FileProblem(isFolder(path) ? .isDirectory : .missing)
                }
                log.add(path)
                return bytes
            },
            kind: { path in
                let path = absolute(path)
                return contents[path] != nil ? .file : isFolder(path) ? .directory : nil
            },
            names: { folder throws(FileProblem) in
                let folder = absolute(folder)
                guard isFolder(folder) else { throw FileProblem(.missing) }
                let inside = contents.keys.filter { $0.hasPrefix(folder + "/") }
                return Set(inside.compactMap { $0.dropFirst(folder.count + 1).split(separator: "/").first })
                    .map(String.init).sorted()
            },
            resolve: { path in
                let path = absolute(path)
                return contents[path] != nil || isFolder(path) ? path : nil
            })
    }

    private func absolute(_ path: String) -> String {
        let path = FilePath.tidy(FilePath.join(folder, path))
        return links[path] ?? path
    }

    private func isFolder(_ path: String) -> Bool { contents.keys.contains { $0.hasPrefix(path + "/") } }
}

/// The files that were read, in order.
final class ReadLog: Sendable {
    private let paths = Mutex<[String]>([])

    var all: [String] { paths.withLock { $0 } }

    func add(_ path: String) { paths.withLock { $0.append(path) } }
}
