import CommandLineKit
import Glibc
import ReqcliBasics
package import ReqcliText

import struct Synchronization.Atomic

/// Cleans up when Ctrl-C, or another signal that can be caught, ends the program in the middle of something.
///
/// The work itself is not waited for: the program ends at once, and of the signal.
final class Interruption: Sendable {
    private let tidying = Mutex<[@Sendable () -> Void]>([])
    /// Called by the first signal instead of ending the program; the second signal ends it.
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

    /// The first signal that came.
    var received: Int32? { firstSignal.withLock(\.self) }

    /// While the work goes on, the first signal does no more than call this; the work is then to come to its end at once.
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

    /// Does something in the middle of which no signal ends the program.
    func undisturbed<Problem: Error>(_ body: () throws(Problem) -> Void) throws(Problem) {
        try tidying.withLock { _ throws(Problem) in try body() }
    }

    /// Makes something that is to be tidied up; no signal finds it made and not yet known here.
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

/// The thread on which the program takes signals.
///
/// A thread of its own, so that nothing that keeps the other threads busy, or keeps them from being started, holds up the
/// program's end. Where not even this thread can be started, signals end the program as if it took none.
private final class SignalThread: Sendable {
    /// Started when something is to be tidied up for the first time.
    static let shared = SignalThread()

    /// The last signal that has come.
    private static let latest = Atomic<Int32>(0)
    /// Counted up by each signal. Written once, before there is a thread or a handler that reads it; the rest is the
    /// semaphore's own business.
    nonisolated(unsafe) private static let arrivals = {
        let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
        return semaphore
    }()

    private let receiver = Mutex<Interruption?>(nil)

    private init?() {
        // Made before the handler needs them, which must not take a lock.
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
        // A signal that is ignored, as under nohup, stays so.
        sigaction(number, nil, &action)
        if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1 { return }
        action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            // Only what may be called in the middle of anything.
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

/// How the process ends, so that whoever started it sees what ended it.
package enum ProcessEnd {
    /// Ends with a status, or by the signal that the status stands for.
    package static func exit(_ status: ExitStatus) -> Never {
        if let signal = status.signal { die(of: signal) }
        // No output waits in a buffer, and no task that still runs has to end first.
        _exit(status.code)
    }

    /// Ends by a signal that was caught. A shell shows the same status for both, but goes on with its loop after a program
    /// that ended by itself.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        // Threads of a queue take no signals.
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, number)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        // To this thread: it goes no further. One to the process may be on its way to another thread meanwhile.
        raise(number)
        // The first process of a container doesn't die of its own signals.
        _exit(128 + number)
    }
}
