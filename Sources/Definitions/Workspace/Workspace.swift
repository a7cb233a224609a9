package import SourceText

/// A folder of definitions. It reads what is asked of it and nothing else.
package final class Workspace: Sendable {
    package static let largestFile = 16 << 20
    package static let settingsFile = "reqcli.json"
    /// In its root: where what it defines lies.
    package static let definitionFolders = ["endpoints", "environments", "stubs"]

    /// Absolute.
    package let root: String
    /// The folder from which messages show paths.
    package let currentFolder: String
    package let files: FileSystem

    package init(root: String, currentFolder: String, files: FileSystem) {
        self.root = root
        self.currentFolder = currentFolder
        self.files = files
    }

    package func path(_ inside: String) -> String { FilePath.join(root, inside) }

    /// A path inside the workspace as messages show it.
    package func shown(_ inside: String) -> String { FilePath.shown(path(inside), from: currentFolder) }
}

// MARK: - Finding it

/// There is no workspace where one was looked for.
package struct WorkspaceNotFound: Error, Equatable {
    package let message: String
    package let hint: String
}

extension Workspace {
    /// The folder that was named, else the nearest one upwards that holds `endpoints/`.
    package static func locate(
        named name: String?, from folder: String, files: FileSystem
    ) throws(WorkspaceNotFound) -> Workspace {
        if let name {
            let root = FilePath.tidy(FilePath.join(folder, name))
            if files.kind(FilePath.join(root, "endpoints")) == .directory {
                return Workspace(root: root, currentFolder: folder, files: files)
            }
            guard files.kind(root) == .directory else {
                throw WorkspaceNotFound(
                    message: files.kind(root) == nil ? "there is no folder \"\(name)\"" : "\"\(name)\" is not a folder",
                    hint: "name the folder that holds \"endpoints\"")
            }
            throw WorkspaceNotFound(
                message: "\"\(name)\" holds no folder \"endpoints\"",
                hint: "run \"reqcli init\" in it to make a workspace")
        }
        var root = FilePath.tidy(folder)
        while true {
            if files.kind(FilePath.join(root, "endpoints")) == .directory {
                return Workspace(root: root, currentFolder: folder, files: files)
            }
            if root == "/" || root == "." { break }
            root = FilePath.parent(root)
        }
        throw WorkspaceNotFound(
            message: "no folder \"endpoints\" in \(folder) or above it",
            hint: "run \"reqcli init\" to make a workspace here, or name one with --workspace DIR")
    }
}

/// A result with the problems that were met on the way to it.
package struct Listed<Value: Sendable>: Sendable {
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
            code: .fileUnreadable, "the \(role) can't be read: \(problem.reason)", at: nil, fileName: shown(inside))
    }
}
