import Glibc

/// The signals that end the program from outside.
package enum EndingSignals {
    /// Signals that a person, a shell, a limit or another program sends and that the program can handle. Signals for
    /// crashes of the program itself are not included.
    package static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU]
}
