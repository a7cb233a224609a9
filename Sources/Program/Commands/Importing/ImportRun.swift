import CommandLineKit
import Importing
import Recording
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// One run of `import`. Reads the sources, lays out the files, tests the endpoints, and writes the files or shows what would
/// change.
struct ImportRun {
    private let command: ImportCommand
    /// The record of the import that this run updates.
    private let record: ImportRecordFile?
    private let takesNewServers: Bool
    private let context: Context
    private let workspace: Workspace
    private let environment: EnvironmentChoice

    /// - Parameters:
    ///   - record: The record of an earlier import, which is updated.
    ///   - takesNewServers: Whether an update may take over servers that no file names yet.
    init(
        _ command: ImportCommand, updating record: ImportRecordFile? = nil, takesNewServers: Bool = false,
        in workspace: Workspace, _ context: Context
    ) throws(Failure) {
        self.command = command
        self.record = record
        self.takesNewServers = takesNewServers
        self.workspace = workspace
        self.context = context
        environment = try context.nameEnvironment(
            flag: command.arguments[SharedOptions.environment], in: workspace)
        guard Name.isValid(environment.name) else {
            throw Failure(
                .usage, code: .environmentUnknown,
                "\"\(environment.name)\" can't be the name of an environment\(environment.originText)",
                hint: "use letters, digits, _ and -")
        }
    }

    /// The workspace that an import adds to, or a new one in the current folder.
    static func workspace(_ arguments: ParsedArguments, _ context: Context) throws(Failure) -> Workspace {
        if let open = try context.openIfThere(arguments) { return open }
        return try context.workspaceOfNoFiles()
    }

    /// Runs the import, and returns its report.
    func report() async throws(Failure) -> ImportReport {
        let source = try await ImportSourceReader(context).read(command)
        let (format, api, notes) = try read(source)
        // Reads and writes the files under one lock, because another run may change the same files.
        let unlock = command.isDryRun ? {} : context.writing.lockFolder(workspace.root)
        defer { unlock() }
        let flows = ValueFlows(workspace)
        var imported = try layOut(api, notes, source, flows)
        var (report, draft) = try attempt(format, imported)
        // After invalid endpoints are left out, endpoints that need them have errors. So there are several rounds, but only a few:
        // in a long chain of requests, each of which needs the next one, each further round would leave out only the next few.
        var rounds = 0
        while let errors = draft.errors {
            rounds += 1
            guard rounds <= 3, let invalid = InvalidEndpoints(errors, report, workspace),
                invalid.problems.count < imported.ids.count, !isInRecord(invalid, imported)
            else {
                throw Failure(
                    .broken, errors, details: ["Nothing was written: the files would have these errors."])
            }
            invalid.remove(from: &imported)
            (report, draft) = try attempt(format, imported)
        }
        try refuseNewFlows(of: imported, in: draft.workspace, flows)
        let trial = ImportTrial(imported, in: draft.workspace, context).run()
        report.notes += trial.notes
        report.calls = trial.calls
        if record == nil { report.start = start(imported) }
        if let start = report.start { report.files = report.files.map(start.referring) }
        if report.start?.setsEnvironment != true {
            report.environmentAdvice = try environmentAdvice(imported, in: draft.workspace)
        }
        if record == nil {
            let named =
                report.start?.setsEnvironment == true ? nil : try environmentToName(imported, in: draft.workspace)
            report.next = ImportedNext(imported, trial.example, environment: named)
        }
        if !command.isDryRun { try write(&report) }
        return report
    }

    /// Rejects a source that would send a value of the user to a server that didn't get this value before.
    private func refuseNewFlows(
        of imported: ImportedWorkspace, in draft: Workspace, _ known: ValueFlows
    ) throws(Failure) {
        let check = FlowCheck(
            known, updating: record?.record, replacing: imported.ids, takesNewServers: takesNewServers)
        if let problem = check.problem(in: draft) { throw Failure(problem) }
    }

    /// Whether an earlier import has written one of the invalid endpoints. The error of such an endpoint may come from the user's
    /// edits, so the endpoint is not left out.
    private func isInRecord(_ invalid: InvalidEndpoints, _ imported: ImportedWorkspace) -> Bool {
        let known = Set(record?.record.entries.map(\.id) ?? [])
        return invalid.problems.keys.contains { known.contains(imported.ids[$0]) }
    }

