package import ReqcliDefinitions
package import ReqcliText

/// The files of an import with their new content. For existing files, the content before the import is also included.
package struct ImportMerge: Sendable {
    package struct File: Sendable, Equatable {
        /// The path in the workspace.
        package let path: String
        /// The content before the import; nil for a new file.
        package let before: [UInt8]?
        package let after: [UInt8]

        package init(path: String, before: [UInt8]?, after: [UInt8]) {
            self.path = path
            self.before = before
            self.after = after
        }

        package var isChange: Bool { before != after }
    }

    /// The files in the order in which they are written. Files that endpoints refer to come first, so that an interrupted import
    /// leaves no broken reference.
    package private(set) var files: [File] = []
    /// Problems about names that the workspace already uses.
    package private(set) var taken: [Diagnostic] = []
    package private(set) var notes: [ConversionNote] = []

    private let workspace: Workspace
    private let mayReplace: Bool

    /// Merges an import into the files of a workspace.
    ///
    /// - Parameter mayReplace: Whether an endpoint or a file with the same name is replaced.
    package init(_ imported: ImportedWorkspace, into workspace: Workspace, replacing mayReplace: Bool)
        throws(ImportProblem)
    {
        self.workspace = workspace
        self.mayReplace = mayReplace
        for file in imported.files { add(file) }
        do throws(EditProblem) {
            for environment in imported.environments { try add(environment) }
            for group in imported.groups {
                let defaults = ExistingDefaults(try workspace.group(group.id), imported)
                try add(defaults?.covering(group) ?? group)
            }
            for single in imported.singles {
                let group = single.id.split(separator: ".").dropLast().joined(separator: ".")
                let defaults = ExistingDefaults(try workspace.group(group), imported)
                try add(single.id, defaults?.covering(single.definition) ?? single.definition)
            }
        } catch {
            throw ImportProblem(error.reason, at: error.place, hint: error.hint, isUsage: true)
        }
    }

    private mutating func add(_ file: ImportedFile) {
        let before = try? workspace.files.read(workspace.path(file.path), Workspace.largestFile)
        if let before, before != file.bytes, !mayReplace { refuse(file.path) }
        append(File(path: file.path, before: before, after: file.bytes))
    }

    private mutating func add(_ environment: ImportedWorkspace.WrittenEnvironment) throws(EditProblem) {
        let addition = try workspace.addition(of: environment.members, toEnvironment: environment.name)
        for member in addition.different {
            notes.append(
                ConversionNote(
                    .lost, "the environment \(environment.name) keeps its own value", member.name, at: member.place))
        }
        append(File(path: addition.path, before: before(addition.path, addition.isThere), after: addition.bytes))
    }

    private mutating func add(_ group: ImportedGroup) throws(EditProblem) {
        let (addition, taken) = try workspace.addition(
            of: group.endpoints, to: group.id, description: group.description, defaults: group.defaults,
            replacing: mayReplace)
        refuse(taken)
        append(File(path: addition.path, before: before(addition.path, addition.isThere), after: addition.bytes))
    }

    private mutating func add(_ id: String, _ definition: OrderedJSON) throws(EditProblem) {
        do throws(EditProblem) {
            let addition = try workspace.addition(of: id, definition, replacing: mayReplace)
            append(File(path: addition.path, before: before(addition.path, addition.isThere), after: addition.bytes))
        } catch {
            if error.place == nil { throw error }
            refuse([error])
        }
    }

    private func before(_ path: String, _ isThere: Bool) -> [UInt8]? {
        isThere ? try? workspace.files.read(workspace.path(path), Workspace.largestFile) : nil
    }

    private mutating func append(_ file: File) {
        if file.isChange { files.append(file) }
    }

    private mutating func refuse(_ problems: [EditProblem]) {
        taken += problems.map { Diagnostic(code: .importTaken, $0.reason, at: $0.place, hint: $0.hint) }
    }

    private mutating func refuse(_ path: String) {
        taken.append(
            Diagnostic(
                code: .importTaken, "\(workspace.shown(path)) already exists with other content", at: nil,
                fileName: workspace.shown(path), hint: "pass --force to replace it"))
    }
}

extension Diagnostic.Code {
    /// The workspace already has a name that the import needs.
    package static let importTaken: Self = "import.taken"
}
