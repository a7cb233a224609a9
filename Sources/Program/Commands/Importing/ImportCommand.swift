package import CommandLineKit
import Importing
import ReqcliDefinitions
package import ReqcliText

/// Turns curl commands and API descriptions into endpoint and environment files.
package struct ImportCommand: Command {
    static let words = Argument(
        rest: "FORMAT|SOURCE", .text("FORMAT|SOURCE", completing: .importSource),
        "The format (recognized from the content if left out), then files, folders or URLs; - or nothing means standard input"
    )
    static let id = Option("as", .text("ID"), "The id of a single request, such as user.get")
    static let group = Option("into", .text("GROUP"), "The group for several requests; \".\" for no group")
    static let force = Flag("force", "Replace endpoints and files with the same name")
    static let update = Flag(
        "update",
        "Update earlier imports from their changed sources and keep your edits; the arguments name files in imports/")
    static let newServers = Flag(
        "new-servers", "With --update: allow servers in the source that no file has named before")
    static let dryRun = Flag("dry-run", "Show what would change as a diff, and write nothing")
    static let print = Flag("print", "Print the files that the import would make or change, and write nothing")
    static let exact = Flag("exact", "Keep headers that browsers add, and the exact bytes of query and form")
    static let strict = Flag("strict", "Exit with 1 if anything could not be converted")
    static let json = Flag("json", "Print the report as JSON")
    static let saveSecrets = Flag("save-secrets", "Write the values of secrets to .env, if git ignores it")
    static let only = Option(
        repeated: "only", .text("SELECTOR"),
        "Import only these requests: tag:NAME, a name or operationId (* for any text), or 'GET /users/*'")
    static let shell = Option("shell", .oneOf(ShellName.self), "The shell for which curl commands are quoted")
    static let stubs = Option(
        "make-stubs", aliases: ["stubs"], .oneOf(ImportOptions.Stubs.self), default: .examples,
        "Make stub variants from examples, from schemas as well (all), or not at all (none)")
    static let noSchema = Flag("no-schema", "Leave out the JSON Schemas of responses")
    static let all = Flag("all", "From a HAR file, also import pages, images and similar resources")

    enum ShellName: String, CaseIterable, Sendable { case sh, cmd, powershell }

    package static let spec = CommandSpec(
        "import", "Make endpoints from curl commands and API descriptions",
        examples: [
            Example("A curl command copied from a browser", "reqcli import curl copied.txt --as user.get"),
            Example("A command after --", "reqcli import curl --as user.get -- curl https://api.example.com/users/7"),
            Example("A description that a server publishes", "reqcli import https://api.example.com/openapi.json"),
            Example(
                "Print the endpoint file for a curl command, and write nothing",
                "reqcli import --print -- curl https://api.example.com/users/7"),
            Example("See what an import would write", "reqcli import openapi api.yaml --into shop --dry-run"),
        ],
        arguments: ArgumentList(words),
        options: [
            OptionGroup("Names", id, group, SharedOptions.environment).ruled(by: [.atMostOne(id, group)]),
            OptionGroup("Choice", only, exact, all, stubs, noSchema, shell),
            OptionGroup("Files", dryRun, print, update, newServers, force, saveSecrets).ruled(by: [
                .needs(newServers, update), .excludes(print, dryRun, saveSecrets, json),
            ]),
            OptionGroup("Report", strict, json),
        ],
        sections: [
            TextSection(
                "Formats",
                ImportFormats.all.map { "  \(TerminalText.padded($0.name, to: 9))\($0.summary)" }.joined(
                    separator: "\n")),
            TextSection(
                "What it writes",
                """
                import writes endpoints to endpoints/, with a file for each group, and the server to the environment that \
                --env names (default: the environment in use). It adds what is missing and changes nothing that exists. If a \
                name is taken, import writes nothing. What can't be converted is reported with its place in the source.
                """),
            TextSection(
                "Updates",
                """
                An import of OpenAPI or Postman writes imports/NAME.json, which you commit to git. With --update, import reads \
                the source again and updates each header, param, body and variant that you have not edited. Edited parts stay \
                unchanged; if the source has changed them as well, a note names the place. With --update, --make-stubs applies \
                to this and all later updates.
                """),
            TextSection(
                "Secrets",
                """
                Tokens, passwords and cookies are never written to endpoint files. Instead, the environment gets a secret that \
                names an environment variable, and import says which variables to set. Nothing in a source is run or expanded: \
                a shell variable becomes a secret or {{$env.NAME}}.
                """),
        ],
        exitStatuses: [
            .success,
            .expectationFailed.meaning(
                "--strict, and something could not be converted; an update has a conflict; or --dry-run found an update to write"
            ),
            .usage.meaning("wrong usage, a name that is taken, or a source without requests"),
            .broken.meaning("the source or the workspace has errors"),
            .clientError.meaning("the server of a URL responded with 4xx"),
            .serverError.meaning("the server of a URL responded with 5xx"),
            .noAnswer.meaning("a URL can't be fetched: DNS, refused, TLS, reset, endless redirects"),
            .timedOut.meaning("a URL took longer than 5 minutes, or sent no data for 60 s"),
            .outputFailed.meaning("a file cannot be written; all files are unchanged"),
        ],
        essentials: ["as", "into", "env", "only", "dry-run", "print", "update", "make-stubs", "force", "json"],
        page: "how-to/import.md")

    let arguments: ParsedArguments
    /// The format, if the first word names one.
    let format: (any ImportFormat.Type)?
    /// The words after the format.
    let sources: [String]
    /// The words after `--`, which are a command.
    let typedCommand: [String]
    /// Whether the requests are sent once and not written.
    var isCall = false

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        let words = arguments[Self.words].prefix(arguments.countBeforeEnd)
        typedCommand = Array(arguments[Self.words].dropFirst(arguments.countBeforeEnd))
        let named = words.first.flatMap { word in ImportFormats.all.first { $0.name == word } }
        sources = Array(named == nil ? words : words.dropFirst())
        format = typedCommand.isEmpty ? named : CurlImport.self
        if !typedCommand.isEmpty, named ?? CurlImport.self != CurlImport.self || !sources.isEmpty {
            throw UsageError(
                "the words after -- are a curl command; found \"\(TerminalText.harmless(words[0]))\" before --",
                hint: "import either the command or the file", command: Self.spec.name)
        }
        if arguments[Self.update], format != nil || arguments[Self.id] != nil || arguments[Self.group] != nil {
            throw UsageError(
                "--update takes names of files in imports/; a format, --as and --into cannot be used with --update",
                command: Self.spec.name)
        }
        if let id = arguments[Self.id] {
            guard Name.isValidID(id) else {
                throw UsageError(
                    "--as needs an id such as user.get; found \"\(TerminalText.harmless(id))\"",
                    command: Self.spec.name)
            }
        }
        if let group = arguments[Self.group], group != ".", !Name.isValidID(group) {
            throw UsageError(
                "--into needs a group such as shop, or \".\" for no group; found \"\(TerminalText.harmless(group))\"",
                command: Self.spec.name)
        }
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let isUpdate = arguments[Self.update]
        let workspace = try isUpdate ? context.open(arguments) : ImportRun.workspace(arguments, context)
        var reports: [ImportReport] = []
        if isUpdate {
            let records = try ImportRecordFile.read(arguments[Self.words], in: workspace)
            for record in records {
                var report = try await update(record.taking(arguments), in: workspace, context)
                if records.count > 1 { report.recordName = record.name }
                if !arguments[Self.json] { report.show(workspace, context) }
                reports.append(report)
            }
        } else {
            reports = [try await ImportRun(self, in: workspace, context).report()]
            if !arguments[Self.json] { reports[0].show(workspace, context) }
        }
        if arguments[Self.json] { context.output.write(ImportReport.json(reports, workspace).pretty + "\n") }
        return ExitStatus.worst(of: reports.map(\.status))
    }

    private func update(
        _ record: ImportRecordFile, in workspace: Workspace, _ context: Context
    ) async throws(Failure) -> ImportReport {
        let command: ImportCommand
        do throws(UsageError) {
            command = try ImportCommand(record, in: workspace, like: self)
        } catch {
            throw Failure(
                .broken, code: .sourceUnreadable, "\(workspace.shown(record.path)) is not the record of an import",
                hint: "remove it, and import again with --force")
        }
        do throws(Failure) {
            return try await ImportRun(
                command, updating: record, takesNewServers: arguments[Self.newServers], in: workspace, context
            ).report()
        } catch {
            throw Failure(
                error.status, error.diagnostics,
                details: error.details + ["The update of \(workspace.shown(record.path)) stopped here."])
        }
    }
}
