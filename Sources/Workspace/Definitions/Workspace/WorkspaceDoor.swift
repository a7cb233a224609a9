import ReqcliBasics

/// Whether the user has agreed to an action that a workspace requests.
package enum TrustPermission: Sendable, Equatable {
    case granted
    /// The user was not asked, because there was no terminal.
    case unasked
    case refused
}

/// A check on the files that a workspace reads. Every file that the definitions name is read through this check.
///
/// A file may be read if it is below the root after all links are followed, or if the user has agreed to reading it. The check is
/// made on the opened file, so that changing a link in the meantime has no effect.
final class WorkspaceDoor: Sendable {
    private let root: String
    private let files: FileSystem
    private let permits: Workspace.Permits
    /// The real path of the root, and the user's decision about each real path outside it.
    private let state = Mutex(State())

    private struct State {
        /// The real path of the root; nil until a file is read.
        var root: String?
        var permissions: [String: TrustPermission] = [:]

        func admits(_ real: String) -> Bool {
            if let root, FilePath.isInside(real, root) { return true }
            return permissions.contains { $0.value == .granted && FilePath.isInside(real, $0.key) }
        }
    }

    init(to root: String, of files: FileSystem, permits: @escaping Workspace.Permits) {
        self.root = root
        self.files = files
        self.permits = permits
    }

    /// The file system, limited to the files that may be read.
    var fileSystem: FileSystem {
        var behind = files
        behind.read = { [self, files] path, limit throws(FileProblem) in
            try files.readUnless(path, limit) { self.objection(to: path, leadingTo: $0) }
        }
        behind.names = { [self, files] folder throws(FileProblem) in
            let problem = files.resolve(folder).flatMap { self.objection(to: folder, leadingTo: $0) }
            if let problem { throw problem }
            return try files.names(folder)
        }
        behind.root = root
        return behind
    }

    /// The reason why a file may not be read; nil if the file may be read. Runs under the lock, so that two threads don't ask the
    /// user at the same time.
    private func objection(to path: String, leadingTo real: String) -> FileProblem? {
        state.withLock { state in
            if state.root == nil { state.root = files.resolve(root) ?? root }
            if state.admits(real) { return nil }
            // The user agrees to the point at which the path leaves the workspace. If this point is a linked folder, the
            // agreement covers everything in the folder.
            for part in parts(of: path) {
                guard let target = files.resolve(part), !state.admits(target) else { continue }
                let permission = state.permissions[target] ?? permits(root, written(part), target)
                state.permissions[target] = permission
                if permission != .granted { return FileProblem(.outside(target, permission)) }
            }
            return state.admits(real) ? nil : FileProblem(.replaced)
        }
    }

    /// The path as it is written in the workspace.
    private func written(_ path: String) -> String {
        path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
    }

    /// The path's folders below the root, the outermost first, and the path itself. A path with `..`, or a path that starts
    /// outside the root, is returned as a whole.
    private func parts(of path: String) -> [String] {
        let names = written(path).split(separator: "/")
        guard path.hasPrefix(root + "/"), !names.contains("..") else { return [path] }
        return names.indices.map { FilePath.join(root, names[...$0].joined(separator: "/")) }
    }
}
