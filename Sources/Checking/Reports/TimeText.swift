import Definitions

/// Times as reports show them.
enum TimeText {
    /// Seconds with three decimals: `0.012`.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = milliseconds(duration)
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    static func milliseconds(_ duration: Duration) -> Int { max(0, Int((duration.inSeconds * 1000).rounded())) }

    /// A short form: `12ms`, `1.2s`, `2m 05s`.
    static func short(_ duration: Duration) -> String {
        let milliseconds = milliseconds(duration)
        if milliseconds < 1000 { return "\(milliseconds)ms" }
        if milliseconds < 59_950 {
            let tenths = (milliseconds + 50) / 100
            return "\(tenths / 10).\(tenths % 10)s"
        }
        let seconds = (milliseconds + 500) / 1000
        return "\(seconds / 60)m \(padded(seconds % 60))s"
    }

    /// A date in UTC: `2023-11-14T22:13:20`.
    static func date(_ secondsSince1970: Int) -> String {
        let days = Int((Double(secondsSince1970) / 86_400).rounded(.down))
        let second = secondsSince1970 - days * 86_400
        // Counts years from March, so that the leap day is the last day of a year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return
            "\(year)-\(padded(month))-\(padded(day))T\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
