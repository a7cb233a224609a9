import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText

/// Reads the workspace, at the start and again after each save. A file with errors is used in its last version without errors.
final class Reloading: Sendable {
    private let files = Mutex(LastGoodFiles())
    /// The warnings of the last content without errors, which were already reported.
    private let known = Mutex<[Diagnostic]>([])
    private let source: ServedSource
    private let workspace: Workspace
    private let context: Context
    private let log: ServeLog

    init(_ source: ServedSource, _ workspace: Workspace, _ context: Context, _ log: ServeLog) {
        self.source = source
        self.workspace = workspace
        self.context = context
        self.log = log
    }

    /// Loads the content at the start, when every error is a failure.
    func begin() throws(Failure) -> ServedSource.Content {
        let (content, problems) = load(context)
        if let content, problems.isEmpty {
            report(content.alike)
            return content
        }
        // Loads again to throw the original failure, which has the right exit status.
        return try source.load(workspace, context.quiet)
    }

    /// Reads files again after they were saved, and gives the new content to an engine.
    func reload(_ saved: Set<String>, _ engine: MockEngine) {
        let (content, problems) = load(context.quiet)
        let gone = engine.replace(content?.served, problems)
        let names = saved.map { FilePath.shown($0, from: workspace.currentFolder) }.sorted()
        let lines = problems.map { problem in
            problem.place.map { "\($0.description): \(problem.message)" } ?? problem.message
        }
        let lost = gone.isEmpty ? nil : "chosen stub variants no longer exist: \(gone.joined(separator: ", "))"
        let told = lines + [lost].compactMap(\.self)
        if log.isJSON {
            log.addEvent([
                "event": "reload", "files": .array(names.map { .string($0) }),
                "endpoints": content.map { .int($0.served.endpoints.count) },
                "problems": told.isEmpty ? nil : .array(told.map { .string($0) }),
            ])
        } else if problems.isEmpty {
            log.addLine("reloaded: \(names.joined(separator: ", "))")
        } else {
            context.report(problems)
            log.addLine("saved files have errors: the server keeps using their last valid versions")
        }
        if let lost, !log.isJSON { log.addLine(lost) }
        if let content { report(content.alike) }
    }

    /// Reports warnings that weren't there before.
    private func report(_ warnings: [Diagnostic]) {
        let before = known.withLock { known in
            defer { known = warnings }
            return known
        }
        context.report(warnings.filter { !before.contains($0) })
    }

    private func load(_ context: Context) -> (content: ServedSource.Content?, problems: [Diagnostic]) {
        files.withLock { files in
            let loaded = files.load(workspace) { (workspace) throws(Failure) in try source.load(workspace, context) }
            return (loaded.value, loaded.problems)
        }
    }
}

extension Context {
    /// The context without its messages, because the warnings of this content were already reported.
    fileprivate var quiet: Context {
        var quiet = self
        quiet.messages = Output { _ in }
        return quiet
    }
}
