/// A day of the Gregorian calendar, computed without Foundation's calendars.
package struct CalendarDate: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    // In this computation, years begin in March, so that a leap day is the last day of its year. An era is 400 years, which are
    // 146,097 days.

    /// The day that is this many days after 1970-01-01.
    package init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = shifted.dividedFlooring(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }

    package var daysSince1970: Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = yearFromMarch.dividedFlooring(by: 400)
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// Points in time as text, in UTC.
package enum Timestamp {
    /// The time as `2026-03-01T12:30:00`, without a time zone.
    package static func text(_ secondsSince1970: Double) -> String {
        let total = Int(secondsSince1970.rounded(.down))
        let days = total.dividedFlooring(by: 86_400)
        let second = total - days * 86_400
        let date = CalendarDate(daysSince1970: days)
        return "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))"
            + "T\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
    }

    /// The time in ISO 8601: `2026-03-01T12:30:00Z`.
    package static func iso8601(_ secondsSince1970: Double) -> String { text(secondsSince1970) + "Z" }

    /// The time in a string that ``iso8601(_:)`` writes; nil for any other string.
    package static func seconds(_ text: String) -> Double? {
        let numbers = text.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        guard numbers.count == 6, numbers.allSatisfy({ $0 < 10_000 }) else { return nil }
        let days = CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]).daysSince1970
        let seconds = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        let time = Double(days * 86_400 + seconds)
        return iso8601(time) == text ? time : nil
    }

    /// The time in RFC 3339, in UTC, with milliseconds unless they are 0.
    package static func rfc3339(_ secondsSince1970: Double) -> String {
        let milliseconds = Int((secondsSince1970 * 1000).rounded())
        let fraction = (milliseconds % 1000 + 1000) % 1000
        let text = text(Double((milliseconds - fraction) / 1000))
        return fraction == 0 ? text + "Z" : "\(text).\(padded(fraction, 3))Z"
    }

    /// The time in a string that RFC 3339 allows, with or without a fraction, in any time zone; nil for any other string.
    package static func seconds(rfc3339 text: String) -> Double? {
        let text = text.uppercased()
        guard text.utf8.count >= 20, let start = seconds("\(text.prefix(10))T\(text.dropFirst(11).prefix(8))Z"),
            ["T", " "].contains(text.dropFirst(10).first)
        else { return nil }
        var rest = text.dropFirst(19)
        var fraction = 0.0
        if rest.first == "." {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, let value = Double("0.\(digits)") else { return nil }
            fraction = value
            rest = rest.dropFirst(1 + digits.count)
        }
        if rest == "Z" { return start + fraction }
        let numbers = rest.dropFirst().split(separator: ":").map { $0.utf8.count == 2 ? Int($0) : nil }
        guard rest.first == "+" || rest.first == "-", numbers.count == 2, let hours = numbers[0],
            let minutes = numbers[1], hours < 24, minutes < 60
        else { return nil }
        let offset = Double(hours * 3600 + minutes * 60)
        return start + fraction - (rest.first == "-" ? -offset : offset)
    }

    package static func padded(_ value: Int, _ width: Int = 2) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int {
    fileprivate func dividedFlooring(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
