package import Definitions
import SourceText

/// The programs that somebody has agreed to run, by workspace and by their whole command line.
///
/// One line each, a JSON list of the workspace's folder and the command's words, in a file of the user's own.
package struct TrustStore: Sendable {
    package let path: String
    private let files: FileSystem

    package init(path: String, files: FileSystem) {
        self.path = path
        self.files = files
    }

    /// The file's place for a user: below `XDG_STATE_HOME`, else below the home folder; nil without either.
    package static func path(variable: (String) -> String?) -> String? {
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
            return FilePath.join(state, "reqcli/trusted")
        }
        return variable("HOME").map { FilePath.join($0, ".local/state/reqcli/trusted") }
    }

    package func holds(_ arguments: [String], workspace: String) -> Bool {
        guard let bytes = try? files.read(path, 1 << 20) else { return false }
        let wanted = Self.line(arguments, workspace)
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains { $0 == wanted }
    }

    /// What is to be appended to the file so that it holds this command.
    package static func line(_ arguments: [String], _ workspace: String) -> String {
        OrderedJSON.array(([workspace] + arguments).map { .string($0) }).compact
    }
}
