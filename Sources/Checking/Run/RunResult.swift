package import CommandLineKit
package import SourceText

/// One case and what became of it. Nothing in it is secret.
package final class CaseResult: Sendable {
    package let id: String
    package let endpointID: String
    package let checkName: String?
    package let row: Int?
    package let summary: String?
    package let tags: [String]
    /// Where the case stands in its file.
    package let place: Place
    package let outcome: Outcome

    init(
        id: String, endpointID: String, checkName: String?, row: Int?, summary: String?, tags: [String], place: Place,
        outcome: Outcome
    ) {
        self.id = id
        self.endpointID = endpointID
        self.checkName = checkName
        self.row = row
        self.summary = summary
        self.tags = tags
        self.place = place
        self.outcome = outcome
    }

    package var verdict: Verdict { outcome.verdict }
}

/// Something that ran because cases need it.
package struct DependencyResult: Sendable {
    /// The endpoint's id, with the params it was called with.
    package let id: String
    package let endpointID: String
    package let place: Place
    /// True for one that ran again because what it had captured was refused.
    package let isRefresh: Bool
    package let outcome: Outcome
}

/// A run that is over: what reports are made of.
package struct RunResult: Sendable {
    package let environment: String
    package let shard: Shard?
    /// Of all shards together.
    package let selectedCount: Int
    /// In the order of the files.
    package let cases: [CaseResult]
    /// In the order in which they began.
    package let dependencies: [DependencyResult]
    /// Seconds since 1970.
    package let startedAt: Double
    package let duration: Duration
    package let wasInterrupted: Bool
    /// What a reader of any report has to know, whatever the verdicts: such as that no certificate was checked.
    package var warnings: [String] = []
    /// What the program ends with if it was.
    package var endOnInterruption = ExitStatus.interrupted

    package func count(_ verdict: Verdict) -> Int { cases.count { $0.verdict == verdict } }

    /// What the program ends with.
    package var exitStatus: ExitStatus {
        wasInterrupted ? endOnInterruption : ExitStatus.worst(of: cases.map(\.outcome.exitStatus))
    }

    package var isEmptyShard: Bool { cases.isEmpty && selectedCount > 0 }
}

/// What a run tells while it goes on.
package enum RunEvent: Sendable {
    /// A case is over; they come in the order of the files, however they ended.
    case ended(CaseResult)
    /// How far it is, whenever that changes.
    case progress(RunProgress)
}

package struct RunProgress: Sendable, Equatable {
    package let total: Int
    package let done: Int
    package let notPassed: Int
    private let ids: [String]
    private let positions: [Int]

    /// What was begun and is not over, in the order of the files. Mostly nobody asks.
    package var running: [String] { positions.map { ids[$0] } }

    init(total: Int, done: Int, notPassed: Int, running positions: [Int], of ids: [String]) {
        self.total = total
        self.done = done
        self.notPassed = notPassed
        self.positions = positions
        self.ids = ids
    }

    package init(total: Int, done: Int, notPassed: Int, running: [String]) {
        self.init(total: total, done: done, notPassed: notPassed, running: Array(running.indices), of: running)
    }
}
