import Assembly
import Locks

/// The tasks of scenarios. They are no child tasks, so that the end of a run doesn't cut off what is to be cleaned up.
final class ScenarioTasks: Sendable {
    /// How long scenarios may go on when the run is interrupted.
    static let timeForCleanup = Duration.seconds(10)

    private struct State {
        var tasks: [Task<CaseResult, Never>] = []
        var isCancelled = false
    }

    private let state = Mutex(State())

    func run(_ work: @escaping @Sendable () async -> CaseResult) async -> CaseResult {
        // Where the run goes on, which may have one thread for itself.
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        let task = Task(executorPreference: executor, operation: work)
        state.withLock { state in
            state.tasks.append(task)
            if state.isCancelled { task.cancel() }
        }
        return await task.value
    }

    /// Cancels all tasks that haven't ended by then.
    func end(within time: Duration, by clock: WorldClock) {
        Task {
            try? await clock.sleep(time)
            let tasks = state.withLock { state in
                state.isCancelled = true
                return state.tasks
            }
            for task in tasks { task.cancel() }
        }
    }
}