    private func attempt(
        _ format: any ImportFormat.Type, _ imported: ImportedWorkspace
    ) throws(Failure) -> (report: ImportReport, draft: (workspace: Workspace, errors: [Diagnostic]?)) {
        var report = if let record { try updated(imported, record) } else { try merged(imported, format) }
        let draft = validated(&report)
        return (report, draft)
    }

    /// The files that make the folder a workspace; nil if it is one already.
    private func start(_ imported: ImportedWorkspace) -> ImportedStart? {
        let names = imported.environments.map(\.name)
        let current = names.contains(environment.name) ? environment.name : imported.firstEnvironment
        return ImportedStart(workspace, environment: names.contains(current) ? current : nil, context)
    }

    // MARK: Reading

    private func read(_ source: ImportSource) throws(Failure) -> (any ImportFormat.Type, ImportedAPI, [ConversionNote])
    {
        let choice = ImportFormatChoice(command, source)
        let format = try choice.format()
        var notes: [ConversionNote] = []
        do throws(ImportProblem) {
            var api = try format.read(source, command.options, &notes)
            let count = api.requests.count
            api.mend(isExact: command.arguments[ImportCommand.exact] || api.isExported, &notes)
            if api.requests.isEmpty, count > 0, let note = notes.last(where: { $0.kind == .lost }) {
                throw ImportProblem(note.text, at: note.place)
            }
            let selection = ImportSelection(command.arguments[ImportCommand.only])
            // Requests that an earlier import has selected may no longer be in the source.
            if let problem = selection.problem(among: api.requests), record == nil { throw problem }
            if !selection.isEmpty { api.requests.removeAll { !selection.takes($0) } }
            guard !api.requests.isEmpty else {
                if selection.isEmpty { throw choice.noRequest(format) }
                throw ImportProblem("--only selects no request of the source", at: nil, isUsage: true)
            }
            return (format, api, notes)
        } catch {
            throw choice.mistake() ?? Failure(error)
        }
    }

    // MARK: Files

    private func layOut(
        _ api: ImportedAPI, _ notes: [ConversionNote], _ source: ImportSource, _ flows: ValueFlows
    ) throws(Failure) -> ImportedWorkspace {
        let arguments = command.arguments
        if arguments[ImportCommand.id] != nil, api.requests.count > 1 {
            throw Failure(
                .usage, code: .sourceUnreadable,
                "--as names a single request, but the source has \(api.requests.count) requests",
                hint: "put them into a group with --into, or choose one with --only")
        }
        var target = ImportTarget()
        target.id = arguments[ImportCommand.id]
        target.group = arguments[ImportCommand.group].map { $0 == "." ? "" : $0 }
        target.environment = environment.name
        target.namesEnvironment = environment.origin != .standard
        target.existing = try existingEnvironment()
        let written = (try? ImportRecordFile.read([], in: workspace)) ?? []
        target.existing?.chosenVariables = flows.chosenVariables[environment.name, default: []].filter { name in
            !written.contains { $0.record.wroteVariable(name, toEnvironment: environment.name) }
        }
        if let record { target.existing = target.existing?.without(record.record, environment: environment.name) }
        target.others = otherEnvironments()
        target.environments = Set(workspace.environmentEntries().value.map(\.id))
        target.endpoints = endpointIDs()
        if let record {
            target.wasWritten = { record.record.wrote($0, toEnvironment: $1, ImportRecordFile.hash) }
        }
        // Refuses the source's server for an environment that has secrets and no server. Otherwise, existing endpoints would
        // begin to send the secrets to this server.
        if record == nil, let existing = target.existing, existing.baseURL == nil, !existing.secrets.isEmpty,
            !target.endpoints.isEmpty
        {
            target.existing?.refusesServer = true
        }
        target.isExact = arguments[ImportCommand.exact]
        target.folders = folders(of: source)
        target.earlierIDs = record.map { file in
            Dictionary(file.record.entries.map { ($0.key, $0.id) }, uniquingKeysWith: { first, _ in first })
        }
        let imported = ImportPipeline.run(api, notes, into: target)
        if let conflict = imported.serverConflict {
            throw Failure(
                .usage, code: .valueInvalid,
                "the environment \"\(conflict.environment)\" has the server \(conflict.existing), which would get credentials that the source has for \(conflict.imported)",
                hint: "import into a separate folder, or give the environment of the source another name")
        }
        if let server = imported.requests.lazy.compactMap(\.base).first { try refuseQueryText(target, server) }
        return imported
    }

