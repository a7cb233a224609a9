package import CommandLineKit
import Definitions
import SourceText
import TerminalText

/// Makes a small workspace that works without a server.
package struct InitCommand: Command {
    static let folder = Argument(optional: "DIR", .directory(), "Where; the current folder if none is given")

    package static let spec = CommandSpec(
        "init", "Make a small workspace that works offline at once",
        examples: [
            Example("In a folder of its own", "reqcli init demo"),
            Example("In the folder of a project", "reqcli init"),
        ],
        arguments: ArgumentList(folder),
        sections: [
            TextSection(
                "What it makes",
                """
                Endpoints to change into yours, two environments, stubs that answer without a server, and JSON Schemas \
                for editors. Nothing is ever overwritten: where any of it is there already, nothing is made.
                """)
        ],
        exitStatuses: [
            .success, .usage.meaning("there is something in the way"),
            .outputFailed.meaning("the files can't be written; nothing is left of them"),
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
