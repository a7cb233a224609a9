import Checking
import CommandLineKit
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The files for the reports of a run. They are opened before the run, so that a file that cannot be written is reported before
/// anything is sent.
final class ReportFiles<Kind: ReportFormat> {
    fileprivate let requests: [RequestedReport<Kind>]
    private let context: Context
    private var sinks: [String: any BodySink] = [:]
    /// The reasons why some files can't be opened.
    private(set) var problems: [Failure] = []

    /// Opens the files.
    ///
    /// - Parameters:
    ///   - workspace: The workspace whose definitions no report may replace; nil if there is none.
    ///   - interruption: Used to remove unfinished files when a signal ends the run.
    init(
        _ requests: [RequestedReport<Kind>], in workspace: Workspace?, _ context: Context, _ interruption: Interruption
    ) {
        self.requests = requests
        self.context = context
        var earlier: [String: RequestedReport<Kind>] = [:]
        for request in requests where !request.isForStandardOutput {
            let target = context.files.target(
                of: FilePath.join(workspace?.currentFolder ?? context.currentFolder() ?? ".", request.path))
            if workspace?.isAmongDefinitions(target) == true {
                problems.append(request.isAmongDefinitions)
                continue
            }
            if let other = earlier.updateValue(request, forKey: target) {
                problems.append(request.clash(with: other))
                continue
            }
            do throws(WritingProblem) {
                // A pipe or a device is written to directly, because it can't be replaced by a finished file.
                sinks[request.path] =
                    if let device = try DeviceSink(request.path, context.files) { device } else {
                        try FileSink(request.path, .replacement, context.writing, interruption)
                    }
            } catch {
                problems.append(request.problem(error))
            }
        }
    }

    /// Removes the unfinished files, because there was no run.
    func abandon() { for sink in sinks.values { sink.abandon() } }

    /// Removes the reports of an earlier run, because there was no run: a report that is there would be taken for that of this one.
    /// A file that is no report stays.
    static func removeEarlier(_ requests: [RequestedReport<Kind>], _ context: Context) {
        for request in requests where !request.isForStandardOutput {
            guard let path = try? context.pathFromHere(request.path), context.files.kind(path) == .file,
                let text = try? context.files.read(path, longestReport), text.isReport
            else { continue }
            context.writing.remove(path)
            context.note("\(request.path) is removed, because it is of an earlier run")
        }
    }

    private static var longestReport: Int { 1 << 30 }

    /// Writes all reports, each completely or not at all.
    ///
    /// - Parameter obstacle: The reason why a report that was just written is incomplete.
    func write(
        _ pieces: @escaping (RequestedReport<Kind>, (String) -> Void) -> Void,
        unless obstacle: @escaping () -> String? = { nil }
    ) -> [Failure] {
        requests.write(pieces) { path, writeParts throws(WritingProblem) in
            guard let sink = self.sinks[path] else { throw WritingProblem("the file was not opened") }
            do throws(WritingProblem) {
                var problem: WritingProblem?
                writeParts { part in
                    guard problem == nil else { return }
                    do throws(WritingProblem) {
                        if try !sink.write(Data(part.utf8)) { problem = WritingProblem("no program reads from it") }
                    } catch {
                        problem = error
                    }
                }
                if let problem = problem ?? obstacle().map({ WritingProblem($0) }) { throw problem }
                try sink.finish()
            } catch {
                sink.abandon()
                throw error
            }
        } toStandardOutput: {
            context.output.write($0)
        }
    }
}

extension ReportFiles<ReportKind> {
    /// Writes all reports of a run.
    func write(_ result: RunResult) -> [Failure] {
        let failures = write({ $0.kind.report.write(result, to: $1) }) { result.exchanges?.problem }
        guard let problem = result.exchanges?.problem else { return failures }
        return failures + requests.filter(\.isForStandardOutput).map { $0.problem(WritingProblem(problem)) }
    }
}

extension [UInt8] {
    /// Whether these bytes are a report of `check` or `load`: each kind names the program or its format at the beginning.
    fileprivate var isReport: Bool {
        let start = String(decoding: prefix(64 << 10), as: UTF8.self)
        return [
            "package=\"reqcli\"", "\"reqcli.check\"", "\"reqcli.mutations\"", "\"reqcli.load\"", "### reqcli load",
            "<h1>reqcli check</h1>",
            "<h1>reqcli load</h1>",
            "TAP version 14\n",
        ].contains(
            where: start.contains)
    }
}

extension FileSystem {
    /// The file that a path leads to after following links. One file can have many paths.
    fileprivate func target(of full: String) -> String {
        if let found = resolve(full) { return found }
        let folder = FilePath.parent(full)
        let name = full.split(separator: "/").last.map(String.init) ?? ""
        return FilePath.tidy(FilePath.join(resolve(folder) ?? folder, name))
    }
}

extension Workspace {
    fileprivate func isAmongDefinitions(_ target: String) -> Bool {
        let inside = FilePath.shown(target, from: files.resolve(root) ?? root)
        return Self.definitionFolders.contains { inside.hasPrefix($0 + "/") } || inside == Self.settingsFile
    }
}
