package import CommandLineKit
package import Definitions
package import SourceText

/// Which workspace the command line names; nil for the nearest one.
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
        do throws(WorkspaceNotFound) {
            return try Workspace.locate(named: choice.flag ?? variable, from: folder, files: files)
        } catch {
            let origin = variable == nil ? "" : " (from REQCLI_WORKSPACE)"
            throw Failure(.usage, code: .workspaceMissing, error.message + origin, hint: error.hint)
        }
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
}
