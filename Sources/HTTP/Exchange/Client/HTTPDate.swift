package import Foundation
import RequestBuilding

/// Dates as HTTP writes them (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// The time that a string gives; nil if the string has none of HTTP's three forms of a date.
    package static func date(from text: String) -> Date? {
        let words = text.split { " ,-".contains($0) }.map(String.init)
        // The three forms are `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
        if words.count == 6, words[5] == "GMT" {
            return date(day: words[1], month: words[2], year: words[3], time: words[4])
        }
        if words.count == 5 { return date(day: words[2], month: words[1], year: words[4], time: words[3]) }
        return nil
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func isMonth(_ text: String) -> Bool {
        months.contains(text)
    }

    /// The time from these parts, in UTC.
    static func date(day: String, month: String, year: String, time: String) -> Date? {
        let clock = time.split(separator: ":").compactMap { Int($0) }
        guard let day = Int(day), let month = months.firstIndex(of: month), var year = Int(year), clock.count == 3,
            (0...9999).contains(year), (1...31).contains(day), (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        let days = CalendarDate(year: year, month: month + 1, day: day).daysSince1970
        return Date(timeIntervalSince1970: Double(((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]))
    }
}
