import Foundation
import ReqcliText

/// Rates as text: `200/s`, `0.5/s`, `1200/m`, `3600/h`.
package enum RateText {
    package static let example = "a rate such as 200/s"
    package static let pattern = #"(0|[1-9][0-9]*)(\.[0-9]+)?/(s|m|h)"#
    /// The highest rate, in requests a second.
    package static let highest = 1_000_000.0
    /// The lowest rate above 0: one request in ten hours.
    private static let lowest = 0.1 / 3600

    /// Parses a rate. Returns the number in a second; nil if the text is not a rate.
    package static func parse(_ text: String) -> Double? {
        guard let slash = text.lastIndex(of: "/"), let number = JSONNumber(String(text[..<slash]))?.double,
            let seconds = ["s": 1.0, "m": 60, "h": 3600][text[text.index(after: slash)...]], number >= 0
        else { return nil }
        let rate = number / seconds
        return rate == 0 || (lowest...highest).contains(rate) ? rate : nil
    }

    /// The rate in the unit in which it is at least 1, with at most three digits after the point: `200/s`, `30/m`.
    package static func text(_ rate: Double) -> String {
        let (number, unit) =
            rate >= 1 || rate == 0 ? (rate, "s") : rate * 60 >= 1 ? (rate * 60, "m") : (rate * 3600, "h")
        let rounded = (number * 1000).rounded() / 1000
        return "\(rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded))/\(unit)"
    }
}

/// A rate that changes evenly, such as `0..200/s`, or stays the same.
package struct RateRange: Sendable, Equatable {
    package let first: Double
    package let last: Double

    package init(_ first: Double, to last: Double) {
        self.first = first
        self.last = last
    }

    /// Parses `200/s` or `0..200/s`. Nil if the text is not a rate, or if nothing would ever be sent.
    package init?(_ text: String) {
        let parts = text.components(separatedBy: "..")
        guard parts.count <= 2, let last = RateText.parse(parts[parts.count - 1]) else { return nil }
        var first = last
        if parts.count == 2 {
            guard let unit = text.lastIndex(of: "/"), let start = RateText.parse(parts[0] + text[unit...]) else {
                return nil
            }
            first = start
        }
        guard max(first, last) > 0 else { return nil }
        self.init(first, to: last)
    }

    package var text: String {
        first == last ? RateText.text(last) : "\(RateText.text(first)) to \(RateText.text(last))"
    }

    package var mean: Double { (first + last) / 2 }
}
