import Checking
import RequestBuilding

/// Numbers as the view and the reports of a load show them.
enum LoadText {
    /// `36,012`
    static func count(_ number: Int) -> String {
        var digits = String(number)
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
            place -= 3
        }
        return digits
    }

    /// `1 request`, `36,012 requests`
    static func count(_ number: Int, _ noun: String) -> String { "\(count(number)) \(noun)\(number == 1 ? "" : "s")" }

    /// `1 request`, `36012 requests`
    static func plain(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// `0.4ms`, `12ms`, `1.4s`
    static func time(_ time: Duration) -> String { TimeText.fine(time) }

    /// `0.02 %`, `12 %`: a share that isn't 0 never looks like 0, and one below 100 never like 100.
    static func percent(_ percent: Double) -> String {
        if percent == 0 || percent >= 100 { return "\(Int(percent)) %" }
        if percent < 0.01 { return "< 0.01 %" }
        let scale = percent < 10 || percent > 90 ? 100.0 : 10
        let rounded = min((percent * scale).rounded(), 100 * scale - 1) / scale
        return rounded == rounded.rounded() ? "\(Int(rounded)) %" : "\(rounded) %"
    }

    /// `120/s`, `0.5/s`
    static func rate(_ rate: Double) -> String {
        let rounded = rate >= 100 ? rate.rounded() : (rate * 10).rounded() / 10
        return rounded == rounded.rounded() ? "\(count(Int(rounded)))/s" : "\(rounded)/s"
    }
}
