import CommandLineKit
import Glibc
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Runs a command again after each save of a file that it reads.
///
/// Each run is a separate process, so that an aborted run leaves nothing in memory, and the next run starts with nothing but the
/// files.
struct Watching {
    static let flag = Flag("watch", "Run again whenever a file of the workspace is saved; q or Ctrl-C quits")

    private let context: Context
    private let workspace: Workspace
    /// Files that the command line names in addition to the definitions.
    private let namedFiles: Set<String>
    /// Whether the command has cases. If so, the key `f` runs the cases that did not pass.
    private let hasCases: Bool

    /// - Parameter namedFiles: The paths as they were typed.
    init(
        _ context: Context, _ workspace: Workspace, namedFiles: [String], hasCases: Bool
    ) throws(Failure) {
        self.context = context
        self.workspace = workspace
        self.hasCases = hasCases
        self.namedFiles = Set(
            try namedFiles.map { (path) throws(Failure) in
                guard path != "-", !DescriptorPipe.isNamed(by: path) else {
                    throw Failure(
                        .usage, code: .usageInvalid,
                        "--watch cannot read \(path == "-" ? "standard input" : path) again for each run",
                        hint: "name a file instead")
                }
                return try context.pathFromHere(path)
            })
        guard !context.isInCI else {
            throw Failure(
                .usage, code: .usageInvalid, "--watch needs a terminal, but CI is set",
                hint: "leave out --watch, or unset CI")
        }
    }

    /// Runs the command after each save, until `q` is typed or a signal is received. Returns the status of the last run.
    ///
    /// - Parameter verify: Throws if the command must not run again.
    func run(verify: () throws(Failure) -> Void = { () throws(Failure) in }) throws(Failure) -> ExitStatus {
        try context.refuseFewDescriptors(for: "--watch")
        let status: ExitStatus
        do throws(SystemError) {
            status = try runUntilEnd { (try? verify()) != nil }
        } catch {
            throw Failure(.outputFailed, code: .watchFailed, "cannot watch \(workspace.root): \(error.text)")
        }
        try verify()
        return status
    }

    private enum Selection: Equatable {
        case all, failed
        /// All cases, whose snapshots are updated.
        case updating
        /// The cases that use one of these files.
        case users(of: Set<String>)

        var isOfUsers: Bool { if case .users = self { true } else { false } }

        /// The selection for the next run after this run was given up. It also includes the cases of this selection, because some
        /// of them have not run since the save.
        func replaced(by next: Selection) -> Selection {
            guard case .users(let more) = next else { return next }
            guard case .users(let files) = self else { return .all }
            return .users(of: files.union(more))
        }
    }

    private func runUntilEnd(_ mayRun: () -> Bool) throws(SystemError) -> ExitStatus {
        var watch = FileWatch(folders, files: context.files, isWanted: isWanted)
        let ends = try Pipe()
        let report = hasCases ? try TemporaryReport(context) : nil
        let keys = TerminalKeys(context.terminal)
        let latest = LatestRun()
        let interruption = Interruption()
        @Sendable func tidy() {
            latest.giveUp()
            keys?.restore()
            report?.remove()
        }
        interruption.onEnd(tidy)
        defer { tidy() }
        var selection = Selection.all
        while mayRun() {
            try latest.start(words(selection, report), telling: ends, mayFindNothing: selection.isOfUsers)
            guard let next = self.next(&watch, ends, keys, selection) else { return latest.status }
            selection = latest.giveUp() ? selection.replaced(by: next) : next
        }
        return latest.status
    }

