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
    /// Called by the first signal in place of ending the program; nil to end the program. A second signal always ends it.
    private let giveUp = Mutex<(@Sendable () -> Void)?>(nil)
    private let firstSignal = Mutex<Int32?>(nil)

    init() { SignalThread.shared?.report(to: self) }

    /// Takes a signal.
    ///
    /// - Returns: Whether the signal ends the program.
    fileprivate func receive(_ number: Int32) -> Bool {
        firstSignal.withLock { $0 = $0 ?? number }
        let first = giveUp.withLock { giveUp in
            defer { giveUp = nil }
            return giveUp
        }
        first?()
        return first == nil
    }

    /// Cleans up after all interrupted work and ends the program. The work can't go on in between, because the locks stay closed.
    fileprivate static func end(_ interruptions: ArraySlice<Interruption>, by number: Int32) -> Never {
        guard let first = interruptions.first else { ProcessEnd.die(of: number) }
        first.tidying.withLock { steps -> Never in
            for tidy in steps { tidy() }
            end(interruptions.dropFirst(), by: number)
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

    /// Runs `work`. During this time, the first signal waits for the end of `work`; a second signal takes effect at once.
    static func delaying<Value: Sendable, Problem: Error>(
        _ work: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        SignalThread.beginDelay()
        defer { SignalThread.endDelay() }
        return try await work()
    }

    func onEnd(_ tidy: @escaping @Sendable () -> Void) {
        tidying.withLock { $0.append(tidy) }
    }

    /// Runs a closure. No signal ends the program while it runs.
    func undisturbed<Problem: Error>(_ body: () throws(Problem) -> Void) throws(Problem) {
        try tidying.withLock { _ throws(Problem) in try body() }
    }

    /// Makes something that must be cleaned up. No signal can end the program before its clean-up is stored here.
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
    /// A semaphore that each signal increments. The pointer is written once, before a thread or a handler reads it. Threads and
    /// signal handlers may both use the semaphore.
    nonisolated(unsafe) private static let arrivals = {
        let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
        return semaphore
    }()

    /// The work that signals interrupt: more than one if several requests are sent. Work that is done stays in the list, because
    /// cleaning up once more does nothing.
    private let receivers = Mutex<[Interruption]>([])

    private struct Delay {
        /// How many pieces of work delay the next signal.
        var count = 0
        var delayed: Int32?
    }

    private static let delay = Mutex(Delay())

    static func beginDelay() {
        _ = shared
        delay.withLock { $0.count += 1 }
    }

    static func endDelay() {
        let delayed = delay.withLock { delay -> Int32? in
            delay.count -= 1
            guard delay.count == 0 else { return nil }
            defer { delay.delayed = nil }
            return delay.delayed
        }
        // The signal takes effect before the work goes on, which could otherwise end the program first, as if no signal had come.
        if let delayed { act(on: delayed) }
    }

    private init?() {
        // Makes the semaphore now, because the handler needs it and must not take a lock.
        _ = Self.arrivals
        var thread = pthread_t()
        let isStarted = pthread_create(&thread, nil, { _ in SignalThread.run() }, nil) == 0
        guard isStarted else { return nil }
        pthread_detach(thread)
        for number in EndingSignals.all { Self.handle(number) }
    }

    func report(to interruption: Interruption) {
        receivers.withLock { $0.append(interruption) }
    }

    private static func handle(_ number: Int32) {
        var action = sigaction()
        // A signal that is ignored, as under nohup, stays ignored.
        sigaction(number, nil, &action)
        if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1 { return }
        action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            // Uses only calls that are safe in a signal handler.
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
            let number = latest.load(ordering: .sequentiallyConsistent)
            let isDelayed = delay.withLock { delay in
                guard delay.count > 0, delay.delayed == nil else { return false }
                delay.delayed = number
                return true
            }
            if !isDelayed { act(on: number) }
        }
    }

    private static func act(on number: Int32) {
        let interrupted = shared?.receivers.withLock(\.self) ?? []
        if interrupted.last?.receive(number) ?? true { Interruption.end(interrupted[...], by: number) }
    }
}

/// Ends the process so that its parent process sees what ended it.
package enum ProcessEnd {
    /// Ends the process with a status, or by a signal if the status stands for a signal.
    package static func exit(_ status: ExitStatus) -> Never {
        if let signal = status.signal { die(of: signal) }
        // Ends the process without flushing or waiting: no output is in a buffer, and no running task has to end first.
        _exit(status.code)
    }

    /// Ends the process by a signal that was caught. A normal exit with the matching code would look the same in a shell's
    /// status, but the shell would then continue its loop.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        // Threads of a dispatch queue block signals, so this thread unblocks the signal.
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, number)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        // Sends the signal to this thread, which stops here. With a signal to the whole process, this thread could continue while
        // another thread handles it.
        raise(number)
        // Reached only by the first process of a container, which doesn't die of its own signals.
        _exit(128 + number)
    }
}
