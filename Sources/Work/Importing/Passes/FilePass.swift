import ReqcliDefinitions
import ReqcliText

/// The folders of a source, as paths from the workspace's root. The paths of files in endpoints are relative to these folders.
package struct SourceFolders: Sendable {
    /// The folder that the user is in.
    package var current = "."
    /// The folder of each file, by the name of the file in messages. Other sources, such as standard input, belong to the current
    /// folder.
    package var byFile: [String: String] = [:]
    /// The names of sources that were read from a server.
    package var remote: Set<String> = []

    package init() {}

    /// The folder that the paths of a request's files are relative to.
    fileprivate func folder(of request: ImportedRequest) -> String {
        let folder = byFile[request.place.file.name] ?? current
        return (0..<request.filesAbove).reduce(folder) { folder, _ in FilePath.tidy(FilePath.join(folder, "..")) }
    }
}

/// Converts file paths that are relative to the folder of the source to paths from the workspace's root.
struct FilePass {
    let folders: SourceFolders

    func apply(to requests: inout [ImportedRequest], _ notes: inout [ConversionNote]) {
        // Skips exported endpoints, whose paths already begin at the root of their workspace.
        for index in requests.indices where requests[index].id == nil {
            let folder = folders.folder(of: requests[index])
            let isRemote = folders.remote.contains(requests[index].place.file.name)
            let place = requests[index].place
            requests[index].mapTexts { role, path in
                guard role == .file || role == .certificate, Self.isRelative(path) else { return path }
                if isRemote {
                    notes.append(
                        ConversionNote(.toDo, "a file next to an imported URL is not downloaded", path, at: place))
                }
                return folder == "." ? path : FilePath.tidy(FilePath.join(folder, path))
            }
        }
    }

    /// Whether a path is relative to the folder. A path that begins with a placeholder may be absolute, so the result is false.
    private static func isRelative(_ path: String) -> Bool {
        let isDrive = path.dropFirst().hasPrefix(":\\") || path.dropFirst().hasPrefix(":/")
        return !path.isEmpty && !["/", "~", "{{", "\\\\"].contains { path.hasPrefix($0) } && !isDrive
    }
}
