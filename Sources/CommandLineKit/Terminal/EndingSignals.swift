import Glibc

/// The signals that end a program from outside.
package enum EndingSignals {
    /// Those that a person, a shell, a limit or another program sends, and that a program can take. Signals of mistakes in
    /// the program itself are not among them.
    package static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU]
}
