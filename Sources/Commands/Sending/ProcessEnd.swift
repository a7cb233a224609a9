package import CommandLineKit
import Glibc

/// How the process ends, so that whoever started it sees what ended it.
package enum ProcessEnd {
    /// With a status, or of the signal that the status stands for.
    package static func exit(_ status: ExitStatus) -> Never {
        if let signal = status.signal { die(of: signal) }
        // Nothing is buffered, and nothing that still runs has a say any more.
        _exit(status.code)
    }

    /// Of a signal that was caught. A shell shows the same status for both, but goes on with its loop after a program
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