    /// Rejects the source's server if another environment has a secret that would also be sent to this server.
    private func refuseQueryText(_ target: ImportTarget, _ server: String) throws(Failure) {
        guard target.allExisting.contains(where: \.hasSecretQueryText) else {
            return
        }
        throw Failure(
            .usage, code: .valueInvalid,
            "an environment has a secret in \"query\" as text, which would also be sent to another server, \(server)",
            hint: "write this query as an object in the environment, such as { \"name\": \"{{secret.name}}\" }")
    }

    private func folders(of source: ImportSource) -> SourceFolders {
        func fromRoot(_ folder: String) -> String {
            FilePath.shown(FilePath.tidy(FilePath.join(workspace.currentFolder, folder)), from: workspace.root)
        }
        var folders = SourceFolders()
        folders.current = fromRoot("")
        // Standard input has a name but no folder.
        if command.sources.isEmpty || command.sources == ["-"] { return folders }
        for file in source.files {
            if ImportDownload.isURL(file.name) {
                folders.remote.insert(file.name)
            } else {
                folders.byFile[file.name] = fromRoot(FilePath.parent(file.name))
            }
        }
        return folders
    }

    private func existingEnvironment() throws(Failure) -> ExistingEnvironment? {
        switch try workspace.environment(environment.name).valueOrThrow(reportingWarningsTo: context) {
        case .found(let chain): ExistingEnvironment(chain)
        case .missing, .broken: nil
        }
    }

    /// All environments except the environment that the import is for. An environment that can't be read is assumed to have
    /// credentials.
    private func otherEnvironments() -> [String: ExistingEnvironment] {
        let names = workspace.environmentNames.filter { $0 != environment.name }
        let others = names.map { name in
            guard case .found(let chain) = workspace.environment(name).value else {
                var unknown = ExistingEnvironment()
                unknown.hasAuth = true
                return unknown
            }
            let existing = ExistingEnvironment(chain)
            return record.map { existing.without($0.record, environment: name) } ?? existing
        }
        return Dictionary(zip(names, others)) { first, _ in first }
    }

    /// The ids of the endpoints that exist. A file that can't be read counts as one endpoint.
    private func endpointIDs() -> Set<String> {
        let entries = workspace.endpointEntries().value
        let ids = zip(entries, workspace.load(endpointFiles: entries)).flatMap { entry, file in
            file.value.map { $0.located.map(\.id) } ?? [entry.id]
        }
        return Set(ids)
    }

    private func updated(_ imported: ImportedWorkspace, _ file: ImportRecordFile) throws(Failure) -> ImportReport {
        do throws(ImportProblem) {
            let update = try ImportUpdate(
                imported, file.record, in: workspace, takesNewServers: takesNewServers,
                hash: ImportRecordFile.hash)
            let new = ImportRecordFile(name: file.name, record: update.record)
            var report = ImportReport(
                command, imported, update.files + [entry(of: new)].filter(\.isChange), update.notes)
            report.conflictCount = update.conflictCount
            report.changedIDs = update.changedIDs
            return report
        } catch {
            throw Failure(error)
        }
    }

    private func entry(of record: ImportRecordFile) -> ImportMerge.File {
        let before = try? workspace.files.read(workspace.path(record.path), Workspace.largestFile)
        return ImportMerge.File(path: record.path, before: before, after: record.bytes)
    }

    private func merged(
        _ imported: ImportedWorkspace, _ format: any ImportFormat.Type
    ) throws(Failure) -> ImportReport {
        let merge: ImportMerge
        do throws(ImportProblem) {
            merge = try ImportMerge(imported, into: workspace, replacing: command.arguments[ImportCommand.force])
        } catch {
            throw Failure(error)
        }
        let record = ImportRecordFile(imported, command, format, workspace)
        if !merge.taken.isEmpty { throw Failure(.usage, merge.taken, details: updateAdvice(record)) }
        return ImportReport(
            command, imported, merge.files + [record].compactMap(\.self).map { entry(of: $0) }, merge.notes)
    }