    /// Waits until the command is to run again. Returns nil if the watch is to end.
    private func next(
        _ watch: inout FileWatch, _ ends: Pipe, _ keys: TerminalKeys?, _ selection: Selection
    ) -> Selection? {
        var descriptors = [watch.descriptor, ends.reading, keys == nil ? -1 : STDIN_FILENO].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            descriptors[0].fd = watch.descriptor
            let ready = poll(&descriptors, 3, watch.patience)
            // A signal has interrupted `poll`, so it is called again.
            if ready < 0 { continue }
            if descriptors[0].revents != 0 || ready == 0, let saved = watch.savedFiles() {
                let names = Set(saved.map(shown))
                say(names.count == 1 ? "\(names.joined()) was saved" : "\(names.count) files were saved")
                return hasCases ? users(of: saved) : .all
            }
            if descriptors[1].revents != 0 {
                ends.drain()
                say("watching \(shown(workspace.root)); \(help(isListening: keys != nil))")
            }
            guard descriptors[2].revents != 0 else { continue }
            switch keys?.next() {
            case "q": return nil
            case "a": return .all
            case "\n", "\r": return selection == .updating ? .all : selection
            case "f" where hasCases: return .failed
            case "u" where hasCases: return .updating
            case nil: descriptors[2].fd = -1
            default: break
            }
        }
    }

    private func help(isListening: Bool) -> String {
        if !isListening { return "Ctrl-C ends" }
        return hasCases ? "a: all, f: failed cases, u: update snapshots, Enter: again, q: end" : "Enter: again, q: end"
    }

    /// The cases that use the saved files; all cases if one of the files is gone, is not a regular file, or is used by every
    /// case.
    private func users(of saved: Set<String>) -> Selection {
        saved.allSatisfy { context.files.kind($0) == .file && !workspace.isUsedByAll($0) && !namedFiles.contains($0) }
            ? .users(of: saved) : .all
    }

    private func say(_ text: String) {
        context.messages.write(Styled(text + "\n", .dim), inColour: context.isColoured(.error))
    }

    private func shown(_ path: String) -> String {
        TerminalText.harmless(FilePath.shown(path, from: workspace.currentFolder))
    }

    // MARK: The command

    private func words(_ selection: Selection, _ report: TemporaryReport?) -> [String] {
        let all = CommandLine.arguments.dropFirst()
        let end = all.firstIndex(of: "--") ?? all.endIndex
        var own =
            report.map { ["--report", "json=\($0.path)"] + (selection == .failed ? ["--failed", $0.path] : []) } ?? []
        if selection == .updating { own.append(CheckOptions.updateSnapshots.spec.longSpelling) }
        if case .users(let files) = selection { own += files.sorted().map { "--uses=\($0)" } }
        return all[..<end].filter { $0 != Self.flag.spec.longSpelling } + own + all[end...]
    }

    // MARK: The files

    private var folders: Set<String> {
        Set([workspace.root] + namedFiles.map(FilePath.parent))
    }

    private func isWanted(_ path: String, isFolder: Bool) -> Bool {
        if namedFiles.contains(path) { return !isFolder }
        return workspace.isWatched(path, isFolder: isFolder)
    }
}

extension Workspace {
    /// Whether a saved file, or a folder with its files, can change what a command does.
    func isWatched(_ path: String, isFolder: Bool) -> Bool {
        let inside = FilePath.shown(path, from: root).split(separator: "/")
        guard let first = inside.first, let name = inside.last, !path.hasSuffix("~") else { return false }
        guard Workspace.definitionFolders.contains(String(first)) else {
            return inside.count == 1 && !isFolder && [Workspace.settingsFile, DotEnvFile.name].contains(String(name))
        }
        // Runs write snapshots themselves, so a saved snapshot must not start another run.
        if first == SnapshotName.folder { return false }
        // Editors write files with such names next to a file.
        if name.hasPrefix(".") || name.hasPrefix("#") { return false }
        // Folders outside the workspace are not watched, because a link could lead to all files of the machine.
        if isFolder { return files.resolve(path).map { FilePath.isInside($0, files.resolve(root) ?? root) } ?? true }
        return first == "stubs" || name.hasSuffix(".json") || name.hasSuffix(".jsonc")
    }

    /// Whether a file of the workspace concerns every call: an environment, the settings, `.env`.
    func isUsedByAll(_ path: String) -> Bool {
        let inside = FilePath.shown(path, from: root).split(separator: "/")
        return inside.first == "environments"
            || inside.count == 1 && [Workspace.settingsFile, DotEnvFile.name].contains(String(inside[0]))
    }
}

extension Diagnostic.Code {
    static let watchFailed: Self = "watch.failed"
}
