import CommandLineKit
import Definitions
package import SourceText

/// Puts the starter workspace into a folder: all of it or nothing, and over nothing.
struct WorkspaceMaker {
    struct Problem: Error {
        let status: ExitStatus
        let code: Diagnostic.Code
        let message: String
        let hint: String?
    }

    let root: String
    /// The folder as messages name it.
    let shown: String
    let files: FileSystem
    let writing: FileWriting

    func make() throws(Problem) {
        switch files.kind(root) {
        case .directory:
            try refuseWhatIsThere()
            try fillFolder()
        case nil: try makeFolder()
        case .file, .other:
            throw Problem(
                status: .usage, code: .fileExists, message: "\"\(shown)\" is not a folder", hint: "name another one")
        }
    }

    private func refuseWhatIsThere() throws(Problem) {
        let taken = StarterWorkspace.topLevel.filter { files.kind(FilePath.join(root, $0)) != nil }
        guard !taken.isEmpty else { return }
        let list = taken.map { "\"\(FilePath.join(shown == "." ? "" : shown, $0))\"" }.joined(separator: ", ")
        throw Problem(
            status: .usage, code: .fileExists, message: "\(list) \(taken.count == 1 ? "is" : "are") there already",
            hint: "a workspace is made only where none of its files are: name another folder, \"reqcli init DIR\"")
    }

    /// A new folder is written under another name first.
    private func makeFolder() throws(Problem) {
        let stage = FilePath.join(FilePath.parent(root), Self.stageName)
        try undoing([stage]) { () throws(WritingProblem) in
            try write(below: stage)
            try writing.moveFolder(stage, root)
        }
    }

    /// In a folder that is there each part is moved to its place; `endpoints`, which makes it a workspace, comes last.
    private func fillFolder() throws(Problem) {
        let stage = FilePath.join(root, Self.stageName)
        var made = [stage]
        do throws(WritingProblem) {
            try write(below: stage)
            for name in StarterWorkspace.topLevel {
                let place = FilePath.join(root, name)
                if let bytes = StarterWorkspace.file(name) {
                    try writing.writeFile(place, bytes, .new)
                } else {
                    try writing.moveFolder(FilePath.join(stage, name), place)
                }
                made.append(place)
            }
            writing.remove(stage)
        } catch {
            made.forEach(writing.remove)
            throw failure(error)
        }
    }

    private func undoing(
        _ paths: [String], _ body: () throws(WritingProblem) -> Void
    ) throws(Problem) {
        do throws(WritingProblem) {
            try body()
        } catch {
            paths.forEach(writing.remove)
            throw failure(error)
        }
    }

    private func write(below folder: String) throws(WritingProblem) {
        try writing.makeFolder(folder)
        for file in StarterWorkspace.files {
            let path = FilePath.join(folder, file.path)
            try writing.makeFolder(FilePath.parent(path))
            try writing.writeFile(path, file.bytes, .new)
        }
    }

    private func failure(_ problem: WritingProblem) -> Problem {
        Problem(
            status: .outputFailed, code: .outputFailed,
            message: "the workspace can't be made in \"\(shown)\": \(problem.reason)", hint: nil)
    }

    /// Hidden, and nobody else's: two runs at once don't meet.
    private static var stageName: String {
        ".reqcli-init-" + String(UInt32.random(in: .min ... .max), radix: 16)
    }
}

extension Diagnostic.Code {
    package static let fileExists: Self = "file.exists"
}
