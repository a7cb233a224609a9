import Exporting
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// A workspace whose files are being written. It keeps what was read, so that a changed file alone is read anew.
final class ServedWorkspace {
    let root: String
    /// The files with the text of the open documents.
    let files: FileSystem
    private let documents: OpenDocuments
    private var watch: FileWatch
    /// The URIs of the open documents, by their paths.
    private var uris: [String: String] = [:]
    private var edited: Set<String> = []
    private var known: WorkspaceReading?
    private var knownOccurrences: [Occurrence]?
    /// The problems when the whole workspace was judged last, by path.
    private var judged: [String: [Diagnostic]] = [:]
    /// The problems of files that were edited since, as far as they alone show them.
    private var edits: [String: [Diagnostic]] = [:]
    /// The problems that the client knows of, by path.
    private var told: [String: [OrderedJSON]] = [:]
    /// Whether something has changed since the workspace was judged.
    private(set) var isStale = true

    /// - Parameters:
    ///   - files: The files with the text of the open documents.
    ///   - saved: The files as they are saved.
    init(_ root: String, files: FileSystem, watching saved: FileSystem, _ documents: OpenDocuments) {
        self.root = root
        self.files = files
        self.documents = documents
        watch = FileWatch([root], files: saved) { path, isFolder in
            Self.isPart(path, of: root) || !isFolder && path == FilePath.join(root, Workspace.settingsFile)
        }
    }

    private static func isPart(_ path: String, of root: String) -> Bool {
        Workspace.definitionFolders.contains { FilePath.isInside(path, FilePath.join(root, $0)) }
    }

    /// Whether a file is one of the workspace's: not of a workspace inside this one.
    func contains(_ path: String) -> Bool {
        Self.isPart(path, of: root) || FilePath.parent(path) == root
    }

    /// A path from the workspace's root.
    func inside(_ path: String) -> String {
        FilePath.isInside(path, root) ? String(path.dropFirst(root.hasSuffix("/") ? root.count : root.count + 1)) : path
    }

    // MARK: Documents

    func opened(_ path: String, uri: String) {
        uris[path] = uri
        edited(path)
    }

    func closed(_ path: String) {
        edited(path)
        edited.remove(path)
        uris[path] = nil
        // The client forgets what it pulled of a file that it closes.
        told[path] = nil
    }

    func edited(_ path: String) {
        known = known?.readingAgain(inside(path))
        knownOccurrences = nil
        edits[path] = nil
        edited.insert(path)
        isStale = true
    }

    func uri(of path: String) -> String? { uris[path] }

    func isOpen(_ path: String) -> Bool { uris[path] != nil }

    /// The open files that were edited since the last call.
    func takeEdited() -> [String] {
        defer { edited = [] }
        return edited.sorted()
    }

    /// Takes the files that were saved outside the editor. Returns whether there are any.
    func takeSavedFiles() -> Bool {
        let saved = watch.changes().filter { !isOpen($0) }
        if saved.isEmpty { return false }
        readsAgain()
        return true
    }

    /// The descriptor that is readable when a file was saved; negative if there is none.
    var watchDescriptor: Int32 { watch.descriptor }

    func readsAgain() {
        known = nil
        knownOccurrences = nil
        isStale = true
    }

    // MARK: Answers

    /// The requests of the endpoints as the files have them, in the environment in force; nil if there is no such environment.
    func requests(in context: Context) -> FilledRequests? {
        let plain = Workspace(root: root, currentFolder: root, files: files)
        var world = context.silent.world
        world.files = files
        guard let environment = try? context.silent.environment(flag: nil, in: plain) else { return nil }
        return FilledRequests(
            ExportSource(
                title: "", workspace: plain.inside(environment), endpoints: [], environment: environment,
                environments: [environment], world: world, version: Program.version))
    }

    var reading: WorkspaceReading {
        if let known { return known }
        let workspace = Workspace(root: root, currentFolder: root, files: files)
        let reading = WorkspaceReading(workspace, withLoads: true)
        known = reading
        return reading
    }

    /// The occurrences in all files.
    var occurrences: [Occurrence] {
        if let knownOccurrences { return knownOccurrences }
        let found = reading.occurrences()
        knownOccurrences = found
        return found
    }

    /// The problems of a file: those of `validate`, or, until the workspace is judged again, those that the file alone shows.
    func problems(in path: String) -> [Diagnostic] {
        let problems = currentProblems(in: path)
        told[path] = problems.map { OrderedJSON($0) }
        return problems
    }

    private func currentProblems(in path: String) -> [Diagnostic] {
        guard isStale, isOpen(path) else { return judged[path] ?? [] }
        if let found = edits[path] { return found }
        guard known != nil || judged.isEmpty else { return judged[path] ?? [] }
        let found = reading.problems(in: inside(path), judging: Assembler.certainProblems)
        edits[path] = found
        return found
    }

    /// Judges all files. Returns the paths whose problems the client doesn't know.
    func judge() -> [String] {
        let report = reading.validate(judging: Assembler.certainProblems)
        isStale = false
        edits = [:]
        judged = [:]
        for problem in report.diagnostics {
            judged[FilePath.join(root, problem.fileName ?? Workspace.settingsFile), default: []].append(problem)
        }
        let paths = Set(judged.keys).union(told.filter { !$0.value.isEmpty }.keys).union(uris.keys)
        return paths.filter { told[$0] != (judged[$0] ?? []).map { OrderedJSON($0) } }.sorted()
    }
}
