import Foundation

/// The `Retry-After` header: seconds, or a date in one of HTTP's three forms.
enum RetryAfter {
    /// How long to wait from now; nil for what is neither.
    static func wait(_ text: String, now: Date) -> Duration? {
        let text = text.trimmedBlanks
        if let seconds = Int64(text) { return seconds >= 0 ? .seconds(min(seconds, 1 << 31)) : nil }
        guard let date = HTTPDate.date(from: text) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)))
    }
}
