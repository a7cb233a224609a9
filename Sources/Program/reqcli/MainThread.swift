import Dispatch
import ReqcliBasics

/// Runs the program's task on the thread that the program was started on.
///
/// The default is a pool: an asynchronous `main` starts four threads, each with a stack and a heap of its own, though
/// most commands never wait for anything. What a command does wait for happens where it always did; the task itself
/// goes on here.
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
