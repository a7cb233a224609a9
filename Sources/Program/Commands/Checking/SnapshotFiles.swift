import Checking
import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Writes the snapshots that a run has accepted, after the run has ended. Writing at the end keeps parallel cases from
/// interfering with each other, and lets an interrupted run change nothing.
struct SnapshotFiles: Sendable {
    let workspace: Workspace
    let context: Context
    /// The snapshots that belong to a case in any environment; nil if no snapshot may be removed.
    let owned: Set<SnapshotName>?

    /// Writes and removes snapshot files. Adds to the result what was done and what failed.
    func write(_ result: inout RunResult) {
        guard var totals = SnapshotTotals(of: result.cases) ?? owned.map({ _ in SnapshotTotals() }) else { return }
        if !result.wasInterrupted {
            let unlock = context.writing.lockFolder(workspace.path("endpoints"))
            defer { unlock() }
            for finding in result.cases.compactMap(\.outcome.snapshot) {
                guard let text = finding.text else { continue }
                do throws(Failure) {
                    try write(finding, text)
                    if finding.state == .missing { totals.written += 1 } else { totals.updated += 1 }
                } catch {
                    result.problems.append(error)
                }
            }
            totals.removed = removeUnused(&result)
        }
        if totals != SnapshotTotals() || result.cases.contains(where: { $0.outcome.snapshot != nil }) {
            result.snapshots = totals
        }
    }

    private func write(_ finding: SnapshotFinding, _ text: [UInt8]) throws(Failure) {
        if let secret = finding.foreignSecret {
            throw problem(
                finding.name, "the response contains \(secret), which is a secret of another call",
                hint: "leave the value out with \"match\" or \"ignore\"")
        }
        do throws(WritingProblem) {
            let path = workspace.path(finding.name.path)
            if !isOwn(SnapshotName.folder) {
                throw WritingProblem("\(SnapshotName.folder) is a link to another folder")
            }
            if !isOwn(finding.name.path) { throw WritingProblem("the file is a link") }
            try context.writing.makeFolder(workspace.path(SnapshotName.folder))
            try context.writing.writeFile(path, text, .replacement)
        } catch {
            throw problem(finding.name, error.reason)
        }
    }

    /// Removes the snapshot files that belong to no case. Does nothing unless every case has run. Returns the number of removed
    /// files.
    private func removeUnused(_ result: inout RunResult) -> Int {
        guard let owned, result.cases.allSatisfy({ [.passed, .failed].contains($0.verdict) }) else { return 0 }
        var count = 0
        for name in workspace.snapshotNames where !owned.contains(name.ofCase) {
            let path = workspace.path(name.path)
            // Keeps links and files in another format, because reqcli didn't write them.
            guard isOwn(name.path), workspace.files.kind(path) == .file, workspace.isSnapshot(name) else { continue }
            context.writing.remove(path)
            if workspace.files.kind(path) == nil {
                count += 1
            } else {
                result.problems.append(problem(name, "no case uses the snapshot, but it cannot be removed"))
            }
        }
        return count
    }

    /// Whether no folder or file on a path in the workspace is a link; also true if the path doesn't exist.
    private func isOwn(_ inside: String) -> Bool {
        let root = workspace.files.resolve(workspace.root) ?? workspace.root
        return workspace.files.resolve(workspace.path(inside)).map { $0 == FilePath.join(root, inside) } ?? true
    }

    private func problem(_ name: SnapshotName, _ reason: String, hint: String? = nil) -> Failure {
        Failure(
            .outputFailed, code: .snapshotUnwritten, "cannot write \(workspace.shown(name.path)): \(reason)", hint: hint
        )
    }
}

extension Diagnostic.Code {
    static let snapshotUnwritten: Self = "snapshot.unwritten"
}
