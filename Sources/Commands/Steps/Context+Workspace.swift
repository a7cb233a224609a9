package import CommandLineKit
package import Definitions
package import SourceText

/// The workspace that the command line names; nil for the nearest one.
package struct WorkspaceChoice: Sendable {
    let flag: String?

    package init(_ arguments: ParsedArguments) {
        flag = arguments[GlobalOptions.workspace]
    }
}

extension Context {
    /// The workspace that `--workspace` names, else `REQCLI_WORKSPACE`, else the nearest one upwards.
    package func open(_ choice: WorkspaceChoice) throws(Failure) -> Workspace {
        let folder = try startFolder()
        let variable = choice.flag == nil ? setVariable("REQCLI_WORKSPACE") : nil
        let workspace: Workspace
        do throws(WorkspaceNotFound) {
            workspace = try Workspace.locate(named: choice.flag ?? variable, from: folder, files: files)
        } catch {
            let origin = variable == nil ? "" : " (from REQCLI_WORKSPACE)"
            throw Failure(.usage, code: .workspaceMissing, error.message + origin, hint: error.hint)
        }
        if choice.flag == nil, variable == nil { try requireOwn(workspace) }
        return workspace
    }

    /// Refuses a workspace that nobody named and that belongs to another user: where anybody may make folders, as in `/tmp`,
    /// anybody can put one above the current folder.
    private func requireOwn(_ workspace: Workspace) throws(Failure) {
        var own: Set<UInt32> = [userID]
        // Root works for whoever called sudo, as git has it.
        if userID == 0, let caller = self.variable("SUDO_UID").flatMap({ UInt32($0) }) { own.insert(caller) }
        let folders = [workspace.root] + Workspace.definitionFolders.map(workspace.path)
        let foreign = folders.first { folder in files.owner(folder).map { !own.contains($0) } ?? false }
        guard let foreign else { return }
        let root = ShellWord.quoted(workspace.root)
        throw Failure(
            .usage, code: .workspaceForeign,
            "the nearest workspace is not yours: \"\(foreign)\" belongs to another user",
            hint: "if you trust it, name it: --workspace \(root), or REQCLI_WORKSPACE=\(root)")
    }

    /// The folder from which relative paths are seen.
    package func startFolder() throws(Failure) -> String {
        if let folder = currentFolder() { return folder }
        throw Failure(
            .usage, code: .workspaceMissing, "the current folder doesn't exist any more",
            hint: "go to one that does, and try again")
    }

    /// A path that was typed, as seen from the current folder.
    func pathFromHere(_ path: String) throws(Failure) -> String { FilePath.join(try startFolder(), path) }
}

extension Diagnostic.Code {
    package static let workspaceMissing: Self = "workspace.missing"
    package static let workspaceForeign: Self = "workspace.foreign"
}
