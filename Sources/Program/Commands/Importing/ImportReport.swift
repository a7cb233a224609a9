import CommandLineKit
import Importing
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Says what an import has written, and what it couldn't convert.
struct ImportReport {
    let command: ImportCommand
    let imported: ImportedWorkspace
    var files: [ImportMerge.File]
    var notes: [ConversionNote]
    /// The number of places that the user and a newer source have changed differently.
    var conflictCount = 0
    /// The endpoints that an update has changed; nil for an import.
    var changedIDs: [String]?
    /// The advice on what to run next if the environment that commands use by default is missing.
    var environmentAdvice: String?
    /// The files that make the folder a workspace; nil if it was one before.
    var start: ImportedStart?
    /// The requests in the order of the source, with examples for their params. A request whose params lack examples is left out.
    var calls: [(id: String, arguments: [ParameterArgument])] = []
    /// The commands to run next; nil for an update.
    var next: ImportedNext?
    /// The file to which values of secrets were written.
    var secretFile: (name: String, isNew: Bool)?
    /// The variables whose values were written to `secretFile`.
    var savedSecrets: Set<String> = []
    /// The name of the updated record; nil if the command updates only one record.
    var recordName: String?

    private var isUpdate: Bool { changedIDs != nil }
    /// The endpoints that the report is about.
    private var ids: [String] { changedIDs ?? imported.ids }

    init(
        _ command: ImportCommand, _ imported: ImportedWorkspace, _ files: [ImportMerge.File], _ notes: [ConversionNote]
    ) {
        self.command = command
        self.imported = imported
        self.files = files
        self.notes = imported.notes + notes
    }

    /// Shows the changes, or with `--dry-run` the changes that the import would make.
    func show(_ workspace: Workspace, _ context: Context) {
        if command.arguments[ImportCommand.print] {
            for (index, file) in files.enumerated() {
                context.write((index > 0 ? [""] : []) + [Styled(harmlessLine(workspace.shown(file.path)), .bold)])
                let text = String(decoding: file.after, as: UTF8.self)
                context.output.write(TerminalText.harmless(text, keepingLines: true))
            }
        } else if command.isDryRun {
            showDifferences(workspace, context)
        } else {
            var columns = Columns()
            for file in files {
                columns.add(
                    Styled(file.before == nil ? "made" : "changed", .green),
                    Styled(harmlessLine(workspace.shown(file.path))),
                    Styled(harmlessLine(summary(of: file)), .dim))
            }
            for part in start?.parts ?? [] {
                columns.add(Styled("made", .green), Styled(part.name), Styled(harmlessLine(part.meaning), .dim))
            }
            if let secretFile {
                columns.add(
                    Styled(secretFile.isNew ? "made" : "changed", .green), Styled(secretFile.name),
                    Styled("values of secrets", .dim))
            } else if files.isEmpty {
                context.writeSummary([Styled("nothing to change" + (recordName.map { " for the import \($0)" } ?? ""))])
            }
            context.writeSummary(columns)
            if let next { context.writeSummary(next.lines) }
        }
        tell(workspace, context)
    }

    private func showDifferences(_ workspace: Workspace, _ context: Context) {
        for file in files {
            context.write(UnifiedDiff(file.before, file.after, name: workspace.shown(file.path)).lines)
        }
        // The schemas are the same in every workspace.
        for file in start?.files ?? [] where !file.path.hasPrefix("schema/") {
            context.write(UnifiedDiff(nil, file.bytes, name: workspace.shown(file.path)).lines)
        }
    }

    var status: ExitStatus {
        if conflictCount > 0 { return .expectationFailed }
        if command.isDryRun, isUpdate, !files.isEmpty { return .expectationFailed }
        let isLossy = notes.contains { $0.kind == .lost }
        return isLossy && command.arguments[ImportCommand.strict] ? .expectationFailed : .success
    }

    /// The ids of the endpoints of a file, or only their number if there are many.
    private func summary(of file: ImportMerge.File) -> String {
        guard file.path.hasPrefix("endpoints/") else { return "" }
        let stem = file.path.dropFirst("endpoints/".count).prefix { $0 != "." }.replacing("/", with: ".")
        let ids = ids.filter { $0 == stem || $0.hasPrefix(stem + ".") }
            .filter { !$0.dropFirst(stem.count + 1).contains(".") }
        return ids.count > 4 ? "\(ids.count) endpoints" : ids.joined(separator: ", ")
    }

