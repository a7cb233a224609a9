import ReqcliBasics
import ReqcliJSONSchema
package import ReqcliText

/// A folder of definitions. Files are read only when they are needed.
package final class Workspace: Sendable {
    /// Decides whether a workspace may read a file outside its root.
    package typealias Permits =
        @Sendable (_ root: String, _ written: String, _ real: String) -> TrustPermission

    package static let largestFile = 16 << 20
    package static let settingsFile = "reqcli.json"
    /// The environment that is used by default.
    package static let standardEnvironment = "development"
    package static let scenarioFolder = "scenarios"
    package static let loadFolder = "loads"
    /// The folders in the workspace's root that hold definitions.
    package static let definitionFolders = [
        "endpoints", "environments", scenarioFolder, loadFolder, "stubs", SchemaStore.folder, SnapshotName.folder,
    ]

    /// The absolute path of the root folder.
    package let root: String
    /// The folder to which paths in messages are relative.
    package let currentFolder: String
    /// The files below the root, and other files to which the user has agreed: see `WorkspaceDoor`.
    package let files: FileSystem
    /// The environment in which the endpoints are used; nil if they are only read.
    package let environment: EnvironmentChain?
    /// The settings in `reqcli.json`; nil before the file is read.
    let knownSettings = Mutex<Diagnosed<Settings>?>(nil)
    /// The schemas below `schemas/`; nil before the first schema is needed.
    private let knownSchemas = Mutex<SchemaStore?>(nil)

    package init(
        root: String, currentFolder: String, files: FileSystem,
        permits: @escaping Permits = { _, _, _ in .unasked }
    ) {
        self.root = root
        self.currentFolder = currentFolder
        self.files = files.root == root ? files : WorkspaceDoor(to: root, of: files, permits: permits).fileSystem
        environment = nil
    }

    /// A copy of the workspace whose endpoints inherit the `needs` and `expect` of an environment.
    package func inside(_ environment: EnvironmentChain) -> Workspace {
        // Most environments say nothing about endpoints, and then what has been read stays known.
        environment.saysNothingOfEndpoints && self.environment == nil ? self : Workspace(self, in: environment)
    }

    private init(_ workspace: Workspace, in environment: EnvironmentChain) {
        root = workspace.root
        currentFolder = workspace.currentFolder
        files = workspace.files
        self.environment = environment
    }

    package var schemas: SchemaStore {
        let assertsFormats = loadSettings().value.assertsFormats
        return knownSchemas.withLock { known in
            let store =
                known
                ?? SchemaStore(
                    SchemaFolder(of: self), assertsFormats: assertsFormats, loading: { self.loadDescription(at: $0) })
            known = store
            return store
        }
    }

    package func path(_ inside: String) -> String { FilePath.join(root, inside) }

    /// A path inside the workspace as shown in messages.
    package func shown(_ inside: String) -> String { FilePath.shown(path(inside), from: currentFolder) }
}

// MARK: - Finding the workspace

extension Workspace {
    /// Finds the workspace: the given folder, or else the nearest folder upwards that contains `endpoints/`.
    package static func locate(
        named name: String?, from folder: String, files: FileSystem,
        permits: @escaping Permits = { _, _, _ in .unasked }
    ) throws(NotFound) -> Workspace {
        func holdsEndpoints(_ root: String) -> Bool {
            files.kind(FilePath.join(root, "endpoints")) == .directory
        }
        func opened(_ root: String) -> Workspace {
            Workspace(root: root, currentFolder: folder, files: files, permits: permits)
        }
        if let name {
            let root = FilePath.tidy(FilePath.join(folder, name))
            if holdsEndpoints(root) { return opened(root) }
            guard files.kind(root) == .directory else {
                throw NotFound(
                    message: files.kind(root) == nil ? "there is no folder \"\(name)\"" : "\"\(name)\" is not a folder",
                    hint: "name the folder that contains \"endpoints\"")
            }
            throw NotFound(
                message: "\"\(name)\" has no folder \"endpoints\"",
                hint: "run \"reqcli init\" in this folder to make a workspace")
        }
        var root = FilePath.tidy(folder)
        while true {
            if holdsEndpoints(root) { return opened(root) }
            if root == "/" || root == "." { break }
            root = FilePath.parent(root)
        }
        throw NotFound(
            message: "no folder \"endpoints\" in \(folder) or above it",
            hint: "run \"reqcli init\" to make a workspace here, or name one with --workspace DIR")
    }
}

/// A result, together with the problems that were found on the way.
package struct Diagnosed<Value: Sendable>: Sendable {
    package var value: Value
    package var diagnostics: [Diagnostic]

    package init(_ value: Value, _ diagnostics: [Diagnostic] = []) {
        self.value = value
        self.diagnostics = diagnostics
    }
}

extension Diagnostic.Code {
    package static let fileUnreadable: Self = "file.unreadable"
    package static let idClash: Self = "id.clash"
}

extension Workspace {
    func unreadable(_ inside: String, _ problem: FileProblem, as role: String = "file") -> Diagnostic {
        Diagnostic(
            code: .fileUnreadable, "cannot read the \(role): \(problem.reason)", at: nil, fileName: shown(inside))
    }
}
