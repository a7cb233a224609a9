package import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText

/// The files that hold one stub variant with a recorded response: the endpoint's file, and the body below `stubs/`.
package struct VariantFiles: Sendable {
    private let workspace: Workspace
    private let endpoint: LocatedEndpoint
    private let name: String
    private let mayReplace: Bool
    private let writing: FileWriting
    private let fileSet: FileSet

    /// The paths of the written files, relative to the workspace's root.
    package struct Written: Sendable {
        package let endpointFile: String
        /// Nil for a response without a body.
        package let bodyFile: String?
    }

    /// The reason why a response can't be kept. In that case, nothing is written.
    package struct Problem: Error, Equatable {
        package let reason: Wording
        /// Whether the reason is an error of the file system.
        package var isOfFiles = false
    }

    /// The files of one variant of an endpoint.
    ///
    /// - Parameter mayReplace: Whether a variant of this name, and the file of its body, may be replaced.
    package init(
        _ workspace: Workspace, _ endpoint: LocatedEndpoint, variant name: String, mayReplace: Bool,
        _ writing: FileWriting, _ fileSet: FileSet
    ) {
        self.workspace = workspace
        self.endpoint = endpoint
        self.name = name
        self.mayReplace = mayReplace
        self.writing = writing
        self.fileSet = fileSet
    }

    /// A file below `stubs/` that has the name of this variant's body, with any of the possible extensions.
    package var existingBody: String? {
        let wanted = Set(StubFileExtension.all.map(bodyName))
        return stubFiles.first(where: wanted.contains)
    }

    private var stubFiles: [String] { (try? workspace.files.names(workspace.path("stubs"))) ?? [] }

    private func bodyName(_ fileExtension: String) -> String { "\(endpoint.id).\(name).\(fileExtension)" }

    /// Writes the variant completely or not at all. Nothing is written unless the stub of the new variant gives the same
    /// response.
    ///
    /// - Parameter condition: The variant's `when`.
    package func write(_ response: RecordedResponse, when condition: OrderedJSON? = nil) throws(Problem) -> Written {
        // The endpoint's file is read and written under one lock, because another run may be about to add a variant to the same
        // file.
        let unlock = writing.lockFolder(workspace.path("endpoints"))
        defer { unlock() }
        let file = bodyName(response.fileExtension)
        let edit = try edit(response, file, condition)
        if edit.replacesVariant, !mayReplace {
            throw Problem(reason: "\(own: endpoint.file.name) now has a variant of this name")
        }
        let replay = StubReplay(workspace: workspace, endpoint: endpoint, variant: name)
        if let fault = replay.fault(of: edit, file: file, response) { throw Problem(reason: fault) }
        let set = try files(edit, file, response, condition)
        do throws(WritingProblem) {
            // The leftovers are copies of the body that this run has made, or an earlier run that was killed.
            try fileSet.write(set) {
                stubFiles.filter { $0.hasPrefix("\(temporaryStem).") }.map { workspace.path("stubs/\($0)") }
            }
        } catch {
            throw Problem(reason: Wording(own: error.reason), isOfFiles: true)
        }
        return Written(endpointFile: edit.path, bodyFile: response.body.isEmpty ? nil : "stubs/\(file)")
    }

    private func edit(
        _ response: RecordedResponse, _ file: String, _ condition: OrderedJSON?
    ) throws(Problem) -> EndpointFileEdit {
        do throws(EditProblem) {
            return try workspace.edit(
                settingVariant: name, to: response.variant(file: file, when: condition), of: endpoint)
        } catch {
            throw Problem(reason: Wording(own: error.reason))
        }
    }

    /// The start of the name of a temporary copy of the body, used while the final file is replaced. No variant can have this
    /// name.
    private var temporaryStem: String { "\(endpoint.id).\(name)~" }

    /// The files to write, the body's file first: until the endpoint's file has its new bytes, nothing refers to the body.
    ///
    /// If the endpoint's file already refers to the body that is replaced, four files are written: a copy of the new body, an
    /// endpoint file that refers to the copy, the body itself, and the final endpoint file. A program that is killed between two
    /// of these files therefore leaves the old variant with the old body, or the new variant with the new body.
    private func files(
        _ edit: EndpointFileEdit, _ file: String, _ response: RecordedResponse, _ condition: OrderedJSON?
    ) throws(Problem) -> [FileSet.File] {
        // A link stays a link. The file that the link points to is replaced.
        let path = workspace.path(edit.path)
        let target = workspace.files.resolve(path) ?? path
        func endpointFile(_ edit: EndpointFileEdit) -> FileSet.File {
            FileSet.File(path: target, bytes: edit.after, isThere: true)
        }
        func bodyFile(_ file: String) -> FileSet.File {
            FileSet.File(path: workspace.path("stubs/\(file)"), bytes: response.body, isThere: stubFiles.contains(file))
        }
        if response.body.isEmpty { return [endpointFile(edit)] }
        let body = bodyFile(file)
        guard body.isThere else { return [body, endpointFile(edit)] }
        guard mayReplace else { throw Problem(reason: "stubs/\(own: file) was created in the meantime") }
        // Writing through a link would overwrite a file in another folder.
        guard let folder = workspace.files.resolve(workspace.path("stubs")),
            workspace.files.resolve(body.path) == FilePath.join(folder, file), workspace.files.kind(body.path) == .file
        else { throw Problem(reason: "stubs/\(own: file) is not a regular file") }
        // The endpoint's file already refers to a copy, which an earlier, killed run has left.
        if edit.replacedBody?.hasPrefix("\(temporaryStem).") == true { return [body, endpointFile(edit)] }
        let copy = "\(temporaryStem).\(response.fileExtension)"
        return [bodyFile(copy), endpointFile(try self.edit(response, copy, condition)), body, endpointFile(edit)]
    }
}
