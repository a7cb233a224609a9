import Checking
import CommandLineKit
import Generating
import Recording
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// One run of `generate`: reads the workspace, makes the files, and writes or compares them.
struct GenerateRun {
    private let command: GenerateCommand
    private let context: Context

    init(_ command: GenerateCommand, _ context: Context) {
        self.command = command
        self.context = context
    }

    func run() throws(Failure) -> ExitStatus {
        let arguments = command.arguments
        let workspace = try context.open(arguments)
        let listed = try Selection(arguments[GenerateCommand.selectors]).endpoints(of: workspace)
        let endpoints = try listed.valueOrThrow(reportingWarningsTo: context)
        guard !endpoints.isEmpty else {
            throw Failure(
                .usage, code: .usageInvalid, "no endpoints in \(workspace.shown("endpoints"))",
                hint: "add one, or import some: reqcli import")
        }
        let code = try Generator.generate(
            GenerationSource(
                workspace: workspace, endpoints: endpoints, environments: try environments(of: workspace),
                module: command.moduleName, hasModels: arguments[GenerateCommand.models]))
        let changes = try changes(code.files)
        if arguments[GenerateCommand.check] {
            let status = report(changes)
            return status
        }
        try write(changes)
        NoteList(code.notes).tell(context)
        return .success
    }

    private func environments(of workspace: Workspace) throws(Failure) -> [EnvironmentChain] {
        var chains: [EnvironmentChain] = []
        for name in workspace.environmentNames.sorted() {
            if case .found(let chain) = try workspace.environment(name).valueOrThrow(reportingWarningsTo: context) {
                chains.append(chain)
            }
        }
        return chains.withoutBases
    }

    // MARK: Comparing

    /// A file that has to be made, changed or removed.
    private struct Change {
        let path: String
        /// The current content; nil if the file doesn't exist.
        let before: [UInt8]?
        /// The new content; nil if the file is to be removed.
        let after: [UInt8]?

        var word: String { before == nil ? "made" : after == nil ? "removed" : "changed" }
    }

    private func changes(_ files: [GeneratedFile]) throws(Failure) -> [Change] {
        let root = FilePath.tidy(try context.pathFromHere(command.folder))
        var changes: [Change] = []
        var foreign: [Diagnostic] = []
        var names: [String: Set<String>] = [:]
        for file in files {
            let folder = FilePath.join(root, FilePath.parent(file.path))
            names[folder, default: []].insert(file.path.split(separator: "/").last.map(String.init) ?? "")
            let path = FilePath.join(root, file.path)
            let after = Array(file.text.utf8)
            guard let kind = context.files.kind(path) else {
                changes.append(Change(path: path, before: nil, after: after))
                continue
            }
            let before = kind == .file ? try? context.files.read(path, 1 << 30) : nil
            guard let before, isGenerated(before) else {
                foreign.append(
                    Diagnostic(
                        code: .fileExists, "\(shown(path)) was not written by reqcli generate", at: nil,
                        hint: "move it, or choose another folder or module"))
                continue
            }
            if before != after { changes.append(Change(path: path, before: before, after: after)) }
        }
        if !foreign.isEmpty { throw Failure(.usage, foreign) }
        for (folder, known) in names.sorted(by: { $0.key < $1.key }) {
            for name in ((try? context.files.names(folder)) ?? []).sorted()
            where name.hasSuffix(".swift") && !known.contains(name) {
                let path = FilePath.join(folder, name)
                guard context.files.kind(path) == .file, let before = try? context.files.read(path, 1 << 30),
                    isGenerated(before)
                else { continue }
                changes.append(Change(path: path, before: before, after: nil))
            }
        }
        return changes.sorted { $0.path < $1.path }
    }

    private func isGenerated(_ bytes: [UInt8]) -> Bool { bytes.starts(with: GeneratedFile.mark.utf8) }

    private func report(_ changes: [Change]) -> ExitStatus {
        guard !changes.isEmpty else {
            context.note("the generated code is up to date")
            return .success
        }
        for change in changes {
            context.write([Styled("would be \(change.word)  ", .yellow) + Styled(harmlessLine(shown(change.path)))])
            guard let before = change.before, let after = change.after else { continue }
            context.write(UnifiedDiff(before, after, name: shown(change.path)).lines)
        }
        context.report(
            code: .codeOutOfDate, "the generated code is out of date: run the command again without --check")
        return .expectationFailed
    }

    // MARK: Writing

    private func write(_ changes: [Change]) throws(Failure) {
        let set = changes.compactMap { change in
            change.after.map {
                FileSet.File(
                    path: context.files.resolve(change.path) ?? change.path, bytes: $0, isThere: change.before != nil)
            }
        }
        do throws(WritingProblem) {
            try FileSet(files: context.files, writing: context.writing).write(set)
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot write the code: \(error.reason)")
        }
        for change in changes where change.after == nil { context.writing.remove(change.path) }
        if changes.isEmpty { return context.note("the generated code is up to date") }
        var columns = Columns()
        for change in changes {
            columns.add(Styled(change.word, .green), Styled(harmlessLine(shown(change.path))))
        }
        context.writeSummary(columns)
    }

    private func shown(_ path: String) -> String {
        (try? context.startFolder()).map { FilePath.shown(path, from: $0) } ?? path
    }
}

extension Diagnostic.Code {
    fileprivate static let codeOutOfDate: Self = "generate.out-of-date"
}
