package import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// The snapshot of a case: where it is kept, and the response that was accepted.
struct CaseSnapshot: Sendable {
    let name: SnapshotName
    /// The path of the file as messages show it.
    let path: String
    /// The accepted response; nil if no response was accepted yet.
    let accepted: SnapshotFile?
}

/// The snapshots that a run may write.
package enum SnapshotUpdate: String, Sendable {
    case all
    /// Only missing snapshots are written.
    case new
}

/// The result of comparing a response with its snapshot.
package struct SnapshotFinding: Sendable {
    package enum State: String, Sendable {
        case same
        case missing
        case different
    }

    package let name: SnapshotName
    package let state: State
    /// The new text of the snapshot file, with which the response is accepted; nil if the file must not be written.
    package internal(set) var text: [UInt8]?
    /// The label of a secret of another call, if the text contains one.
    package private(set) var foreignSecret: String?

    init(_ name: SnapshotName, _ state: State, text: [UInt8]? = nil) {
        (self.name, self.state, self.text) = (name, state, text)
    }

    /// Notes a secret of another call that the text contains. A snapshot with such a secret is not written. Masking it is no
    /// alternative, because which calls were made before differs from run to run.
    mutating func note(secretsOf redactor: Redactor) {
        guard let text, let match = redactor.matches(in: text).first else { return }
        foreignSecret = redactor.secrets[match.secret].label
    }
}

/// The numbers of snapshots in a run.
package struct SnapshotTotals: Sendable, Equatable {
    /// The number of cases whose snapshot is missing and was not written.
    package var missing = 0
    /// The number of cases whose snapshot differs and was not written.
    package var different = 0
    package var written = 0
    package var updated = 0
    package var removed = 0

    package init() {}

    /// Counts the snapshots of cases; nil if no case has a snapshot.
    package init?(of cases: [CaseResult]) {
        let findings = cases.compactMap(\.outcome.snapshot).filter { $0.text == nil }
        if cases.allSatisfy({ $0.outcome.snapshot == nil }) { return nil }
        missing = findings.count { $0.state == .missing }
        different = findings.count { $0.state == .different }
    }

    /// The line of the summary; nil if there is nothing to say.
    var phrase: String? {
        let counts = [
            (written, "written"), (updated, "updated"), (removed, "removed"), (missing, "missing"),
            (different, different == 1 ? "differs" : "differ"),
        ]
        let shown = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if shown.isEmpty { return nil }
        let advice =
            missing + different == 0
            ? ""
            : "; --update-snapshots\(different == 0 ? "=new" : "") accepts the \(missing + different == 1 ? "response" : "responses")"
        return "snapshots: \(shown.joined(separator: ", "))\(advice)"
    }
}
