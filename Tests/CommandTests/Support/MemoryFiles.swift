import Commands
import Definitions
import Synchronization

/// A file system in memory that writes down which files were read.
final class MemoryFiles: Sendable {
    enum Node: Sendable, Equatable {
        case file([UInt8])
        case folder
        /// Something whose reading fails like this.
        case problem(FileProblem.Kind)
    }

    struct State {
        var nodes: [String: Node] = [:]
        var reads: [String] = []
        var writesLeft = Int.max
    }

    private let state = Mutex(State())

    /// Files by their absolute paths; their folders come with them.
    init(_ texts: [String: String] = [:], folders: [String] = [], _ others: [String: Node] = [:]) {
        state.withLock { state in
            for (path, text) in texts { state.add(.file(Array(text.utf8)), at: path) }
            for path in folders { state.add(.folder, at: path) }
            for (path, node) in others { state.add(node, at: path) }
        }
    }

    /// The files that were read, in order; looking for one that isn't there doesn't count.
    var reads: [String] { state.withLock { $0.reads } }

    /// Every file, by its path.
    var texts: [String: String] {
        state.withLock { state in
            state.nodes.compactMapValues {
                if case .file(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
            }
        }
    }

    var paths: [String] { state.withLock { $0.nodes.keys.sorted() } }

    /// After so many more writes the disk is full.
    func fill(after count: Int) { state.withLock { $0.writesLeft = count } }

    var system: FileSystem {
        FileSystem(
            read: { [self] path, limit throws(FileProblem) in
                let node = state.withLock { state in
                    if state.nodes[path] != nil { state.reads.append(path) }
                    return state.nodes[path]
                }
                switch node {
                case .file(let bytes) where bytes.count > limit: throw FileProblem(.tooLarge(limit: limit))
                case .file(let bytes): return bytes
                case .folder: throw FileProblem(.isDirectory)
                case .problem(let kind): throw FileProblem(kind)
                case nil: throw FileProblem(.missing)
                }
            },
            kind: { [self] path in
                switch state.withLock({ $0.nodes[path] }) {
                case .file: .file
                case .folder: .directory
                case .problem(.isDirectory): .directory
                case .problem(.brokenLink), nil: nil
                case .problem: .file
                }
            },
            names: { [self] path throws(FileProblem) in
                let names = state.withLock { $0.names(in: path) }
                guard let names else { throw FileProblem(.missing) }
                return names
            },
            resolve: { [self] path in state.withLock { $0.nodes[path] } == nil ? nil : path })
    }

    var writing: FileWriting {
        FileWriting(
            makeFolder: { [self] path throws(WritingProblem) in try write { $0.add(.folder, at: path) } },
            makeFile: { [self] path, bytes throws(WritingProblem) in
                let isTaken = state.withLock { $0.nodes[path] != nil }
                if isTaken { throw WritingProblem("file exists") }
                try write { $0.add(.file(bytes), at: path) }
            },
            moveFolder: { [self] path, newPath throws(WritingProblem) in
                let isTaken = state.withLock { $0.nodes[newPath] != nil }
                if isTaken { throw WritingProblem("directory not empty") }
                try write { state in
                    for (name, node) in state.nodes where name == path || name.hasPrefix(path + "/") {
                        state.nodes[name] = nil
                        state.nodes[newPath + name.dropFirst(path.count)] = node
                    }
                }
            },
            remove: { [self] path in
                state.withLock { state in
                    state.nodes = state.nodes.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
                }
            })
    }

    private func write(_ change: (inout State) -> Void) throws(WritingProblem) {
        let isFull = state.withLock { state in
            state.writesLeft -= 1
            if state.writesLeft < 0 { return true }
            change(&state)
            return false
        }
        if isFull { throw WritingProblem("no space left on device") }
    }
}

extension MemoryFiles.State {
    fileprivate mutating func add(_ node: MemoryFiles.Node, at path: String) {
        nodes[path] = node
        var parent = FilePath.parent(path)
        while nodes[parent] == nil {
            nodes[parent] = .folder
            parent = FilePath.parent(parent)
        }
    }

    fileprivate func names(in folder: String) -> [String]? {
        guard nodes[folder] == .folder else { return nil }
        return nodes.keys.filter { FilePath.parent($0) == folder && $0 != folder }
            .map { String($0.split(separator: "/").last ?? "") }.sorted()
    }
}
