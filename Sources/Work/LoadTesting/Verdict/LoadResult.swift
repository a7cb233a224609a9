package import Checking
import ReqcliDefinitions
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
    /// The measurements of each row of the plan.
    package let tallies: [Tally]
    /// The measurements of the stages that count for no threshold.
    package let unjudged: Tally
    package let timeline: Timeline
    package let ending: Ending
    /// Empty for a part of a load, whose measurements only count together with those of the other parts.
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

    /// The measurements of all rows together.
    package let all: Tally

    /// The result of a load on this machine.
    init(
        _ plan: LoadPlan, _ state: LoadBook.State, startedAt: Double, duration: Duration,
        adding other: LoadFinding? = nil
    ) {
        // A rehearsal measures nothing.
        let measured = plan.isRehearsal ? [] : [state.timeline.finding, state.health.finding]
        var findings = ([other] + measured).compactMap(\.self)
        if !plan.isRehearsal, let shortage = state.shortage {
            findings.append(
                LoadFinding(
                    .resources, "this machine could not send all requests: \(shortage)",
                    hint: "raise the limit of open files (ulimit -n), or use several machines"))
        }
        self.init(
            plan, tallies: state.tallies, unjudged: state.unjudged, timeline: state.timeline, ending: state.ending,
            findings: findings, usedCores: state.health.usedCores, startedAt: startedAt, duration: duration,
            stop: state.stop)
    }

    /// - Parameters:
    ///   - findings: The findings that don't follow from the measurements.
    ///   - stop: The time at which the load was stopped; nil if it was not.
    init(
        _ plan: LoadPlan, tallies: [Tally], unjudged: Tally, timeline: Timeline, ending: Ending,
        findings: [LoadFinding], usedCores: Double, startedAt: Double, duration: Duration, stop: Duration? = nil
    ) {
        (self.plan, self.tallies, self.unjudged, self.timeline) = (plan, tallies, unjudged, timeline)
        (self.ending, self.usedCores, self.startedAt, self.duration) = (ending, usedCores, startedAt, duration)
        let all = tallies.reduce(into: Tally()) { $0.add($1) }
        self.all = all
        let length = min(
            stop ?? .seconds(Int64.max), plan.schedule == nil ? min(plan.judgedLength, duration) : plan.judgedLength)
        let isPart = plan.part != nil
        verdicts =
            isPart
            ? []
            : plan.thresholds.map { threshold in
                let index = plan.rows.firstIndex { $0 == threshold.action }
                return threshold.verdict(on: index.map { tallies[$0] } ?? all, over: length)
            }
        let unused = zip(plan.actions, plan.firstRows).filter { action, first in
            tallies[first..<first + action.rows.count].allSatisfy { $0.arrivals == 0 }
        }.map(\.0.id)
        let empty = LoadFinding(
            .empty, "no request was made of \(unused.joined(separator: ", "))",
            hint: "let the load run longer, or give the endpoint more weight")
        // An action without any request is named once.
        let skipped = plan.thresholds.filter { threshold in
            guard let index = plan.rows.firstIndex(where: { $0 == threshold.action }) else { return false }
            let action = zip(plan.actions, plan.firstRows).reversed().first { $1 <= index }?.0.id ?? ""
            return tallies[index].arrivals == 0 && !unused.contains(action)
        }.map(\.text)
        let unmeasured = LoadFinding(
            .empty, "no request was made for \(skipped.joined(separator: ", "))",
            hint: "let the load run longer, or leave out the condition")
        let judgesNothing = isPart || plan.isRehearsal
        self.findings =
            findings + (judgesNothing || unused.isEmpty ? [] : [empty])
            + (judgesNothing || skipped.isEmpty ? [] : [unmeasured])
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
        if let shard = plan.part?.shard {
            remarks.append(
                "part \(shard.text): reqcli report merge compares the measurements of all parts with the conditions")
        }
        if unjudged.arrivals > 0 {
            let count = LoadText.count(unjudged.arrivals, "request")
            remarks.append(
                "\(count) of stages that are not judged \(unjudged.arrivals == 1 ? "is" : "are") not counted")
        }
        if plan.isRehearsal { remarks.append("only rehearsed: stubs responded, so nothing was measured") }
        if plan.schedule == nil, !plan.isRehearsal {
            remarks.append(
                "users wait for their responses, so that a slow server gets fewer requests: latencies hide its pauses")
        }
        return remarks
    }
}
