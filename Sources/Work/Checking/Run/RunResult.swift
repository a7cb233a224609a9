package import ReqcliBasics
package import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// A case and its result, without secrets. A scenario is a case that has steps.
package struct CaseResult: Sendable {
    /// The position among the cases of all shards together, from 1.
    package internal(set) var number: Int
    package internal(set) var id: String
    /// The endpoint's id; for a scenario, the id of the scenario without the row.
    package internal(set) var endpointID: String
    package internal(set) var checkName: String?
    package internal(set) var row: Int?
    package internal(set) var summary: String?
    package internal(set) var tags: [String]
    /// The place of the case in its file.
    package internal(set) var place: Place
    /// The probe's change to the call; nil for a case that is not a probe.
    @Rare package internal(set) var probe: Probe? = nil
    package internal(set) var outcome: Outcome
    /// The steps of a scenario, followed by the steps of its cleanup; empty for any other case.
    package internal(set) var steps: [StepResult] = []

    package var verdict: Verdict { outcome.verdict }

    package var isScenario: Bool { !steps.isEmpty }

    package var exitStatus: ExitStatus {
        if !isScenario { return outcome.exitStatus }
        // The exit status for problems that concern the scenario as a whole and not one of its steps.
        let own = outcome.problem?.status ?? (outcome.failures.isEmpty ? .success : .expectationFailed)
        return ExitStatus.worst(of: steps.map(\.outcome.exitStatus) + [own])
    }
}

/// A step of a scenario and its result.
package struct StepResult: Sendable {
    /// The name of the step or, if it has none, the endpoint's id.
    package internal(set) var name: String
    package internal(set) var endpointID: String
    package internal(set) var isCleanup: Bool
    package internal(set) var place: Place
    /// The outcome; `notJudged` with a reason for a step that was skipped or left out.
    package internal(set) var outcome: Outcome

    package var verdict: Verdict { outcome.verdict }
}

/// A call that was made because cases require it.
package struct DependencyResult: Sendable {
    /// The endpoint's id, with the params of the call.
    var callWording: Wording
    package internal(set) var endpointID: String
    package internal(set) var place: Place
    package var id: String { callWording.text }
    /// True if the call was repeated because its captured values were refused.
    package internal(set) var isRefresh: Bool
    package internal(set) var outcome: Outcome
}

/// The result of a finished run, from which reports are made.
package struct RunResult: Sendable {
    package internal(set) var environment: String
    package var origin = RunOrigin()
    package internal(set) var shard: Shard?
    /// The number of cases in all shards together.
    package internal(set) var selectedCount: Int
    /// The cases in the order of the files, and then the scenarios.
    package internal(set) var cases: [CaseResult]
    /// The requests and responses that `cases` lacks, because they are in a file.
    package internal(set) var exchanges: FiledExchanges?
    /// The required calls in the order in which they began.
    package internal(set) var dependencies: [DependencyResult]
    /// The start of the run, in seconds since 1970.
    package internal(set) var startedAt: Double
    package internal(set) var duration: Duration
    package internal(set) var wasInterrupted: Bool
    /// Warnings that every report must show, for example that certificates were not checked.
    package var warnings: [String] = []
    /// The numbers of snapshots that were written, updated, missing and so on; nil if no case has a snapshot.
    package var snapshots: SnapshotTotals?
    /// The files that could not be written.
    package var problems: [Failure] = []
    /// The cases and probes that the run left out, with the reasons, as sentences.
    package var leftOut: [String] = []
    /// The fingerprint of the plan, which is the same for all parts of one run; nil if no report needs it.
    package var plan: String?
    /// The secrets that the run has met, and the time on the clock at which it began, for a recording. No report has them.
    package internal(set) var secrets: [Redactor.Secret] = []
    package internal(set) var began = Duration.zero
    /// The reasons why a merged run is incomplete; empty for every other run.
    package var gaps: [Diagnostic] = []
    /// The command that has found the gaps.
    var gapSource = "reqcli report merge"
    /// The exit status if the run was interrupted.
    package var endOnInterruption = ExitStatus.interrupted

    /// The documented operations and statuses for which responses were received, for each description.
    var coverage: [OpenAPICoverage] {
        let outcomes = cases.flatMap { [$0.outcome] + $0.steps.map(\.outcome) } + dependencies.map(\.outcome)
        return OpenAPICoverage.of(outcomes.compactMap(\.answer))
    }

    /// The cases with their requests and responses.
    var wholeCases: some Collection<CaseResult> { cases.indices.lazy.map(whole) }

    func whole(_ index: Int) -> CaseResult { exchanges?.restored(cases[index], at: index) ?? cases[index] }

    /// The number of cases that ran at the same time, on average.
    package var meanParallelCases: Double {
        let busy = cases.reduce(0) { $0 + $1.outcome.duration.seconds }
        return duration > .zero ? busy / duration.seconds : 0
    }

    package func count(_ verdict: Verdict) -> Int { cases.count { $0.verdict == verdict } }

    /// The number of cases that passed only on a later attempt.
    package var flakyCount: Int { cases.count { $0.outcome.flake != nil } }

    /// The exit status of the run.
    package var exitStatus: ExitStatus {
        if !gaps.isEmpty { return .usage }
        if wasInterrupted { return endOnInterruption }
        let nothing = hasProbedNothing ? [ExitStatus.usage] : []
        return ExitStatus.worst(of: cases.map(\.exitStatus) + nothing)
    }

    /// Whether the run had probes, but none of the probes was judged.
    package var hasProbedNothing: Bool {
        let probes = cases.filter { $0.probe != nil }
        return !probes.isEmpty && probes.allSatisfy { $0.verdict == .notJudged }
    }

    package var isEmptyShard: Bool { cases.isEmpty && selectedCount > 0 }
}

/// An event of a run in progress.
package enum RunEvent: Sendable {
    /// A case has ended. These events are sent in the order of the files.
    case ended(CaseResult)
    /// The progress has changed.
    case progress(RunProgress)
}

package struct RunProgress: Sendable, Equatable {
    package let total: Int
    package let done: Int
    package let notPassed: Int
    private let ids: [String]
    private let positions: [Int]

    /// The cases that are running, in the order of the files. Computed when needed.
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
