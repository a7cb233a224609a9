package import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// Makes a small workspace: an example that works without a server, or a workspace for a URL.
package struct InitCommand: Command {
    static let folder = Argument(optional: "DIR", .directory(), "The folder (default: the current folder)")
    static let from = Option(
        "from", .text("URL", mayHoldSecret: true), "Make an endpoint for this URL instead of the example")

    package static let spec = CommandSpec(
        "init", "Make a small workspace that works offline",
        examples: [
            Example("In a new folder", "reqcli init demo"),
            Example("In the current folder", "reqcli init"),
            Example("For your own server", "reqcli init --from https://api.example.com/users"),
        ],
        arguments: ArgumentList(folder),
        options: [OptionGroup("Content", from)],
        sections: [
            TextSection(
                "What it makes",
                """
                Example endpoints to replace with yours, two environments, stubs that respond without a server, JSON Schemas \
                for editors, and a .gitignore for .env. init never overwrites a file: an existing .gitignore stays unchanged, \
                and a note says what to add. If any other of these files exists, init writes nothing.

                With --from, init makes a GET endpoint with the path and the query of the URL, and the environment development \
                for its server, instead of the example.
                """)
        ],
        exitStatuses: [
            .success, .usage.meaning("some of the files already exist, or the URL can't be used"),
            .outputFailed.meaning("a file cannot be written; those already written are removed"),
        ],
        page: "tutorials/first-workspace.md")

    let base: String?
    let folder: String?
    let server: StarterServer?

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        if let url = arguments[Self.from] { server = try StarterServer(url) } else { server = nil }
        base = arguments[GlobalOptions.workspace]
        folder = arguments[Self.folder]
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let start = try context.startFolder()
        let root = FilePath.tidy(FilePath.join(FilePath.join(start, base ?? ""), folder ?? ""))
        let shown = FilePath.shown(root, from: start)
        var workspace = server.map { StarterWorkspace($0) } ?? .todo
        let ignoreFile = FilePath.join(root, DotEnvFile.ignoreFile)
        let hasIgnoreFile = context.files.kind(ignoreFile) != nil
        if hasIgnoreFile { workspace.parts.removeAll { $0.name == DotEnvFile.ignoreFile } }
        try WorkspaceMaker(
            workspace: workspace, root: root, shown: shown, files: context.files, writing: context.writing
        ).make()
        context.writeSummary(report(workspace, root: root, start: start, shown: shown))
        if hasIgnoreFile, !DotEnvFile(in: root, context.files).isIgnored {
            context.note(
                "\"\(FilePath.shown(ignoreFile, from: start))\" already exists: add the line "
                    + "\"\(DotEnvFile.name)\", because .env may hold secrets")
        }
        return .success
    }

    private func report(_ workspace: StarterWorkspace, root: String, start: String, shown: String) -> [Styled] {
        var files = Columns()
        for part in workspace.parts { files.add(Styled(part.name, .cyan), Styled(harmlessLine(part.meaning), .dim)) }
        let isHere = root == FilePath.tidy(start)
        let steps = (isHere ? [] : ["cd \(ShellQuoting.quoted(shown))"]) + workspace.firstSteps
        return [Styled("made a workspace in \(isHere ? "this folder" : harmlessLine(shown))")]
            + files.lines(indent: 2)
            + ["", Styled("Try next", .bold)]
            + steps.map { Styled("  ") + Styled(harmlessLine($0), .green) }
    }
}
