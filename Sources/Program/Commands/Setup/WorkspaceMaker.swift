import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// Puts the starter workspace into a folder: all of it or nothing, without replacing any file.
struct WorkspaceMaker {
    let workspace: StarterWorkspace
    let root: String
    /// The folder as messages name it.
    let shown: String
    let files: FileSystem
    let writing: FileWriting

    /// Makes the workspace. A new folder is first written under another name. In an existing folder, each part is moved to its
    /// place.
    func make() throws(Failure) {
        let kind = files.kind(root)
        guard kind == nil || kind == .directory else {
            throw Failure(
                .usage, code: .fileExists, "\"\(shown)\" is not a folder", hint: "name another folder")
        }
        try refuseWhatIsThere()
        let stage = FilePath.join(kind == nil ? FilePath.parent(root) : root, Self.stageName)
        var made = [stage]
        do throws(WritingProblem) {
            try write(below: stage)
            if kind == nil { try writing.moveFolder(stage, root) } else { try moveParts(from: stage, &made) }
        } catch {
            made.forEach(writing.remove)
            throw Failure(
                .outputFailed, code: .outputFailed,
                "cannot make the workspace in \"\(shown)\": \(error.reason)")
        }
    }

    private func refuseWhatIsThere() throws(Failure) {
        if let link = workspace.topLevel.first(where: isBrokenLink) {
            throw Failure(
                .usage, code: .fileExists,
                "\"\(FilePath.join(shown == "." ? "" : shown, link))\" is a link to a file that doesn't exist",
                hint: "remove the link, or create the missing file")
        }
        let taken = workspace.topLevel.filter { files.kind(FilePath.join(root, $0)) != nil }
        guard !taken.isEmpty else { return }
        let list = taken.map { "\"\(FilePath.join(shown == "." ? "" : shown, $0))\"" }.joined(separator: ", ")
        throw Failure(
            .usage, code: .fileExists, "\(list) already \(taken.count == 1 ? "exists" : "exist")",
            hint: "init replaces no files: name another folder, \"reqcli init DIR\"")
    }

    private func isBrokenLink(_ name: String) -> Bool {
        do throws(FileProblem) { _ = try files.read(FilePath.join(root, name), 1) } catch {
            return error.kind == .brokenLink
        }
        return false
    }

    /// Moves the parts to their places. `endpoints`, which makes the folder a workspace, comes last.
    private func moveParts(from stage: String, _ made: inout [String]) throws(WritingProblem) {
        for name in workspace.topLevel {
            let place = FilePath.join(root, name)
            if let bytes = workspace.file(name) {
                try writing.writeFile(place, bytes, .new)
            } else {
                try writing.moveFolder(FilePath.join(stage, name), place)
            }
            made.append(place)
        }
        writing.remove(stage)
    }

    private func write(below folder: String) throws(WritingProblem) {
        try writing.makeFolder(folder)
        for file in workspace.files {
            let path = FilePath.join(folder, file.path)
            try writing.makeFolder(FilePath.parent(path))
            try writing.writeFile(path, file.bytes, .new)
        }
    }

    /// The name of a hidden folder for this run alone, so that two runs at the same time don't collide.
    private static var stageName: String {
        ".reqcli-init-" + String(UInt32.random(in: .min ... .max), radix: 16)
    }
}

extension Diagnostic.Code {
    package static let fileExists: Self = "file.exists"
}
