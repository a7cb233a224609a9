import ReqcliBasics
import ReqcliText
import RequestBuilding

/// Durations as text or as JSON numbers: `30`, `0.5`, `"250ms"`, `"30s"`, `"2m"`, `"1h30m"`.
package enum DurationText {
    /// The longest duration. It is exact in every unit that a transport uses.
    package static let longest = Duration.seconds(31 * 24 * 3600)

    /// The shortest time limit. Transports count in milliseconds and treat zero as "no limit".
    package static let shortestBound = Duration.milliseconds(1)

    static let example = "seconds or a duration such as \"800ms\""
    /// The pattern of a duration, without anchors because a range has two durations.
    static let pattern = {
        let whole = "(0|[1-9][0-9]*)"
        let any = #"\#(whole)(\.[0-9]+)?"#
        return "(\(any)(ms|s|m|h)?|(\(whole)h(\(whole)m)?|\(whole)m)\(any)s|\(whole)h\(any)m)"
    }()

    /// Parses a duration, in seconds if it has no unit; nil if the text is not a duration.
    package static func parse(_ text: String) -> Duration? {
        var rest = text[...]
        var seconds = 0.0
        var lastUnits = anyUnit
        // Whole hours and minutes before the last part: `1h30m`, `1m30s`.
        for (unit, scale, unitsBelow) in unitsBefore {
            let end = rest.utf8.firstIndex { !$0.isDigit } ?? rest.endIndex
            guard end < rest.endIndex, rest.utf8[end] == unit else { continue }
            let following = rest[rest.utf8.index(after: end)...]
            guard following.utf8.first?.isDigit == true, let number = JSONNumber(String(rest[..<end])) else { continue }
            seconds += number.double * scale
            rest = following
            lastUnits = unitsBelow
        }
        let end = rest.utf8.firstIndex { !$0.isDigit && $0 != UInt8(ascii: ".") } ?? rest.endIndex
        guard let (_, scale) = lastUnits.first(where: { $0.unit.utf8.elementsEqual(rest[end...].utf8) }),
            let number = JSONNumber(String(rest[..<end]))
        else { return nil }
        seconds += number.double * scale
        return seconds <= longest.seconds ? exact(seconds) : nil
    }

    /// The units of the last part with their lengths in seconds.
    private static let anyUnit: [(unit: String, scale: Double)] = [
        ("", 1), ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600),
    ]
    /// The units of the parts before the last part, each with the units that may follow.
    private static let unitsBefore: [(unit: UInt8, scale: Double, unitsBelow: [(unit: String, scale: Double)])] = [
        (UInt8(ascii: "h"), 3600, [("m", 60), ("s", 1)]), (UInt8(ascii: "m"), 60, [("s", 1)]),
    ]

    /// The duration of a JSON value: a number of seconds, or a text with a unit.
    static func duration(of value: JSONValue) -> Duration? {
        guard let number = value.number else { return value.string.flatMap(parse) }
        guard number >= JSONNumber(0), number.double <= longest.seconds else { return nil }
        return exact(number.double)
    }

    /// The duration without rounding errors: `Duration.seconds(0.7)` is a little more than 0.7 s.
    private static func exact(_ seconds: Double) -> Duration { .nanoseconds(Int64((seconds * 1e9).rounded())) }
}

extension Shape where Value == Duration {
    static let duration = Shape(
        expects: DurationText.example,
        schema: .either([.number(minimum: 0), .text(pattern: "^\(DurationText.pattern)$")]),
        code: { $0.kind == .number ? .valueRange : .typeMismatch }, read: DurationText.duration)

    /// A time limit. Zero would mean "fail at once" and is rejected.
    static let bound = duration.checked(
        schema: .either([.number(minimum: .number("0.001")), .text(pattern: "^\(DurationText.pattern)$")])
    ) { duration, value, decoding in
        if duration >= DurationText.shortestBound { return true }
        decoding.mismatch(
            value, expects: "at least \(DurationText.shortestBound.text)", code: .valueRange)
        return false
    }
}
