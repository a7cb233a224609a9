package import CommandLineKit

/// What the program can end with: each status once, with its meaning. Scripts rely on them.
extension ExitStatus {
    package static let success = ExitStatus(0, "success")
    package static let expectationFailed = ExitStatus(1, "an expectation failed")
    package static let usage = ExitStatus(2, "wrong usage: flags, an unknown endpoint or param, nothing selected")
    package static let broken = ExitStatus(3, "the definitions are broken, or a value or secret can't be resolved")
    package static let clientError = ExitStatus(4, "the server answered 4xx")
    package static let serverError = ExitStatus(5, "the server answered 5xx")
    package static let noAnswer = ExitStatus(6, "no answer: DNS, refused, TLS, reset, truncated")
    package static let timedOut = ExitStatus(7, "timed out")
    package static let refusedByPolicy = ExitStatus(8, "refused by the environment's policy")
    package static let outputFailed = ExitStatus(9, "output can't be written")
    package static let interrupted = ExitStatus(130, "interrupted")

    package static let all: [ExitStatus] = [
        .success, .expectationFailed, .usage, .broken, .clientError, .serverError, .noAnswer, .timedOut,
        .refusedByPolicy, .outputFailed, .interrupted,
    ]
}

extension ExitStatus {
    /// The same status in the words of one command's help.
    func meaning(_ text: String) -> ExitStatus { ExitStatus(code, text) }

    /// The signal that it stands for, as shells have it; nil for an end that was reached.
    var signal: Int32? { code > 128 ? code - 128 : nil }
}
