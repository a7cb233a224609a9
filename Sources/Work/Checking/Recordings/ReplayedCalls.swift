package import Calling
package import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// Answers the calls of a run from a recording, and sends nothing.
package final class ReplayedCalls: Sendable {
    private let recording: RunRecording
    private let notRun: Set<String>
    /// The reasons why cases can't be judged again, by case.
    private let gaps: [String: String]
    /// The times of the recorded run, by case, step or required call.
    private let times: [String: RunRecording.Time]
    private let state: Mutex<State>

    private struct State {
        var now: Duration
        /// The calls of each key that are not used yet, in order.
        var calls: [String: ArraySlice<RecordedCall>]
        /// The number of calls that are not used yet, those of all attempts together.
        var left: [String: Int]
        /// The last call, without its attempt.
        var last = ""
    }

    package init(_ recording: RunRecording) {
        self.recording = recording
        notRun = Set(recording.notRun)
        gaps = Dictionary(recording.unreplayable.map { ($0.id, $0.reason) }, uniquingKeysWith: { first, _ in first })
        times = Dictionary(recording.times.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        state = Mutex(
            State(
                now: recording.origin,
                calls: Dictionary(grouping: recording.calls, by: \.key).mapValues { $0[...] },
                left: recording.calls.reduce(into: [:]) { $0[$1.keyOfAttempts, default: 0] += 1 }))
    }

    /// The clock of the recorded run. It is set by each call, and waiting takes no time. Waiting for another attempt fails if the run
    /// made none, because it had ended.
    package var clock: WorldClock {
        WorldClock(
            date: { self.recording.date + (self.state.withLock(\.now) - self.recording.origin).seconds },
            elapsed: { self.state.withLock(\.now) }
        ) { time in
            try Task.checkCancellation()
            try self.state.withLock { state in
                guard state.left[state.last] != 0 else { throw CancellationError() }
                state.now += time
            }
        }
    }

    /// - Parameter caller: Fills in templates.
    func replaying(_ caller: Caller) -> Caller {
        var replaying = Caller(
            call: { endpoint in
                var call = caller.call(endpoint)
                call.mayLackSecrets = true
                return call
            }, fill: caller.fill, perform: { call, terms in self.result(of: call, terms) })
        replaying.kept = { _, _, _ in nil }
        return replaying
    }

    private func result(of call: Call, _ terms: CallTerms) -> CallResult {
        let recorded = state.withLock { state in
            let recorded = state.calls[RecordedCall.key(of: call)]?.popFirst()
            if let recorded {
                (state.now, state.last) = (recorded.ended, recorded.keyOfAttempts)
                state.left[state.last, default: 0] -= 1
            }
            return recorded
        }
        guard let recorded else { return .unreplayable("the recording has no such call of \(call.endpoint.id)") }
        if let gap = recorded.gap { return .unreplayable("the recording lacks a response: \(gap)") }
        return recorded.result(terms)
            ?? .unreplayable("the recorded stream was read only as far as the run needed it")
    }
}

extension CallResult {
    fileprivate static func unreplayable(_ reason: String) -> CallResult {
        CallResult(.failure(Failure(unreplayable: reason)), requests: 0)
    }
}

extension Failure {
    /// The failure of a case that a recording can't judge again.
    fileprivate init(unreplayable reason: String) {
        self.init(.usage, code: .unreplayable, "\(own: Self.unreplayablePrefix)\(own: reason)" as Wording)
    }

    fileprivate static let unreplayablePrefix = "not replayable: "
}

extension Diagnostic.Code {
    package static let unreplayable: Self = "recording.unreplayable"
}

// MARK: - Results

extension ReplayedCalls {
    /// The result of a case as the recording allows it: some cases did not run, and some can't be judged again.
    private func completed(_ each: CaseResult) -> CaseResult {
        var each = each
        if notRun.contains(each.id) {
            each.outcome = unfinished(each.id)
        } else if let reason = gaps[each.id] {
            each.outcome = .unsendable(Failure(unreplayable: reason))
            each.steps = []
        }
        let left = each.steps.indices.filter { notRun.contains("\(each.id) \($0)") }
        for index in left { each.steps[index].outcome = unfinished("\(each.id) \(index)") }
        if !left.isEmpty { each.outcome = Outcome(of: each.steps, at: each.place) }
        // Judging again takes another time than the run did.
        each.eachOutcome { id, outcome in
            outcome.started = max(.zero, times[id]?.began ?? outcome.started)
            outcome.duration = max(.zero, times[id]?.duration ?? outcome.duration)
        }
        return each
    }

    /// The outcome of a case or a step that the end of the run left unfinished, such as a step that waited for its next poll.
    private func unfinished(_ id: String) -> Outcome {
        var outcome = Outcome(.notRun)
        outcome.attempts = times[id]?.attempts ?? 0
        return outcome
    }

    /// Judges the recorded calls by a plan.
    package func result(
        _ plan: CheckPlan, _ options: RunOptions, _ caller: Caller, onEvent: (RunEvent) -> Void = { _ in }
    ) async -> RunResult {
        var result = await CheckRun(plan, options: options, caller: replaying(caller), clock: clock).result { event in
            if case .ended(let each) = event { onEvent(.ended(completed(each))) } else { onEvent(event) }
        }
        result.cases = result.cases.map(completed)
        if !recording.notRun.isEmpty {
            // The run had ended before it made the others.
            let ids = result.idsOfDependencies
            result.dependencies = zip(ids, result.dependencies).filter { times[$0.0] != nil }.map(\.1)
        }
        for (index, id) in result.idsOfDependencies.enumerated() {
            guard let time = times[id] else { continue }
            let outcome = \RunResult.dependencies[index].outcome
            (result[keyPath: outcome].started, result[keyPath: outcome].duration) = (time.began, time.duration)
        }
        result.origin = RunOrigin(server: recording.server, commit: recording.commit, job: recording.job)
        result.origin.seed = recording.usedSeed
        result.warnings = recording.warnings
        result.snapshots = SnapshotTotals(of: result.cases)
        result.duration = recording.duration
        if recording.wasInterrupted, recording.exitCode > 128 {
            result.wasInterrupted = true
            result.endOnInterruption = ExitStatus(signal: Int32(recording.exitCode - 128))
        }
        return result
    }
}

extension RunResult {
    /// The cases and steps that did not run.
    package var namesNotRun: [String] {
        var names: [String] = []
        for each in cases {
            var each = each
            each.eachOutcome { if $1.verdict == .notRun { names.append($0) } }
        }
        return names
    }

    /// The times of all cases, steps and required calls.
    package var times: [RunRecording.Time] {
        var times: [RunRecording.Time] = []
        for each in cases {
            var each = each
            each.eachOutcome { times.append(RunRecording.Time(id: $0, $1)) }
        }
        for (id, each) in zip(idsOfDependencies, dependencies) {
            times.append(RunRecording.Time(id: id, each.outcome))
        }
        return times
    }

    /// A name for each required call; calls with the same words are numbered.
    fileprivate var idsOfDependencies: [String] {
        var counts: [String: Int] = [:]
        return dependencies.map { each in
            counts[each.id, default: 0] += 1
            return "needed \(counts[each.id] ?? 0) \(each.id)"
        }
    }

    /// The cases that a replay judges differently, with the reason for each.
    package func gaps(in replay: RunResult) -> [RunRecording.Gap] {
        let others = Dictionary(replay.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return cases.compactMap { each in
            let other = others[each.id]
            if let other, each.isJudgedLike(other) { return nil }
            let outcomes = other.map { [$0.outcome] + $0.steps.map(\.outcome) } ?? []
            let own = outcomes.flatMap { $0.problem?.diagnostics ?? [] }.first { $0.code == .unreplayable }
            let reason = own.map { String($0.message.dropFirst(Failure.unreplayablePrefix.count)) }
            return RunRecording.Gap(
                id: each.id, reason: reason ?? "its verdict would change with the values that the recording leaves out")
        }
    }
}

extension RunRecording.Time {
    fileprivate init(id: String, _ outcome: Outcome) {
        self.init(id: id, began: outcome.started, duration: outcome.duration, attempts: outcome.attempts)
    }
}

extension CaseResult {
    /// Calls `work` with the outcomes of the case and its steps, each with a name.
    fileprivate mutating func eachOutcome(_ work: (String, inout Outcome) -> Void) {
        work(id, &outcome)
        for index in steps.indices { work("\(id) \(index)", &steps[index].outcome) }
    }

    fileprivate func isJudgedLike(_ other: CaseResult) -> Bool {
        verdict == other.verdict && exitStatus == other.exitStatus && outcome.attempts == other.outcome.attempts
            && outcome.reasons.count == other.outcome.reasons.count
            && steps.map(\.verdict) == other.steps.map(\.verdict)
    }
}
