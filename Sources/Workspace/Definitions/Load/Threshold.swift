import Foundation
package import ReqcliText
import RequestBuilding

/// A condition on the measurements of a load: `p95 < 150ms`, `errors < 0.1 %`, `rate >= 99 %`. With the name of an action in front,
/// `todos.get: p95 < 150ms`, it is a condition on this action.
package struct Threshold: Sendable, Equatable {
    package enum Metric: Sendable, Equatable {
        /// 100 is the longest time.
        case percentile(Double)
        case mean
        case errors
        /// The arrivals that were sent.
        case rate
    }

    package enum Comparison: String, Sendable, CaseIterable {
        // The order of the search: `<=` begins with `<`.
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case more = ">"
        case equal = "="

        package func holds(_ one: Double, _ other: Double) -> Bool {
            switch self {
            case .atMost: one <= other
            case .atLeast: one >= other
            case .less: one < other
            case .more: one > other
            case .equal: one == other
            }
        }
    }

    package enum Unit: Sendable, Equatable {
        case seconds
        case percent
        /// A number, or for a rate the number in a second.
        case number
    }

    /// The name of the action; nil for all arrivals.
    package private(set) var action: String?
    package let metric: Metric
    package let comparison: Comparison
    package let value: Double
    package let unit: Unit
    /// The place in the file of the load; nil for a condition of the command line.
    package private(set) var place: Place?
    /// The condition as written, without the action.
    package let condition: String

    package static let expectation = "a condition such as 'p95 < 150ms', 'errors < 0.1 %' or 'todos.get: rate >= 50/s'"

    /// The conditions that are checked even if none is given.
    package static let noErrors = known("errors = 0")
    package static let fullRate = known("rate >= 99 %")
    package static let usualAbort = known("errors < 50 %")

    package var text: String { (action.map { "\($0): " } ?? "") + condition }
    package var isAboutErrors: Bool { metric == .errors }
    package var isAboutRate: Bool { metric == .rate }

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

    /// The condition on one action, or on all for nil.
    package func about(_ action: String?) -> Threshold {
        var threshold = self
        threshold.action = action
        return threshold
    }

    package func placed(at place: Place) -> Threshold {
        var threshold = self
        threshold.place = place
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
