package import Calling
import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// The problems that a rehearsal finds. A rehearsal runs the flows of a plan as a check does, but its calls are made and not sent,
/// so the values that they would capture stay unknown.
final class Rehearsal: Sendable {
    private struct State {
        var problems: [Failure] = []
        var seen: Set<CallIdentity> = []
        /// The number of new calls that the current flow requires.
        var neededCount = 0
    }

    private let state = Mutex(State())

    /// Notes a problem. A problem with a param's value is reported at the value, or at this place.
    func note(_ problem: Failure, at place: Place) { state.withLock { $0.problems.append(problem.placed(at: place)) } }

    /// Removes and returns the problems found so far.
    func takeProblems() -> [Failure] {
        state.withLock { state in
            defer { state.problems = [] }
            return state.problems
        }
    }

    func beginFlow() { state.withLock { $0.neededCount = 0 } }

    /// Whether a required call has to be rehearsed: it is new, and the flow doesn't require too many calls.
    func isNew(_ call: CallIdentity, at place: Place) -> Bool {
        let count = state.withLock { state in
            guard state.neededCount <= Limits.neededCalls, state.seen.insert(call).inserted else { return Int.max }
            state.neededCount += 1
            return state.neededCount
        }
        if count == Limits.neededCalls + 1 {
            note(
                Failure(
                    .broken, code: .needsCount,
                    "more than \(Limits.neededCalls) requests would be needed first: needs with different params are separate requests",
                    at: place, hint: "use the same params for the needs"), at: place)
        }
        return count <= Limits.neededCalls
    }
}

extension CheckPlan {
    /// Prepares all requests of the plan without sending them, so that every mistake that can be found is reported
    /// before the first request. Only values captured during the run are unknown.
    package func rehearse(with caller: Caller) async -> [Failure] {
        // A probe changes the call of another case. That case is rehearsed even if it is not selected itself.
        let unlisted = bases.values.filter { !$0.isSelected }.map(\.each).sorted { $0.id < $1.id }
        let flows = CheckPlan.flows(cases.filter { $0.probe == nil } + unlisted, scenarios)
        let count = flows.count
        let size = max(100, (count + 3) / 4)
        let runner = FlowRunner(self, RunOptions(jobs: .fixed(1)), caller, .stopped)
        let problems = await withTaskGroup(of: (Int, [Failure]).self) { group in
            for start in stride(from: 0, to: count, by: size) {
                // Don't use the caller's executor, because the executor of a command has only one thread. On one of two cores,
                // `check` of 1,000 cases takes 15 % longer.
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    let rehearsal = Rehearsal()
                    let runner = runner.rehearsing(rehearsal)
                    for index in start..<min(start + size, count) {
                        rehearsal.beginFlow()
                        _ = await runner.run(flows[index])
                    }
                    return (start, rehearsal.takeProblems())
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return problems.sorted { $0.0 < $1.0 }.flatMap(\.1).map { $0.redacted(runner.secrets.redactor) }
    }

    /// The names of the captures of the calls that an endpoint requires, by alias.
    package func captures(
        for endpoint: LocatedEndpoint, where isMeant: (Capture) -> Bool
    ) -> [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        for need in endpoint.needs {
            guard let id = need.value.endpoint?.value, let target = dependencies[id]?.endpoint else { continue }
            result[need.name] = Set(target.definition.captures.filter { isMeant($0.value) }.map(\.name))
        }
        return result
    }
}

extension WorldClock {
    /// Nothing takes time in a rehearsal.
    fileprivate static var stopped: WorldClock { WorldClock(date: { 0 }, elapsed: { .zero }, sleep: { _ in }) }
}

extension Failure {
    /// A copy in which each problem has a place: a problem with a param's value is reported at the value or at the case.
    fileprivate func placed(at place: Place) -> Failure {
        Failure(
            status,
            diagnostics.map { diagnostic in
                guard diagnostic.code == .parameterInvalid, diagnostic.fileName == nil else { return diagnostic }
                return Diagnostic(
                    diagnostic.severity, code: diagnostic.code, diagnostic.message, at: place, hint: diagnostic.hint,
                    notes: diagnostic.notes)
            })
    }
}
