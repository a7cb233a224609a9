import Definitions
package import SourceText

/// What an outcome means to whoever started the program: the exit status, and how bad it is beside others.
package enum ExitMeaning: Int32, Sendable, CaseIterable {
    case success = 0
    case expectationFailed = 1
    case usage = 2
    case definitions = 3
    case clientError = 4
    case serverError = 5
    case noAnswer = 6
    case timedOut = 7
    case refusedByPolicy = 8
    case outputFailed = 9
    case hungUp = 129
    case interrupted = 130
    case quit = 131
    case userSignal1 = 138
    case userSignal2 = 140
    case alarm = 142
    case terminated = 143
    case processorTime = 152

    package var code: Int32 { rawValue }

    /// Of an answer that says no; nil for one that doesn't. What is above 599 is nobody's success either.
    package init?(refusal status: Int) {
        switch status {
        case 400...499: self = .clientError
        case 500...: self = .serverError
        default: return nil
        }
    }

    /// Of a run that such a signal has ended, as shells have it.
    package init(signal: Int32) { self = ExitMeaning(rawValue: 128 + signal) ?? .interrupted }

    /// The order in which one of several is told: an interruption before all, then a failed expectation, then what
    /// kept checks from being made at all, then what may be different the next time.
    private static let byWeight: [ExitMeaning] = [
        .interrupted, .terminated, .hungUp, .quit, .alarm, .userSignal1, .userSignal2, .processorTime,
        .expectationFailed, .definitions, .usage, .refusedByPolicy, .outputFailed, .clientError, .serverError,
        .timedOut,
        .noAnswer, .success,
    ]

    /// The one that a program with all these outcomes ends with.
    package static func worst(of meanings: some Sequence<ExitMeaning>) -> ExitMeaning {
        let all = Set(meanings)
        return byWeight.first(where: all.contains) ?? .success
    }
}

/// Why something could not be checked: not a failed expectation, but the lack of an answer to hold it against.
package struct CheckProblem: Error, Sendable {
    package let meaning: ExitMeaning
    /// At least one; the first is the one that a single line shows.
    package let diagnostics: [Diagnostic]
    /// Whether it is what `validate` finds in the files, be it in the way of a case or not.
    let isAboutFiles: Bool

    package init(_ meaning: ExitMeaning, _ diagnostics: [Diagnostic]) {
        self.meaning = meaning
        self.diagnostics = diagnostics
        isAboutFiles = false
    }

    /// Errors in the files that a run reads.
    init(inFiles diagnostics: [Diagnostic]) {
        meaning = .definitions
        self.diagnostics = diagnostics
        isAboutFiles = true
    }

    package init(
        _ meaning: ExitMeaning, code: Diagnostic.Code, _ message: String, at place: Place? = nil, hint: String? = nil
    ) {
        self.init(meaning, [Diagnostic(code: code, message, at: place, hint: hint)])
    }

    package var message: String { diagnostics.map(\.message).joined(separator: "; ") }
}

extension Diagnostic.Code {
    package static let nothingSelected: Self = "check.nothingSelected"
    package static let nothingExpected: Self = "check.nothingExpected"
    package static let dataInvalid: Self = "data.invalid"
    package static let captureEmpty: Self = "capture.empty"
    package static let shardInvalid: Self = "check.shardInvalid"
    package static let reportInvalid: Self = "report.invalid"
    package static let reportUnwritable: Self = "report.unwritable"
}
