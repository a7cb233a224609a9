import Definitions
import SourceText

extension Evaluation {
    /// A file's path as written in a definition, seen from the workspace's root; as it can be used from the current folder.
    func filePath(_ path: String) -> String {
        if path.hasPrefix("~/"), let home = world.variable("HOME") {
            return FilePath.join(home, String(path.dropFirst(2)))
        }
        return FilePath.shown(FilePath.tidy(call.workspace.path(path)), from: call.workspace.currentFolder)
    }

    /// The path of a file that is there now: found out before anything is sent.
    mutating func file(_ path: String, _ purpose: String, at place: Place) -> Evaluated<String> {
        let usable = filePath(path)
        switch world.files.kind(usable) {
        case .file: return .value(usable)
        case nil:
            report(
                .fileMissing, "there is no file \(path.quoted) \(purpose)", at: place,
                hint: "paths are seen from the workspace's root")
        default: report(.fileMissing, "\(path.quoted) is not a regular file", at: place)
        }
        return .failed
    }
}