    /// The advice if the same source was imported before.
    private func updateAdvice(_ record: ImportRecordFile?) -> [String] {
        guard let record, let earlier = try? ImportRecordFile.read([record.name], in: workspace).first,
            earlier.record.sources == record.record.sources
        else { return [] }
        return [
            "This source was imported before: \"reqcli import --update \(record.name)\" imports what has changed."
        ]
    }

    /// The workspace with the new files, and the errors in these files. The errors are nil if there are none.
    private func validated(
        _ report: inout ImportReport
    ) -> (workspace: Workspace, errors: [Diagnostic]?) {
        let drafts = Dictionary(
            report.files.map { (workspace.path($0.path), $0.after) }, uniquingKeysWith: { _, last in last })
        let draft = workspace.with(drafts)
        let changed = Set(report.files.map { workspace.shown($0.path) })
        let errors = draft.validate().diagnostics.filter {
            $0.severity == .error && changed.contains($0.fileName ?? "")
        }
        // Files that a source names may not exist yet.
        report.notes += errors.filter { $0.code == .fileMissing }.map {
            ConversionNote(.toDo, "a file that the source names is missing", $0.message, at: $0.place)
        }
        let others = errors.filter { $0.code != .fileMissing }
        return (draft, others.isEmpty ? nil : others)
    }

    /// The environment that commands for the imported endpoints must name; nil if they use it by default.
    private func environmentToName(_ imported: ImportedWorkspace, in draft: Workspace) throws(Failure) -> String? {
        let standard = try context.chooseEnvironment(flag: nil, in: draft).name
        let used = draft.environmentNames.contains(environment.name) ? environment.name : imported.firstEnvironment
        return used != standard && draft.environmentNames.contains(used) ? used : nil
    }

    /// The advice for a workspace without the environment that commands use by default; nil if this environment exists.
    private func environmentAdvice(_ imported: ImportedWorkspace, in draft: Workspace) throws(Failure) -> String? {
        let standard = try context.chooseEnvironment(flag: nil, in: draft).name
        let names = draft.environmentNames
        guard record == nil, !names.contains(standard),
            let name = imported.environments.map(\.name).first(where: names.contains)
        else { return nil }
        let group = imported.ids.first.map { String($0.prefix { $0 != "." }) } ?? ""
        return "no environment is named \"\(standard)\": run \"\(Program.name) check --env \(name) \(group)\", "
            + "or set \"environment\": \"\(name)\" in reqcli.json"
    }

    private func write(_ report: inout ImportReport) throws(Failure) {
        var set = report.files.map { file in
            // A link stays a link: the file that it points to is replaced.
            let path = workspace.path(file.path)
            return FileSet.File(
                path: workspace.files.resolve(path) ?? path, bytes: file.after, isThere: file.before != nil)
        }
        set += (report.start?.files ?? []).map {
            FileSet.File(path: workspace.path($0.path), bytes: $0.bytes, isThere: false)
        }
        if command.arguments[ImportCommand.saveSecrets] {
            let secrets = SecretFile(workspace, context)
            let isIgnored = report.start?.ignoresDotEnv ?? false
            if let file = try secrets.file(with: report.imported.secrets, isIgnored: isIgnored) {
                set.append(file)
                report.secretFile = (DotEnvFile.name, isNew: !file.isThere)
            }
            report.savedSecrets = Set(report.imported.secrets.filter(SecretFile.canHold).map(\.variable))
        }
        do throws(WritingProblem) {
            try FileSet(files: context.files, writing: context.writing).write(set)
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot write the import: \(error.reason)")
        }
    }
}

extension ImportCommand {
    var isDryRun: Bool { arguments[Self.dryRun] || arguments[Self.print] }

    var options: ImportOptions {
        var options = ImportOptions()
        options.isExact = arguments[Self.exact]
        options.shell = arguments[Self.shell]?.rawValue
        options.stubs = arguments[Self.stubs]
        options.hasSchemas = !arguments[Self.noSchema]
        options.takesAll = arguments[Self.all]
        options.isCall = isCall
        options.group = arguments[Self.group].flatMap { $0 == "." ? nil : $0 }
        return options
    }
}

extension Failure {
    init(_ problem: ImportProblem) {
        self.init(problem.isUsage ? .usage : .broken, problem.diagnostics)
    }
}

extension Workspace {
    /// The workspace with some files changed.
    func with(_ drafts: [String: [UInt8]]) -> Workspace {
        Workspace(root: root, currentFolder: currentFolder, files: files.with(drafts: drafts))
    }
}
