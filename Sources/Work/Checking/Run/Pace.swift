import RequestBuilding

/// The number of parallel requests of a run: a number that the user gave, or one that follows the server.
package enum Jobs: Sendable, Equatable {
    case fixed(Int)
    case auto

    package static let range = 1...256
    package static let usual = Jobs.fixed(4)
    static let word = "auto"

    package init?(_ text: String) {
        if text == Self.word {
            self = .auto
        } else {
            guard let number = Int(text), Self.range.contains(number) else { return nil }
            self = .fixed(number)
        }
    }

    package var text: String { if case .fixed(let number) = self { String(number) } else { Self.word } }
}

/// The pace of `--jobs auto`. Requests are counted in rounds of as many as run in parallel. After each round the number of parallel
/// requests grows, until a round brings hardly more responses in the same time, or slower ones, or more errors.
struct Pace: Sendable {
    /// How a request ended.
    enum Ending: Equatable {
        case response
        case noResponse
        /// The server asked for fewer requests, and perhaps for a pause.
        case refusal(pause: Duration?)
    }

    private struct Round {
        let limit: Int
        let rate: Double
        let slow: Duration
        let errors: Double

        /// Whether this round shows that the smaller number of requests of an earlier round was better.
        func isWorse(than before: Round) -> Bool {
            // Three times as many requests have to bring at least 1.2 times as many responses.
            let gain = 1 + (Double(limit) / Double(before.limit) - 1) / 10
            return rate < before.rate * gain || slow > before.slow * 2 || errors > before.errors + Pace.fewErrors
        }
    }

    private static let first = 8
    private static let growth = 3
    private static let longestPause = Duration.seconds(60)
    /// The most rounds before the next attempt to grow.
    private static let longestRest = 256
    /// The share of errors with which the number stays as it is.
    private static let fewErrors = 0.05

    /// The number of requests that may run in parallel.
    private(set) var limit: Int
    /// The time before which no request begins, because the server asked for a pause.
    private(set) var pausedUntil = Duration.zero
    private var roundBegan: Duration?
    private var durations: [Duration] = []
    private var errors = 0
    /// The last round after which the number has grown.
    private var before: Round?
    /// The number of rounds before the next attempt to grow, and after the next attempt that fails.
    private var rest = 0
    private var nextRest = 8
    private var refused = Duration.zero

    init(_ jobs: Jobs) {
        limit = if case .fixed(let number) = jobs { max(1, number) } else { Self.first }
    }

    /// Counts a request of `--jobs auto` that has ended.
    mutating func note(_ ending: Ending, began: Duration, now: Duration) {
        roundBegan = roundBegan ?? began
        switch ending {
        case .response: durations.append(now - began)
        case .noResponse: errors += 1
        case .refusal(let pause):
            pausedUntil = max(pausedUntil, now + min(pause ?? .zero, Self.longestPause))
            errors += 1
            // Requests that began before the last change say nothing about it.
            if began >= refused {
                refused = now
                settle(at: max(1, limit / 2))
            }
        }
        if durations.count + errors >= limit { endRound(now) }
    }

    private mutating func endRound(_ now: Duration) {
        let count = durations.count + errors
        let time = max((now - (roundBegan ?? now)).seconds, 1e-6)
        durations.sort()
        let round = Round(
            limit: limit, rate: Double(durations.count) / time,
            slow: durations.isEmpty ? .zero : durations[durations.count * 9 / 10],
            errors: Double(errors) / Double(count))
        beginRound(now)
        if rest > 0 {
            rest -= 1
        } else if let before, limit > before.limit, round.isWorse(than: before) {
            settle(at: before.limit)
            beginRound(now)
        } else if round.errors <= Self.fewErrors {
            before = round
            limit = min(Jobs.range.upperBound, limit * Self.growth)
        }
    }

    private mutating func beginRound(_ now: Duration) {
        roundBegan = now
        durations.removeAll(keepingCapacity: true)
        errors = 0
    }

    /// Stays with a number of requests for some rounds, each time for longer.
    private mutating func settle(at limit: Int) {
        self.limit = limit
        before = nil
        rest = nextRest
        nextRest = min(nextRest * 2, Self.longestRest)
    }
}
