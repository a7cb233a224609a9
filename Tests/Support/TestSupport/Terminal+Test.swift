import ReqcliBasics
import ReqcliText

@testable package import CommandLineKit

extension Terminal {
    /// A terminal for tests. It gives the listed answers and then reports the end of the input.
    package static func test(
        width: Int = 80, terminals: Set<Stream> = [], answers: [String] = [],
        onWrite: @escaping @Sendable (String) -> Void = { _ in }
    ) -> Terminal {
        let remaining = Remaining(answers)
        return Terminal(
            isTerminal: { terminals.contains($0) },
            width: { width },
            write: onWrite,
            readLine: { remaining.next() },
            readSecret: { ask in
                ask()
                return remaining.next()
            })
    }

    private final class Remaining: Sendable {
        private let answers: Mutex<ArraySlice<String>>

        init(_ answers: [String]) {
            self.answers = Mutex(answers[...])
        }

        func next() -> Answer {
            answers.withLock { $0.popFirst().map { .line($0) } ?? .end }
        }
    }
}
