import CommandLineKit
import Exchange
import Importing
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The file `imports/NAME.json` of an import that can be updated.
struct ImportRecordFile {
    let name: String
    let record: ImportRecord

    /// The path in the workspace.
    var path: String { "\(ImportRecord.folder)/\(name).json" }

    var bytes: [UInt8] { Array((record.json.pretty + "\n").utf8) }

    /// Hashes a value so that the order of its members doesn't count.
    static func hash(_ value: OrderedJSON) -> String {
        String(SHA256.hash(Array(value.inOrderOfNames.compact.utf8)).hex.prefix(16))
    }

    /// Makes the record of an import. Nil if the import can't be repeated, because the source is standard input or the format has
    /// no updates.
    init?(
        _ imported: ImportedWorkspace, _ command: ImportCommand, _ format: any ImportFormat.Type, _ workspace: Workspace
    ) {
        guard format.isUpdatable, !command.sources.isEmpty, !command.sources.contains("-") else { return nil }
        let sources = command.sources.map { source in
            if let url = try? ImportDownload(source).url { return url.text }
            return FilePath.shown(FilePath.tidy(FilePath.join(workspace.currentFolder, source)), from: workspace.root)
        }
        let empty = ImportRecord(format: format.name, sources: sources, options: command.optionsToRepeat)
        record = imported.record(like: empty, Self.hash)
        name =
            (imported.groups.first?.id ?? imported.singles.first?.id).map { String($0.prefix { $0 != "." }) }
            ?? format.name
    }

    init(name: String, record: ImportRecord) {
        self.name = name
        self.record = record
    }

    /// The record with the `--make-stubs` of an update, if the update has this option, in place of the earlier import's.
    func taking(_ arguments: ParsedArguments) -> ImportRecordFile {
        guard let words = arguments.stubWords else { return self }
        var record = record
        if let index = record.options.firstIndex(of: words[0]) {
            record.options.removeSubrange(index..<min(index + words.count, record.options.count))
        }
        record.options += words
        return ImportRecordFile(name: name, record: record)
    }

    /// The records with these names; all records of the workspace if no name is given.
    static func read(_ names: [String], in workspace: Workspace) throws(Failure) -> [ImportRecordFile] {
        let folder = workspace.path(ImportRecord.folder)
        let known = ((try? workspace.files.names(folder)) ?? []).filter { $0.hasSuffix(".json") }.map {
            String($0.dropLast(5))
        }
        var files: [ImportRecordFile] = []
        for name in names.isEmpty ? known : names {
            guard known.contains(name) else {
                throw Failure(
                    .usage, code: .sourceUnreadable, "there is no import \"\(name)\"",
                    hint: known.isEmpty ? "import an API first" : "available: \(known.joined(separator: ", "))")
            }
            files.append(try file(name, in: workspace))
        }
        if files.isEmpty {
            throw Failure(
                .usage, code: .sourceUnreadable, "there is nothing to update: imports/ has no files",
                hint: "only imports of OpenAPI and Postman files can be updated")
        }
        return files
    }

    private static func file(_ name: String, in workspace: Workspace) throws(Failure) -> ImportRecordFile {
        let path = "\(ImportRecord.folder)/\(name).json"
        let bytes: [UInt8]
        do throws(FileProblem) { bytes = try workspace.files.read(workspace.path(path), Workspace.largestFile) } catch {
            throw Failure(.broken, code: .fileUnreadable, "cannot read \(workspace.shown(path)): \(error.reason)")
        }
        let document = JSONDocument.read(SourceFile(name: workspace.shown(path), bytes: bytes))
        if !document.problems.isEmpty { throw Failure(.broken, document.diagnostics) }
        guard let record = document.root.flatMap({ ImportRecord($0) }) else {
            throw Failure(
                .broken, code: .sourceUnreadable, "\(workspace.shown(path)) is not the record of an import",
                hint: "remove it, and import again with --force")
        }
        return ImportRecordFile(name: name, record: record)
    }
}

extension OrderedJSON {
    fileprivate var inOrderOfNames: OrderedJSON {
        switch self {
        case .array(let elements): .array(elements.map(\.inOrderOfNames))
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.inOrderOfNames) }.sorted { $0.name < $1.name })
        case .null, .bool, .number, .string: self
        }
    }
}

extension ParsedArguments {
    /// The option `--make-stubs` as words; nil if it isn't given.
    fileprivate var stubWords: [String]? {
        isGiven(ImportCommand.stubs) ? ["--make-stubs", self[ImportCommand.stubs].rawValue] : nil
    }
}

extension ImportCommand {
    /// The options, as words, that an update has to use again.
    var optionsToRepeat: [String] {
        var words: [String] = []
        if let id = arguments[Self.id] { words += ["--as", id] }
        if let group = arguments[Self.group] { words += ["--into", group] }
        if let name = arguments[SharedOptions.environment] { words += ["--env", name] }
        for selector in arguments[Self.only] { words += ["--only", selector] }
        if arguments[Self.exact] { words.append("--exact") }
        words += arguments.stubWords ?? []
        if arguments[Self.noSchema] { words.append("--no-schema") }
        return words
    }

    /// The command that repeats an earlier import from its record. The record's sources become paths from the current folder.
    init(_ file: ImportRecordFile, in workspace: Workspace, like outer: ImportCommand) throws(UsageError) {
        let sources = file.record.sources.map { source in
            ImportDownload.isURL(source)
                ? source : FilePath.shown(workspace.path(source), from: workspace.currentFolder)
        }
        let flags: [(Flag, String)] = [
            (Self.dryRun, "--dry-run"), (Self.print, "--print"), (Self.strict, "--strict"), (Self.json, "--json"),
        ]
        let report = flags.filter { outer.arguments[$0.0] }.map(\.1)
        let words = [Self.spec.name] + file.record.options + report + [file.record.format] + sources
        guard case .run(let parsed) = try Program.spec.parse(words) else {
            throw UsageError("the record of \(file.name) has options that import doesn't have", command: Self.spec.name)
        }
        try self.init(parsed)
    }
}
