/// Points in time as text, without the calendar machinery of Foundation.
package enum Timestamp {
    /// `2026-03-01T12:30:00Z`
    package static func iso8601(_ seconds: Double) -> String {
        let total = Int(seconds.rounded(.down))
        let day = total.dividedFlooring(by: 86_400)
        let second = total - day * 86_400
        let (year, month, dayOfMonth) = civil(day)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        return "\(date)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
    }

    /// The date that is so many days after 1970-01-01, in the Gregorian calendar: years begin in March here, so that
    /// the leap day is a year's last, and 400 of them are 146,097 days.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.dividedFlooring(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int {
    fileprivate func dividedFlooring(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
