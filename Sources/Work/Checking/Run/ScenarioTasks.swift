import ReqcliAssembly
import ReqcliBasics

/// The tasks of scenarios. They are not child tasks, so that the end of a run doesn't cancel the cleanup.
final class ScenarioTasks: Sendable {
    /// The time that running steps may still take after the run is interrupted. It ends before `timeForCleanup`, so that a step
    /// that hangs leaves time for the cleanup.
    static let timeForSteps = Duration.seconds(5)
    /// The time that scenarios may still take in total, including the cleanup.
    static let timeForCleanup = Duration.seconds(10)

    private struct State {
        var tasks: [Task<CaseResult, Never>] = []
        var isCancelled = false
        /// The running calls of steps that do not belong to the cleanup.
        var steps: [Int: Task<CheckedCallOutcome, Never>] = [:]
        var stepCount = 0
        var areStepsCancelled = false
    }

    private let state = Mutex(State())

    func run(_ work: @escaping @Sendable () async -> CaseResult) async -> CaseResult {
        // Runs the task on the executor of the run, which may have only one thread.
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        let task = Task(executorPreference: executor, operation: work)
        state.withLock { state in
            state.tasks.append(task)
            if state.isCancelled { task.cancel() }
        }
        return await task.value
    }

    /// Runs a call of a step. If the run is interrupted, the call is cancelled before the whole scenario is cancelled.
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

    /// Cancels the steps that haven't ended after `timeForSteps`. Later cancels all tasks that haven't ended after
    /// `timeForCleanup`.
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
