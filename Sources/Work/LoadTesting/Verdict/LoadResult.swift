package import Checking
package import ReqcliText
import RequestBuilding

/// The result of a finished load, from which reports are made.
package struct LoadResult: Sendable {
    package enum Ending: Sendable, Equatable {
        case complete
        /// A condition was not met.
        case aborted(_ condition: String, after: Duration)
        case interrupted
    }

    package let plan: LoadPlan
    /// The measurements of each action, in the order of the plan.
    package let tallies: [Tally]
    package let timeline: Timeline
    package let ending: Ending
    package let verdicts: [ThresholdVerdict]
    /// The reasons why the load proves nothing.
    package let findings: [LoadFinding]
    /// The number of cores that the generator has used.
    package let usedCores: Double
    /// The start of the load, in seconds since 1970.
    package let startedAt: Double
    package let duration: Duration
    /// Facts about the run that every report has.
    package var origin = RunOrigin()
    /// Warnings that every report must show, for example that certificates were not checked.
    package var warnings: [String] = []
    /// The exit status if the load was interrupted.
    package var endOnInterruption = ExitStatus.interrupted

    /// The measurements of all actions together.
    package let all: Tally

    init(_ plan: LoadPlan, _ state: LoadBook.State, startedAt: Double, duration: Duration) {
        self.plan = plan
        tallies = state.tallies
        timeline = state.timeline
        ending = state.ending
        self.startedAt = startedAt
        self.duration = duration
        usedCores = state.health.usedCores
        let all = state.tallies.reduce(into: Tally()) { $0.add($1) }
        self.all = all
        let length = min(state.stop ?? .seconds(Int64.max), plan.schedule?.length ?? min(plan.length, duration))
        verdicts = plan.thresholds.map { threshold in
            let index = plan.actions.firstIndex { $0.id == threshold.action }
            return threshold.verdict(on: index.map { state.tallies[$0] } ?? all, over: length)
        }
        var findings = [state.timeline.finding, state.health.finding].compactMap(\.self)
        if let shortage = state.shortage {
            findings.append(
                LoadFinding(
                    .resources, "this machine could not send all requests: \(shortage)",
                    hint: "raise the limit of open files (ulimit -n), or use several machines"))
        }
        let unused = zip(plan.actions, state.tallies).filter { $1.arrivals == 0 }.map(\.0.id)
        if !unused.isEmpty {
            findings.append(
                LoadFinding(
                    .empty, "no request was made of \(unused.joined(separator: ", "))",
                    hint: "let the load run longer, or give the endpoint more weight"))
        }
        self.findings = plan.isRehearsal ? [] : findings
    }

    /// The exit status of the load.
    package var exitStatus: ExitStatus {
        if ending == .interrupted { return endOnInterruption }
        if !findings.isEmpty { return .usage }
        if case .aborted = ending { return .expectationFailed }
        return verdicts.allSatisfy(\.holds) ? .success : .expectationFailed
    }

    /// The sentences about the run as a whole.
    package var remarks: [String] {
        var remarks: [String] = []
        switch ending {
        case .complete: break
        case .aborted(let condition, let time):
            remarks.append("aborted after \(TimeText.short(time)): \(condition) was not met")
        case .interrupted: remarks.append("interrupted: the remaining requests were not sent")
        }
        if plan.isRehearsal { remarks.append("only rehearsed: stubs responded, so nothing was measured") }
        if plan.schedule == nil, !plan.isRehearsal {
            remarks.append(
                "users wait for their responses, so that a slow server gets fewer requests: latencies hide its pauses")
        }
        return remarks
    }
}
