import ReqcliBasics
import ReqcliJSONPath

/// Dates and times as RFC 3339 writes them.
package enum DateTimeText {
    package static func isDate(_ text: String) -> Bool { FormatPattern.date?.matches(text) == true }

    package static func isDateTime(_ text: String) -> Bool {
        FormatPattern.dateTime?.matches(text) == true && hasSecond(text.utf8.dropFirst(11))
    }

    static func isTime(_ text: String) -> Bool {
        FormatPattern.time?.matches(text) == true && hasSecond(text.utf8[...])
    }

    /// Whether a time that matches the pattern has a second 60 only where a leap second may be: at the end of a day in UTC.
    private static func hasSecond(_ text: Substring.UTF8View) -> Bool {
        guard text.dropFirst(6).starts(with: "60".utf8) else { return true }
        let time = Array(text)
        func number(_ start: Int) -> Int { Int(time[start] - .zero) * 10 + Int(time[start + 1] - .zero) }
        var minutes = number(0) * 60 + number(3)
        if let last = time.last, last.isDigit {
            let offset = time.count - 6
            minutes += (number(offset + 1) * 60 + number(offset + 4)) * (time[offset] == .minus ? 1 : -1)
        }
        let day = 24 * 60
        return (minutes + day) % day == day - 1
    }
}
