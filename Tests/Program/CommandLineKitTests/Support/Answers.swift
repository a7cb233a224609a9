import CommandLineKit
import Glibc
import ReqcliBasics

/// Asks on a thread of its own, so that a test can type the answer: a blocking read must not hold one of the pool.
final class Answers: Sendable {
    private let answer = Mutex<Terminal.Answer?>(nil)

    var value: Terminal.Answer? { answer.withLock { $0 } }

    func start(_ ask: @escaping @Sendable () -> Terminal.Answer) -> Thread {
        Thread { [self] in
            let given = ask()
            answer.withLock { $0 = given }
        }
    }

    /// A POSIX thread that can be waited for more than once.
    final class Thread {
        private final class Body {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }

        private var identifier: pthread_t?

        init(_ run: @escaping @Sendable () -> Void) {
            var identifier = pthread_t()
            let body = Unmanaged.passRetained(Body(run)).toOpaque()
            let status = pthread_create(
                &identifier, nil,
                { body in
                    guard let body else { return nil }
                    Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
                    return nil
                }, body)
            self.identifier = status == 0 ? identifier : nil
        }

        func wait() {
            guard let identifier else { return }
            pthread_join(identifier, nil)
            self.identifier = nil
        }
    }
}
