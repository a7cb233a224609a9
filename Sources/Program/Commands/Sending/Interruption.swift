import CommandLineKit
import Glibc
import ReqcliBasics
package import ReqcliText

import struct Synchronization.Atomic

/// Cleans up when Ctrl-C, or another signal that can be caught, ends the program in the middle of something.
///
/// The program doesn't wait for the interrupted work. The signal ends the program at once.
final class Interruption: Sendable {
    private let tidying = Mutex<[@Sendable () -> Void]>([])
    /// The first signal calls this closure instead of ending the program. The second signal ends the program.
    private let giveUp = Mutex<(@Sendable () -> Void)?>(nil)
    private let firstSignal = Mutex<Int32?>(nil)

    init() { SignalThread.shared?.report(to: self) }

    fileprivate func receive(_ number: Int32) {
        firstSignal.withLock { $0 = $0 ?? number }
        let first = giveUp.withLock { giveUp in
            defer { giveUp = nil }
            return giveUp
        }
        if let first { return first() }
        tidying.withLock { steps in
            for tidy in steps { tidy() }
            ProcessEnd.die(of: number)
        }
    }

    /// The first signal that was received.
    var received: Int32? { firstSignal.withLock(\.self) }

    /// Runs `work`. During this time, the first signal only calls `giveUp`, which must make `work` end at once.
    func givingUp<Value: Sendable>(
        _ giveUp: @escaping @Sendable () -> Void, during work: () async -> Value
    ) async -> Value {
        self.giveUp.withLock { $0 = giveUp }
        let value = await work()
        self.giveUp.withLock { $0 = nil }
        return value
    }

    func onEnd(_ tidy: @escaping @Sendable () -> Void) {
        tidying.withLock { $0.append(tidy) }
    }

    /// Runs a closure during which no signal ends the program.
    func undisturbed<Problem: Error>(_ body: () throws(Problem) -> Void) throws(Problem) {
        try tidying.withLock { _ throws(Problem) in try body() }
    }

    /// Makes something that must be cleaned up. No signal ends the program between making it and storing its clean-up here.
    func tidying<Made, Problem: Error>(
        _ make: () throws(Problem) -> (made: Made, tidy: @Sendable () -> Void)
    ) throws(Problem) -> Made {
        try tidying.withLock { steps throws(Problem) in
            let (made, tidy) = try make()
            steps.append(tidy)
            return made
        }
    }
}

/// The thread on which the program receives signals.
///
/// A separate thread, so that the end of the program isn't delayed if the other threads are busy or can't be started. If not even
/// this thread can be started, signals end the program at once, as if it handled no signals.
private final class SignalThread: Sendable {
    /// The only thread of this kind. It is started when something must be cleaned up for the first time.
    static let shared = SignalThread()

    /// The last signal that was received.
    private static let latest = Atomic<Int32>(0)
    /// Incremented by each signal. The pointer is written once, before a thread or a handler reads it. The semaphore itself can
    /// be used in threads and in signal handlers.
    nonisolated(unsafe) private static let arrivals = {
        let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
        return semaphore
    }()

    private let receiver = Mutex<Interruption?>(nil)

    private init?() {
        // Makes the semaphore now, because the handler needs it and must not take a lock.
        _ = Self.arrivals
        var thread = pthread_t()
        let isStarted = pthread_create(&thread, nil, { _ in SignalThread.run() }, nil) == 0
        guard isStarted else { return nil }
        pthread_detach(thread)
        for number in EndingSignals.all { Self.handle(number) }
    }

    func report(to interruption: Interruption) { receiver.withLock { $0 = interruption } }

    private static func handle(_ number: Int32) {
        var action = sigaction()
        // A signal that is ignored, as under nohup, stays ignored.
        sigaction(number, nil, &action)
        if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1 { return }
        action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            // Only calls that are safe in a signal handler.
            let problem = errno
            SignalThread.latest.store(number, ordering: .sequentiallyConsistent)
            sem_post(SignalThread.arrivals)
            errno = problem
        }
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }

    private static func run() -> Never {
        while true {
            guard sem_wait(arrivals) == 0 else { continue }
            shared?.receiver.withLock(\.self)?.receive(latest.load(ordering: .sequentiallyConsistent))
        }
    }
}

/// Ends the process so that its parent process sees what ended it.
package enum ProcessEnd {
    /// Ends the process with a status, or by a signal if the status stands for a signal.
    package static func exit(_ status: ExitStatus) -> Never {
        if let signal = status.signal { die(of: signal) }
        // No output waits in a buffer, and no task that still runs has to end first.
        _exit(status.code)
    }

    /// Ends the process by a signal that was caught. A normal exit with the matching code would look the same in a shell's
    /// status, but the shell would then continue its loop.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        // Threads of a dispatch queue block signals.
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, number)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        // The signal is sent to this thread, which then stops here. A signal to the process might reach another thread, while
        // this thread continues.
        raise(number)
        // The first process of a container doesn't die of its own signals.
        _exit(128 + number)
    }
}
