import ASCII
import RequestBuilding
import SourceText

/// Spans of time as people write them: `30`, `0.5`, `"250ms"`, `"30s"`, `"2m"`, `"1h"`.
package enum DurationText {
    /// Longer than anything that is waited for, and still exact in every unit that a transport counts in.
    package static let longest = Duration.seconds(31 * 24 * 3600)

    /// The finest that every transport counts in: less would be no time at all, which they take for no bound.
    package static let shortestBound = Duration.milliseconds(1)

    static let example = "seconds or a duration such as \"800ms\""
    /// Without anchors: a range has two of them.
    static let pattern = #"(0|[1-9][0-9]*)(\.[0-9]+)?(ms|s|m|h)?"#

    /// Seconds where there is no unit; nil if the text is no duration.
    package static func parse(_ text: String) -> Duration? {
        let end = text.utf8.firstIndex { !$0.isDigit && $0 != UInt8(ascii: ".") } ?? text.endIndex
        guard let scale = scale(of: text[end...]), let number = JSONNumber(String(text[..<end])) else { return nil }
        let seconds = number.double * scale
        return seconds <= longest.seconds ? exact(seconds) : nil
    }

    /// The seconds of a unit.
    private static func scale(of unit: Substring) -> Double? {
        switch unit {
        case "", "s": 1
        case "ms": 0.001
        case "m": 60
        case "h": 3600
        default: nil
        }
    }

    /// A number of seconds in any form that JSON has, or a text with a unit.
    static func duration(of value: JSONValue) -> Duration? {
        guard let number = value.number else { return value.string.flatMap(parse) }
        guard number >= JSONNumber(0), number.double <= longest.seconds else { return nil }
        return exact(number.double)
    }

    /// As it was written: `Duration.seconds(0.7)` is a little more than 0.7 s.
    private static func exact(_ seconds: Double) -> Duration { .nanoseconds(Int64((seconds * 1e9).rounded())) }
}

extension Shape where Value == Duration {
    static let duration = Shape(
        expects: DurationText.example,
        schema: .either([.number(.atLeastZero), .text(pattern: "^\(DurationText.pattern)$")])
    ) { value, decoding in
        if let duration = DurationText.duration(of: value) { return duration }
        decoding.mismatch(
            value, expects: DurationText.example, code: value.kind == .number ? .valueRange : .typeMismatch)
        return nil
    }

    /// A bound: zero would mean "fail at once", which nobody wants.
    static let bound = duration.checked(
        schema: .either([.number(.atLeastOneThousandth), .text(pattern: "^\(DurationText.pattern)$")])
    ) { duration, value, decoding in
        if duration >= DurationText.shortestBound { return true }
        decoding.mismatch(
            value, expects: "at least \(DurationText.shortestBound.text)", code: .valueRange)
        return false
    }
}
