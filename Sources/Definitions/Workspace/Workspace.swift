package import SourceText

/// A folder of definitions. It reads what is asked of it and nothing else.
package struct Workspace: Sendable {
    package static let largestFile = 16 << 20

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
            switch files.kind(FilePath.join(root, "endpoints")) {
            case .directory: return Workspace(root: root, currentFolder: folder, files: files)
            default:
                throw WorkspaceNotFound(
                    message: files.kind(root) == nil
                        ? "there is no folder \"\(name)\"" : "\"\(name)\" holds no folder \"endpoints\"",
                    hint: "run \"reqcli init\" in it to make a workspace")
            }
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

// MARK: - What is there

extension Workspace {
    /// A file of definitions by its place in the workspace.
    package struct Entry: Sendable, Hashable {
        /// The file's path below `endpoints/` (or `environments/`) with dots.
        package let id: String
        /// Seen from the root.
        package let path: String

        package var syntax: JSONSyntax { path.hasSuffix(".jsonc") ? .commented : .strict }
    }

    private static let suffixes = [".json", ".jsonc"]

    /// Every endpoint file, in the order of their paths, and the files that can't be one.
    package func endpointEntries() -> Listed<[Entry]> { entries(below: "endpoints") }

    package func environmentEntries() -> Listed<[Entry]> {
        files.kind(path("environments")) == nil ? Listed([]) : entries(below: "environments", recursive: false)
    }

    private func entries(below folder: String, recursive: Bool = true) -> Listed<[Entry]> {
        var found: [Entry] = []
        var problems: [Diagnostic] = []
        func visit(_ folder: String, id: [String]) {
            let names: [String]
            do throws(FileProblem) {
                names = try files.names(path(folder))
            } catch {
                problems.append(unreadable(folder, error))
                return
            }
            for name in names where !name.hasPrefix(".") {
                let inside = "\(folder)/\(name)"
                guard let stem = Self.stem(name) else {
                    if recursive, files.kind(path(inside)) == .directory { visit(inside, id: id + [name]) }
                    continue
                }
                let parts = id + [stem]
                if let bad = parts.first(where: { !Name.isValid($0) }) {
                    problems.append(
                        Diagnostic(
                            code: .nameInvalid, "\"\(bad)\" can't be a part of an id", at: nil, fileName: shown(inside),
                            hint: "rename it: \(Name.advice)"))
                } else {
                    found.append(Entry(id: parts.joined(separator: "."), path: inside))
                }
            }
        }
        visit(folder, id: [])
        return Listed(found, problems)
    }

    private static func stem(_ name: String) -> String? {
        suffixes.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
    }

    /// The files that could define an id, without reading one: `a/b/c.json` alone, or `c` in the group `a/b.json`.
    package func entries(thatMayDefine id: String) -> [Entry] {
        guard Name.isValidID(id) else { return [] }
        let parts = id.split(separator: ".").map(String.init)
        let stems = parts.count > 1 ? [parts, Array(parts.dropLast())] : [parts]
        return stems.flatMap { stem in
            Self.suffixes.map {
                Entry(id: stem.joined(separator: "."), path: "endpoints/\(stem.joined(separator: "/"))\($0)")
            }
        }.filter { files.kind(path($0.path)) != nil || isBrokenLink($0.path) }
    }

    /// A broken link is something: it should be told about, not passed over as if the endpoint didn't exist.
    private func isBrokenLink(_ inside: String) -> Bool {
        let folder = FilePath.parent(inside)
        guard files.kind(path(inside)) == nil, files.kind(path(folder)) == .directory else { return false }
        let name = String(inside.dropFirst(folder.count + 1))
        return (try? files.names(path(folder)))?.contains(name) == true
    }

    package func environmentEntries(named name: String) -> [Entry] {
        guard Name.isValid(name) else { return [] }
        return Self.suffixes.map { Entry(id: name, path: "environments/\(name)\($0)") }
            .filter { files.kind(path($0.path)) != nil || isBrokenLink($0.path) }
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
    func unreadable(_ inside: String, _ problem: FileProblem) -> Diagnostic {
        Diagnostic(
            code: .fileUnreadable, "the file can't be read: \(problem.reason)", at: nil, fileName: shown(inside))
    }
}
