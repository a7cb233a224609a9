import Dispatch
import ReqcliBasics

/// Runs the program's task on the thread that the program was started on.
///
/// By default, Swift uses a thread pool. An asynchronous `main` then starts four threads, each with its own stack and heap,
/// though most commands never wait for anything. `--version` would take 27 % longer. Work that a command waits for still runs on
/// the usual threads; only the task itself continues on this thread.
final class MainThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        if isFirst { arrivals.signal() }
    }

    /// Runs a program, which ends the process itself.
    static func run(_ program: @escaping @Sendable () async -> Never) -> Never {
        let thread = MainThread()
        Task(executorPreference: thread) { await program() }
        while true {
            thread.arrivals.wait()
            let arrived = thread.jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            for job in arrived { job.runSynchronously(on: thread.asUnownedTaskExecutor()) }
        }
    }
}
