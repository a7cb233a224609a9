import Calling
import ReqcliBasics

/// The runs of required calls. Each endpoint is called once for each set of params, and all cases that require the call share its
/// result.
final class DependencyRuns: Sendable {
    /// One run of a required call. A refresh starts a newer run.
    struct Generation: Sendable {
        let number: Int
        let checkedCall: CheckedCallOutcome
    }

    private struct Entry: Sendable {
        let number: Int
        let task: Task<CheckedCallOutcome, Never>
    }

    private struct State {
        var entries: [CallIdentity: Entry] = [:]
        var finished: [DependencyResult] = []
        var isCancelled = false
    }

    private let state = Mutex(State())
    /// Whether a call that has failed is made again for the next caller, as in a load, in which a server may recover.
    private let forgetsFailures: Bool

    init(forgetsFailures: Bool) { self.forgetsFailures = forgetsFailures }

    /// The number of calls, each with the params that it was made with.
    var count: Int { state.withLock(\.entries.count) }

    /// The outcome of the newest run after `known`. The first caller starts the run, and later callers wait for its
    /// result.
    func generation(
        _ key: CallIdentity, after known: Int = -1, run: @escaping @Sendable (_ number: Int) async -> CheckedCallOutcome
    ) async -> Generation {
        let entry = state.withLock { state in
            if let entry = state.entries[key], entry.number > known { return entry }
            let number = known + 1
            let entry = Entry(number: number, task: Task { await run(number) })
            if state.isCancelled { entry.task.cancel() }
            state.entries[key] = entry
            return entry
        }
        let generation = Generation(number: entry.number, checkedCall: await entry.task.value)
        if forgetsFailures, generation.checkedCall.outcome.verdict != .passed {
            state.withLock { state in
                if state.entries[key]?.task == entry.task { state.entries[key] = nil }
            }
        }
        return generation
    }

    func note(_ result: DependencyResult) { state.withLock { $0.finished.append(result) } }

    /// The results, in the order in which their calls began.
    var results: [DependencyResult] {
        state.withLock(\.finished).sorted { ($0.outcome.started, $0.id) < ($1.outcome.started, $1.id) }
    }

    /// Cancels all runs. The runs are not child tasks of a case, so nothing else would cancel them.
    func cancelAll() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return state.entries.values.map(\.task)
        }
        for task in tasks { task.cancel() }
    }
}
