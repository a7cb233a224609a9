import Foundation
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A condition on the measurements of a load: `p95 < 150ms`, `errors < 0.1 %`, `rate >= 99 %`. With the name of an action in front,
/// `todos.get: p95 < 150ms`, it is a condition on this action.
package struct Threshold: Sendable, Equatable {
    enum Metric: Sendable, Equatable {
        /// 100 is the longest time.
        case percentile(Double)
        case mean
        case errors
        /// The arrivals that were sent.
        case rate
    }

    enum Comparison: String, Sendable, CaseIterable {
        // The order of the search: `<=` begins with `<`.
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case more = ">"
        case equal = "="

        func holds(_ one: Double, _ other: Double) -> Bool {
            switch self {
            case .atMost: one <= other
            case .atLeast: one >= other
            case .less: one < other
            case .more: one > other
            case .equal: one == other
            }
        }
    }

    enum Unit: Sendable, Equatable {
        case seconds
        case percent
        /// A number, or for a rate the number in a second.
        case number
    }

    /// The name of the action; nil for all arrivals.
    package private(set) var action: String?
    let metric: Metric
    let comparison: Comparison
    let value: Double
    let unit: Unit
    /// The condition as written, without the action.
    package let condition: String

    package static let expectation = "a condition such as 'p95 < 150ms', 'errors < 0.1 %' or 'todos.get: rate >= 50/s'"

    /// The conditions that are checked even if none is given.
    package static let noErrors = known("errors = 0")
    package static let fullRate = known("rate >= 99 %")
    package static let usualAbort = known("errors < 50 %")

    package var text: String { (action.map { "\($0): " } ?? "") + condition }
    package var isAboutErrors: Bool { metric == .errors }
    var isAboutRate: Bool { metric == .rate }

    /// Nil if the text is not a condition.
    package init?(_ text: String) {
        let colon = text.lastIndex(of: ":")
        let name = colon.map { text[..<$0].trimmingCharacters(in: .whitespaces) }
        let condition = text[(colon.map(text.index(after:)) ?? text.startIndex)...].trimmingCharacters(in: .whitespaces)
        guard let comparison = Comparison.allCases.first(where: { condition.contains($0.rawValue) }),
            let sign = condition.firstRange(of: comparison.rawValue),
            let metric = Metric(condition[..<sign.lowerBound].trimmingCharacters(in: .whitespaces)),
            let (value, unit) = metric.value(condition[sign.upperBound...].trimmingCharacters(in: .whitespaces))
        else { return nil }
        action = name == "*" || name == "" ? nil : name
        (self.metric, self.comparison, self.value, self.unit, self.condition) = (
            metric, comparison, value, unit, condition
        )
    }

    /// No errors of one action.
    package static func noErrors(of action: String) -> Threshold {
        var threshold = noErrors
        threshold.action = action
        return threshold
    }

    private static func known(_ text: String) -> Threshold {
        guard let threshold = Threshold(text) else { preconditionFailure("\(text) is a valid condition") }
        return threshold
    }
}

extension Threshold.Metric {
    fileprivate init?(_ word: String) {
        switch word {
        case "max": self = .percentile(100)
        case "mean": self = .mean
        case "errors": self = .errors
        case "rate": self = .rate
        default:
            guard word.hasPrefix("p"), let percent = JSONNumber(String(word.dropFirst()))?.double, percent >= 50,
                percent <= 99.99
            else { return nil }
            self = .percentile(percent)
        }
    }

    /// The value that a word gives; nil if the word is not a value of this metric.
    fileprivate func value(_ word: String) -> (Double, Threshold.Unit)? {
        switch self {
        case .percentile, .mean:
            // A duration without a unit would be in seconds, but people might think of milliseconds.
            guard word.last?.isLetter == true, let duration = DurationText.parse(word) else { return nil }
            return (duration.seconds, .seconds)
        case .errors, .rate:
            if word.hasSuffix("%") {
                let number = JSONNumber(word.dropLast().trimmingCharacters(in: .whitespaces))?.double
                return number.flatMap { (0...100).contains($0) ? ($0, .percent) : nil }
            }
            if self == .rate { return RateText.parse(word).map { ($0, .number) } }
            return JSONNumber(word).flatMap { $0.int }.flatMap { $0 >= 0 ? (Double($0), .number) : nil }
        }
    }
}

/// A threshold, and what was measured.
package struct ThresholdVerdict: Sendable, Equatable {
    package let threshold: Threshold
    package let holds: Bool
    /// The measured value as text.
    package let found: String
}

extension Threshold {
    /// Compares the condition with the measurements. A condition on nothing is not met.
    ///
    /// - Parameter length: The time in which the arrivals were due.
    func verdict(on tally: Tally, over length: Duration) -> ThresholdVerdict {
        guard tally.arrivals > 0 else {
            return ThresholdVerdict(threshold: self, holds: false, found: "nothing was measured")
        }
        guard let measured = measured(tally, length) else {
            return ThresholdVerdict(threshold: self, holds: false, found: "a request that failed")
        }
        return ThresholdVerdict(
            threshold: self, holds: comparison.holds(measured, value), found: text(measured))
    }

    /// The measured value in the unit of the condition. Nil for a time that an arrival that failed has prolonged: failing fast doesn't
    /// help.
    private func measured(_ tally: Tally, _ length: Duration) -> Double? {
        let total = Double(tally.arrivals)
        switch metric {
        case .percentile(let percent):
            return tally.latencies.percentile(percent, of: UInt64(tally.arrivals))?.seconds
        case .mean: return tally.latencies.count < tally.arrivals ? nil : tally.latencies.mean?.seconds
        case .errors:
            let failed = total - Double(tally.latencies.count)
            return unit == .percent ? failed / total * 100 : failed
        case .rate:
            return unit == .percent ? Double(tally.sent) / total * 100 : Double(tally.sent) / max(length.seconds, 0.001)
        }
    }

    private func text(_ measured: Double) -> String {
        switch (unit, metric) {
        case (.seconds, _): LoadText.time(.seconds(measured))
        case (.percent, _): LoadText.percent(measured)
        case (.number, .rate): LoadText.rate(measured)
        case (.number, _): LoadText.count(Int(measured))
        }
    }
}
