import Checking
import CommandLineKit
import Exporting
import Foundation
import Recording
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// One run of `export`: reads the workspace, makes the files, and writes them.
struct ExportRun {
    private let command: ExportCommand
    private let context: Context

    init(_ command: ExportCommand, _ context: Context) {
        self.command = command
        self.context = context
    }

    func run() throws(Failure) -> ExitStatus {
        let name = command.arguments[ExportCommand.format]
        guard let format = ExportFormat.all.first(where: { $0.name == name }) else {
            throw Failure(.usage, code: .usageInvalid, "there is no format \"\(name)\"")
        }
        let workspace = try context.open(command.arguments)
        let credentials = LiteralCredentials(in: workspace)
        var source = try source(workspace.with(credentials.drafts))
        source.options.folder = try folder(of: source.workspace)
        var notes = credentials.notes
        let files = format.export(source, &notes)
        try write(files)
        NoteList(notes).tell(context)
        if files.isEmpty {
            let count = source.endpoints.count
            throw Failure(
                .expectationFailed, code: .nothingExported,
                "no request can be exported from \(count == 1 ? "the endpoint" : "the \(count) endpoints"), so no file is written",
                hint: "the notes above say why")
        }
        return .success
    }

    private func source(_ workspace: Workspace) throws(Failure) -> ExportSource {
        let arguments = command.arguments
        let environment = try context.environment(flag: arguments[SharedOptions.environment], in: workspace)
        let workspace = workspace.inside(environment)
        let listed = try Selection(arguments[ExportCommand.selectors]).endpoints(of: workspace)
        let endpoints = try listed.valueOrThrow(reportingWarningsTo: context)
        guard !endpoints.isEmpty else {
            throw Failure(
                .usage, code: .usageInvalid, "no endpoints in \(workspace.shown("endpoints"))",
                hint: "add one, or import some: reqcli import")
        }
        var source = ExportSource(
            title: URL(fileURLWithPath: workspace.root).lastPathComponent, workspace: workspace, endpoints: endpoints,
            environment: environment, environments: try environments(of: workspace, environment), world: context.world,
            version: Program.version)
        source.options[HTTPFileFlavor.self] = arguments[ExportCommand.flavor]
        source.options[HTMLSource.self].url = arguments[ExportCommand.source]
        for weight in command.weights {
            let selected = weight.selector.selected(of: endpoints)
            guard !selected.isEmpty else {
                throw Failure(
                    .usage, code: .usageInvalid, "--weight \(weight.selector.text) selects none of the endpoints",
                    hint: "name exported endpoints with an id, a group, a pattern or tag:NAME")
            }
            for endpoint in selected { source.options[LoadWeights.self].byEndpoint[endpoint.id] = weight.count }
        }
        return source
    }

    /// The environments to export: the chosen environment first, then the others by name. With `--env`, only the chosen
    /// environment.
    private func environments(
        of workspace: Workspace, _ chosen: EnvironmentChain
    ) throws(Failure) -> [EnvironmentChain] {
        var chains = [chosen]
        guard !command.arguments.isGiven(SharedOptions.environment) else { return chains }
        for name in workspace.environmentNames where name != chosen.name {
            if case .found(let chain) = try workspace.environment(name).valueOrThrow(reportingWarningsTo: context) {
                chains.append(chain)
            }
        }
        return [chosen] + chains.withoutBases.filter { $0.name != chosen.name }
    }

    /// Where the export goes, as it was typed; nil for standard output.
    private var target: String? { command.arguments[ExportCommand.output].flatMap { $0 == "-" ? nil : $0 } }

    /// The folder of the exported files. For an export to stdout, this is the current folder, because the user may redirect the
    /// output to a file there.
    private func folder(of workspace: Workspace) throws(Failure) -> String {
        guard let target else { return workspace.currentFolder }
        let path = FilePath.tidy(try context.pathFromHere(target))
        let isFolder = target.hasSuffix("/") || context.files.kind(path) == .directory
        return isFolder ? path : FilePath.tidy(FilePath.join(path, ".."))
    }

    // MARK: Writing

    private func write(_ files: [ExportedFile]) throws(Failure) {
        guard let first = files.first else { return }
        guard let target else {
            context.output.write(first.text)
            for file in files.dropFirst() {
                context.note("\(file.path) is written only with -o FOLDER")
            }
            return
        }
        let path = try context.pathFromHere(target)
        let isFolder = context.files.kind(path) == .directory || target.hasSuffix("/") || files.count > 1
        if isFolder, let kind = context.files.kind(path), kind != .directory {
            throw Failure(
                .usage, code: .fileExists, "\(target) is a file, and this export has \(files.count) files",
                hint: "name a folder with -o, or leave -o out to print the main file")
        }
        let set = files.map { file in
            let whole = isFolder ? FilePath.join(path, file.path) : path
            return FileSet.File(
                path: context.files.resolve(whole) ?? whole, bytes: Array(file.text.utf8),
                isThere: context.files.kind(whole) != nil)
        }
        let taken = set.filter(\.isThere)
        if !taken.isEmpty, !command.arguments[ExportCommand.force] {
            throw Failure(
                .usage,
                taken.map {
                    Diagnostic(
                        code: .fileExists, "\(shown($0.path)) already exists", at: nil,
                        hint: "replace it with --force, or name another place with -o")
                })
        }
        do throws(WritingProblem) {
            try FileSet(files: context.files, writing: context.writing).write(set)
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot write the export: \(error.reason)")
        }
        var columns = Columns()
        for file in set {
            columns.add(Styled(file.isThere ? "changed" : "made", .green), Styled(harmlessLine(shown(file.path))))
        }
        context.writeSummary(columns)
    }

    private func shown(_ path: String) -> String {
        (try? context.startFolder()).map { FilePath.shown(path, from: $0) } ?? path
    }
}

extension Diagnostic.Code {
    fileprivate static let nothingExported: Self = "export.nothingExported"
}
