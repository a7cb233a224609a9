import CommandLineKit
import Dispatch
import Glibc
import Synchronization

/// What is to be tidied up when Ctrl-C, or a polite kill, ends the program in the middle of something.
///
/// The work itself is not waited for: the program ends at once, and of the signal.
final class Interruption: Sendable {
    private let tidying = Mutex<[@Sendable () -> Void]>([])
    /// What the first signal does instead of ending the program; the second one ends it.
    private let giveUp = Mutex<(@Sendable () -> Void)?>(nil)
    private let firstSignal = Mutex<Int32?>(nil)

    init() {
        let queue = DispatchQueue(label: "interruption")
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // A signal that is ignored, as under nohup, stays so.
            var current = sigaction()
            sigaction(number, nil, &current)
            if unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
            signal(number, SIG_IGN)
            // The handler holds its own source, for as long as the program runs. Nobody else ever touches it.
            nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in
                _ = source
                firstSignal.withLock { $0 = $0 ?? number }
                let first = self.giveUp.withLock { giveUp in
                    defer { giveUp = nil }
                    return giveUp
                }
                if let first { return first() }
                tidying.withLock { steps in
                    for tidy in steps { tidy() }
                    ProcessEnd.die(of: number)
                }
            }
            source.resume()
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
