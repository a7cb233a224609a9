package import CommandLineKit
import Definitions
import SourceText
import TerminalText

/// Makes a small workspace that works without a server.
package struct InitCommand: Command {
    static let folder = Argument(optional: "DIR", .directory(), "The folder (default: the current folder)")

    package static let spec = CommandSpec(
        "init", "Make a small workspace that works offline",
        examples: [
            Example("In a new folder", "reqcli init demo"),
            Example("In the current folder", "reqcli init"),
        ],
        arguments: ArgumentList(folder),
        sections: [
            TextSection(
                "What it makes",
                """
                Endpoints to replace with yours, two environments, stubs that respond without a server, and JSON Schemas \
                for editors. init never overwrites a file: if one of them already exists, it makes none.
                """)
        ],
        exitStatuses: [
            .success, .usage.meaning("some of the files already exist"),
            .outputFailed.meaning("the files can't be written; all of them are removed again"),
        ])

    let base: String?
    let folder: String?

    package init(_ arguments: ParsedArguments) {
        base = arguments[GlobalOptions.workspace]
        folder = arguments[Self.folder]
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let start = try context.startFolder()
        let root = FilePath.tidy(FilePath.join(FilePath.join(start, base ?? ""), folder ?? ""))
        let shown = FilePath.shown(root, from: start)
        do throws(WorkspaceMaker.Problem) {
            try WorkspaceMaker(root: root, shown: shown, files: context.files, writing: context.writing).make()
        } catch {
            throw Failure(error.status, code: error.code, error.message, hint: error.hint)
        }
        context.write(report(root: root, start: start, shown: shown))
        return .success
    }

    private func report(root: String, start: String, shown: String) -> [Styled] {
        var files = Columns()
        for part in StarterWorkspace.parts { files.add(Styled(part.name, .cyan), Styled(part.meaning, .dim)) }
        let isHere = root == FilePath.tidy(start)
        let steps = (isHere ? [] : ["cd \(ShellWord.quoted(shown))"]) + StarterWorkspace.firstSteps
        return [Styled("made a workspace in \(isHere ? "this folder" : harmlessLine(shown))")]
            + files.lines(indent: 2)
            + ["", Styled("Try next", .bold)]
            + steps.map { Styled("  ") + Styled(harmlessLine($0), .green) }
    }
}
