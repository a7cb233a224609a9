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

    /// The path of a file to send that is there now and may be read: found out before anything is sent.
    ///
    /// - Parameter template: What the path came from.
    mutating func fileToSend(_ path: String, from template: TextTemplate) -> Evaluated<String> {
        let place = template.place
        guard case .value(let usable) = file(path, "to send", at: place) else { return .failed }
        guard call.readsBodyFiles, !isTyped(template) else { return .value(usable) }
        do throws(EvaluationScope.Objection) {
            try scope.demandFile(path, at: usable)
            return .value(usable)
        } catch {
            report(.fileUntrusted, error.message, at: place, hint: error.hint)
            return .failed
        }
    }

    /// Whether the caller typed the path, all of it: then it is theirs, wherever it leads.
    private func isTyped(_ template: TextTemplate) -> Bool {
        guard case .name(let name)? = template.onlyPlaceholder?.value else { return false }
        return parameters.typed.contains(name)
    }

    /// The path of a file that is there now: found out before anything is sent.
    mutating func file(_ path: String, _ purpose: String, at place: Place) -> Evaluated<String> {
        let usable = filePath(path)
        switch world.files.kind(usable) {
        case .file: return .value(usable)
        case nil:
            report(
                .fileMissing, "there is no file \(path.quoted) \(purpose)", at: place,
                hint: "paths are relative to the workspace's root")
        default: report(.fileMissing, "\(path.quoted) is not a regular file", at: place)
        }
        return .failed
    }
}