    // MARK: Notes

    /// The notes with secrets masked. They are masked only here, because some notes are made after the files were laid out.
    private var maskedNotes: [ConversionNote] { notes.map { $0.masked(by: imported.redactor) } }

    /// The notes about what is missing or different, except at these places.
    func losses(besides places: [Place]) -> [ConversionNote] {
        maskedNotes.filter { note in
            note.kind != .remark && !places.contains { $0.isSame(as: note.place) }
        }
    }

    private func tell(_ workspace: Workspace, _ context: Context) {
        NoteList(maskedNotes).tell(context)
        let new = newSecrets
        let unsaved = new.filter { !savedSecrets.contains($0.variable) }
        for secret in unsaved where !SecretFile.isTooLong(secret) {
            context.note("set \(secret.variable) for the secret \(secret.name), or add it to .env", at: nil)
        }
        for secret in new where SecretFile.isTooLong(secret) {
            context.note(
                "set \(secret.variable) for the secret \(secret.name): it has several lines, which .env can't hold",
                at: nil)
        }
        if !unsaved.isEmpty, start?.ignoresDotEnv != true, !DotEnvFile(in: workspace.root, context.files).isIgnored {
            context.note(
                "git does not ignore .env here: add the line \"\(DotEnvFile.name)\" to .gitignore first", at: nil)
        }
        let changing = imported.requests.filter(\.isChangingCase)
        if !changing.isEmpty, !isUpdate {
            let methods = Set(changing.map(\.method)).sorted().joined(separator: ", ")
            context.note(
                "\"reqcli check\" also sends \(counted(changing.count, "request")) that may change something on the server "
                    + "(\(methods)), because the source has expectations for \(changing.count == 1 ? "it" : "them"); "
                    + "--list shows what is sent, --exclude leaves it out", at: nil)
        }
        if let environmentAdvice { context.note(environmentAdvice, at: nil) }
    }

    /// The secrets that a changed environment declares for the first time.
    private var newSecrets: [ImportedSecret] {
        var added: Set<[String]> = []
        for file in files where file.path.hasPrefix("environments/") {
            added.formUnion(
                Self.secrets(in: file.after, file.path).subtracting(Self.secrets(in: file.before, file.path)))
        }
        return imported.secrets.filter { added.contains([$0.name, $0.variable]) }
    }

    /// The names of the secrets in the file of an environment, each with its process variable.
    private static func secrets(in bytes: [UInt8]?, _ path: String) -> Set<[String]> {
        guard let bytes else { return [] }
        let document = JSONDocument.read(
            SourceFile(name: path, bytes: bytes), syntax: path.hasSuffix(".jsonc") ? .commented : .strict)
        guard let secrets = document.root?["secrets"] else { return [] }
        return Set(secrets.members.compactMap { secret in secret.value["env"]?.string.map { [secret.name, $0] } })
    }

    /// The report of one import, or of several updates, for programs.
    static func json(_ reports: [ImportReport], _ workspace: Workspace) -> OrderedJSON {
        let files = reports.flatMap { report in
            report.files.map { (path: workspace.shown($0.path), isNew: $0.before == nil) }
                + (report.start?.files ?? []).map { (path: $0.path, isNew: true) }
                + [report.secretFile].compactMap(\.self).map { (path: $0.name, isNew: $0.isNew) }
        }
        return .object([
            "files": .array(
                files.map {
                    .object(["path": .string($0.path), "change": .string($0.isNew ? "made" : "changed")])
                }),
            "endpoints": .array(reports.flatMap(\.ids).map { .string($0) }),
            "secrets": .array(
                reports.flatMap(\.imported.secrets).map {
                    .object(["name": .string($0.name), "env": .string($0.variable)])
                }),
            "notes": .array(
                reports.flatMap(\.maskedNotes).map { note in
                    .object([
                        "kind": .string(note.kind.rawValue), "message": .string(note.message),
                        "detail": note.detail.map { .string($0) },
                        "file": note.place.map { .string($0.file.name) }, "range": note.place.map { OrderedJSON($0) },
                    ])
                }),
        ])
    }
}

extension Place {
    /// Whether this is the same range of the same file.
    func isSame(as other: Place?) -> Bool { file.name == other?.file.name && range == other?.range }
}
