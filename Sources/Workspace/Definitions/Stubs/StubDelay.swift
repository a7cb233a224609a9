import ReqcliText

extension Shape where Value == ClosedRange<Duration> {
    /// The delay of a stub: always the same, or random between two bounds.
    static let delay = Shape(
        expects: "a duration such as \"80ms\", or a range such as \"80ms..200ms\"",
        schema: .either([
            .number(minimum: 0), .text(pattern: "^\(DurationText.pattern)(\\.\\.\(DurationText.pattern))?$"),
        ])
    ) { value, decoding in
        if let single = DurationText.duration(of: value) { return single...single }
        if let (lower, upper) = value.string.flatMap(bounds) {
            if lower <= upper { return lower...upper }
            decoding.report(
                .valueRange, "the range \(value.shortDescription) ends before it begins", at: value.place,
                hint: "put the shorter time first")
            return nil
        }
        decoding.mismatch(value, expects: "a duration such as \"80ms\", or a range such as \"80ms..200ms\"")
        return nil
    }

    private static func bounds(_ text: String) -> (Duration, Duration)? {
        // No duration ends with a point, so the first two points separate the bounds.
        let parts = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let lower = DurationText.parse(parts[0]), let upper = DurationText.parse(parts[1])
        else { return nil }
        return (lower, upper)
    }
}
