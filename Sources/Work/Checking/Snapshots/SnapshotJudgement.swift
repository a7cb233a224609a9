import Calling
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMatching
import ReqcliRedaction
import ReqcliText

/// Compares a response with the snapshot of its case.
struct SnapshotJudgement {
    /// The subject of failures that are about the snapshot as a whole.
    static let subject = "snapshot"

    private let snapshot: CaseSnapshot
    private let parts: CompiledSnapshot
    private let response: ReceivedResponse
    private let own: Redactor
    private let excerpts: Excerpts

    /// - Parameter own: A redactor for the secrets of this call and of its response. These secrets are masked, as in a saved
    ///   stub.
    init(
        _ snapshot: CaseSnapshot, _ parts: CompiledSnapshot, _ response: ReceivedResponse, own: Redactor,
        excerpts: Excerpts
    ) {
        (self.snapshot, self.parts, self.response, self.own) = (snapshot, parts, response, own)
        self.excerpts = excerpts
    }

    /// Adds the result of the comparison to the outcome of all other expectations. The response becomes the accepted one only if
    /// all other expectations are met.
    func judge(_ outcome: inout Outcome, updating update: SnapshotUpdate?, hidden: CaptureReader.Values) {
        // A response with a wrong status is not compared: an error page would differ in everything.
        if outcome.refusedStatus != nil { return }
        let content: SnapshotContent
        do throws(SnapshotContent.Problem) {
            content = try SnapshotContent(response, parts, own, excerpts)
        } catch {
            outcome.failures.append(unkeepable(error))
            return
        }
        let differences = snapshot.accepted.map { comparison($0, content) }
        let state: SnapshotFinding.State =
            differences.map { $0.count == 0 ? .same : .different } ?? .missing
        outcome.snapshot = SnapshotFinding(snapshot.name, state)
        guard state != .same else { return }
        // The response of a stub that has to fail is never accepted, because the snapshot has to detect it.
        let mayWrite = (update == .all || update == .new && state == .missing) && outcome.stub?.mustFail != true
        guard mayWrite else {
            outcome.failures += differences.map { failures($0) } ?? [missing]
            if outcome.stub?.mustFail == true { outcome.snapshot = nil }
            return
        }
        guard outcome.failures.isEmpty else {
            outcome.snapshot = nil
            return
        }
        if let problem = hidden.problems.first, !hidden.hiddenParts.isEmpty {
            outcome.failures.append(failure("every secret to be captured, so that it can be masked", problem.wording))
            return
        }
        let text = snapshot.accepted.map { SnapshotPatch.text(from: $0.root, to: content.root) } ?? content.fileText
        if text.count > Workspace.largestFile {
            outcome.failures.append(unkeepable(SnapshotContent.tooLarge))
        } else {
            outcome.snapshot?.text = text
        }
    }

    private func failure(_ expected: Wording, _ actual: Wording) -> ExpectationFailure {
        ExpectationFailure(Wording(own: Self.subject), expected: expected, actual: actual, at: parts.place)
    }

    private func unkeepable(_ problem: SnapshotContent.Problem) -> ExpectationFailure {
        failure("a response that a snapshot can keep", problem.message)
    }

    private var missing: ExpectationFailure {
        failure(
            "a snapshot in \(own: snapshot.path)",
            "no such file: run again with --update-snapshots=new to accept this response")
    }

    // MARK: Differences

    private func comparison(_ accepted: SnapshotFile, _ content: SnapshotContent) -> JSONComparison {
        let ignored = accepted.body.map { body in parts.ignored.flatMap { (try? $0.nodes(in: body)) ?? [] } } ?? []
        return JSONComparison(
            .equality, expected: accepted.root, actual: content.root, ignoring: (ignored, content.ignored))
    }

    private func failures(_ comparison: JSONComparison) -> [ExpectationFailure] {
        let shown = comparison.kept.map { failure($0) }
        guard comparison.count > comparison.kept.count else { return shown }
        let rest = comparison.count - comparison.kept.count
        return shown + [
            failure(
                "the content of \(own: snapshot.path)", "\(rest) more \(own: rest == 1 ? "difference" : "differences")")
        ]
    }

    private func failure(_ difference: JSONComparison.Difference) -> ExpectationFailure {
        let subject = Subject(difference.steps, excerpts)
        func failure(_ expected: Wording, _ actual: Wording, at place: Place) -> ExpectationFailure {
            ExpectationFailure(
                subject.title, path: subject.path, expected: expected, actual: actual, at: place)
        }
        switch difference.kind {
        case .changed(let expected, let actual):
            let pair = excerpts.pair(expected, actual)
            return failure(pair.0, pair.1, at: expected.headPlace)
        case .missing(let value), .notIncluded(let value, _):
            return failure(excerpts.json(value), "nothing", at: value.headPlace)
        case .unexpected(let value, let container):
            return failure(
                container.kind == .array ? "no such element" : "no such member", excerpts.json(value),
                at: container.headPlace)
        }
    }

    /// The part of the response in which a value of the snapshot differs.
    private struct Subject {
        let title: Wording
        var path: Wording?

        init(_ steps: [JSONValue.Step], _ excerpts: Excerpts) {
            let rest = steps.dropFirst()
            switch (steps.first, rest.first) {
            case (.key("headers"), .key(let name)): title = "header \(excerpts.line(Array(name.utf8)))"
            case (.key("headers"), _): title = "header"
            case (.key("body"), _):
                title = excerpts.line(Array(JSONPath.short(rest).utf8))
                path = Wording(quoting: JSONPath.normalized(rest))
            case (.key("text"), .index(let index)): title = "line \(index + 1)"
            case (.key("text"), _): title = "body"
            case (.key(let name), _): title = excerpts.line(Array(name.utf8))
            default: title = Wording(own: SnapshotJudgement.subject)
            }
        }
    }
}
