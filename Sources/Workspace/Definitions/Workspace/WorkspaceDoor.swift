import ReqcliBasics

/// Whether somebody has agreed to what a workspace asks for.
package enum TrustPermission: Sendable, Equatable {
    case granted
    /// There was no terminal to ask at.
    case unasked
    case refused
}

/// The door to the files of a workspace: all that its files name is read through it.
///
/// A file passes if it is below the root once all links are followed, or if somebody has agreed to it. The file that is
/// checked is the one that was opened, so that a link that changes meanwhile leads nowhere else.
final class WorkspaceDoor: Sendable {
    private let root: String
    private let files: FileSystem
    private let permits: Workspace.Permits
    /// The real path of the root, and what was said about each real path outside it.
    private let state = Mutex(State())

    private struct State {
        /// Nil until a file is read.
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

    /// The same files, as far as they may be read.
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

    /// Under the lock, so that two threads don't ask at the same time.
    private func objection(to path: String, leadingTo real: String) -> FileProblem? {
        state.withLock { state in
            if state.root == nil { state.root = files.resolve(root) ?? root }
            if state.admits(real) { return nil }
            // An agreement is about the point at which the path leaves: for a linked folder, about all that is in it.
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

    /// The path's folders below the root, the outermost first, and the path itself. A path that goes up, or that starts
    /// outside, leaves as a whole.
    private func parts(of path: String) -> [String] {
        let names = written(path).split(separator: "/")
        guard path.hasPrefix(root + "/"), !names.contains("..") else { return [path] }
        return names.indices.map { FilePath.join(root, names[...$0].joined(separator: "/")) }
    }
}
