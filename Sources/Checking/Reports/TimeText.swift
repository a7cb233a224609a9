import RequestBuilding

/// Times as reports show them.
enum TimeText {
    /// Seconds with three decimals: `0.012`.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = milliseconds(duration)
        return "\(milliseconds / 1000).\(Timestamp.padded(milliseconds % 1000, 3))"
    }

    static func milliseconds(_ duration: Duration) -> Int { max(0, Int((duration.seconds * 1000).rounded())) }

    /// A short form: `12ms`, `1.2s`, `2m 05s`.
    static func short(_ duration: Duration) -> String {
        let milliseconds = milliseconds(duration)
        if milliseconds < 1000 { return "\(milliseconds)ms" }
        if milliseconds < 59_950 {
            let tenths = (milliseconds + 50) / 100
            return "\(tenths / 10).\(tenths % 10)s"
        }
        let seconds = (milliseconds + 500) / 1000
        return "\(seconds / 60)m \(Timestamp.padded(seconds % 60))s"
    }
}
