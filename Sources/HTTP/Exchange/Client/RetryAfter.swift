package import Foundation
import ReqcliBasics

/// The `Retry-After` header: seconds, or a date in one of HTTP's three forms.
package enum RetryAfter {
    /// The time to wait from now; nil if the value is neither a number of seconds nor a date.
    package static func wait(_ text: String, now: Date) -> Duration? {
        let text = String(text.trimmingSpacesAndTabs)
        // Any number of digits is accepted: a number that is too large means a long time.
        if !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            return .seconds(min(Int64(text) ?? .max, 1 << 31))
        }
        guard let date = HTTPDate.date(from: text) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)))
    }
}
