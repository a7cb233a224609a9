/// An exit status and its meaning.
package struct ExitStatus: Equatable, Sendable {
    package let code: Int32
    package let meaning: String

    package init(_ code: Int32, _ meaning: String) {
        (self.code, self.meaning) = (code, meaning)
    }
}

/// The table of all exit statuses. Scripts rely on their numbers.
extension ExitStatus {
    package static let success = ExitStatus(0, "success")
    package static let expectationFailed = ExitStatus(1, "an expectation failed")
    package static let usage = ExitStatus(
        2, "wrong usage: a wrong flag, an unknown endpoint or param, or nothing selected")
    package static let broken = ExitStatus(3, "a file has errors, or a value or secret can't be resolved")
    package static let clientError = ExitStatus(4, "the server responded with 4xx")
    package static let serverError = ExitStatus(5, "the server responded with 5xx")
    package static let noAnswer = ExitStatus(
        6, "no complete response: DNS or TLS error, connection refused or reset, or truncated")
    package static let timedOut = ExitStatus(7, "timed out")
    package static let refusedByPolicy = ExitStatus(8, "refused by the environment's policy")
    package static let outputFailed = ExitStatus(9, "output cannot be written")
    package static let interrupted = ExitStatus(130, "interrupted")

    package static let all: [ExitStatus] = [
        .success, .expectationFailed, .usage, .broken, .clientError, .serverError, .noAnswer, .timedOut,
        .refusedByPolicy, .outputFailed, .interrupted,
    ]

    /// From most to least important: first a failed expectation, then reasons that prevented checks, then reasons that may not
    /// occur again the next time.
    private static let byWeight: [ExitStatus] = [
        .expectationFailed, .broken, .usage, .refusedByPolicy, .outputFailed, .clientError, .serverError, .timedOut,
        .noAnswer,
    ]

    /// The status for several outcomes. A signal is more important than any other outcome.
    package static func worst(of statuses: [ExitStatus]) -> ExitStatus {
        statuses.first { $0.signal != nil } ?? byWeight.first(where: statuses.contains) ?? .success
    }
}

extension ExitStatus {
    /// The exit status for an HTTP status that refuses the request, including one above 599; nil for any other HTTP status.
    package init?(refusal status: Int) {
        switch status {
        case 400...499: self = .clientError
        case 500...: self = .serverError
        default: return nil
        }
    }

    /// The status of a program that a signal ended, as shells report it.
    package init(signal: Int32) { self.init(128 + signal, Self.interrupted.meaning) }

    /// The signal that ended the program; nil if no signal ended it.
    package var signal: Int32? { code > 128 ? code - 128 : nil }

    /// A copy with the meaning that one command gives this status in its help.
    package func meaning(_ text: String) -> ExitStatus { ExitStatus(code, text) }
}
