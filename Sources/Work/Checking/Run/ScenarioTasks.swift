import ReqcliAssembly
import ReqcliBasics

/// The tasks of scenarios. They are no child tasks, so that the end of a run doesn't cut off what is to be cleaned up.
final class ScenarioTasks: Sendable {
    /// How long the current steps may go on when the run is interrupted. A step that hangs leaves the rest to the cleanup.
    static let timeForSteps = Duration.seconds(5)
    /// How long scenarios may go on in all.
    static let timeForCleanup = Duration.seconds(10)

    private struct State {
        var tasks: [Task<CaseResult, Never>] = []
        var isCancelled = false
        /// The calls of steps that are no cleanup, as far as they are under way.
        var steps: [Int: Task<CheckedCallOutcome, Never>] = [:]
        var stepCount = 0
        var areStepsCancelled = false
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

    /// Runs a call of a step, which is given up before the scenario if the run is interrupted.
    func step(_ work: @escaping @Sendable () async -> CheckedCallOutcome) async -> CheckedCallOutcome {
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        let task = Task(executorPreference: executor, operation: work)
        let number = state.withLock { state in
            state.stepCount += 1
            state.steps[state.stepCount] = task
            if state.areStepsCancelled { task.cancel() }
            return state.stepCount
        }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        state.withLock { state in state.steps[number] = nil }
        return outcome
    }

    /// Cancels the steps, and later all tasks, that haven't ended in their time.
    func end(by clock: WorldClock) {
        Task {
            try? await clock.sleep(Self.timeForSteps)
            let steps = state.withLock { state in
                state.areStepsCancelled = true
                return Array(state.steps.values)
            }
            for step in steps { step.cancel() }
            try? await clock.sleep(Self.timeForCleanup - Self.timeForSteps)
            let tasks = state.withLock { state in
                state.isCancelled = true
                return state.tasks
            }
            for task in tasks { task.cancel() }
        }
    }
}
