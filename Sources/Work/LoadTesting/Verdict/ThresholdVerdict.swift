package import ReqcliDefinitions
import RequestBuilding

/// A threshold, and what was measured.
package struct ThresholdVerdict: Sendable, Equatable {
    package let threshold: Threshold
    package let holds: Bool
    /// The measured value as text.
    package let found: String
}

extension Threshold {
    /// Compares the condition with the measurements. A condition on nothing is not met.
    ///
    /// - Parameter length: The time in which the arrivals were due.
    func verdict(on tally: Tally, over length: Duration) -> ThresholdVerdict {
        guard tally.arrivals > 0 else {
            return ThresholdVerdict(threshold: self, holds: false, found: "nothing was measured")
        }
        guard let measured = measured(tally, length) else {
            return ThresholdVerdict(threshold: self, holds: false, found: "a request that failed")
        }
        return ThresholdVerdict(
            threshold: self, holds: comparison.holds(measured, value), found: text(measured))
    }

    /// The measured value in the unit of the condition. Nil for a time that an arrival that failed has prolonged: failing fast doesn't
    /// help.
    private func measured(_ tally: Tally, _ length: Duration) -> Double? {
        let total = Double(tally.arrivals)
        switch metric {
        case .percentile(let percent):
            return tally.latencies.percentile(percent, of: UInt64(tally.arrivals))?.seconds
        case .mean: return tally.latencies.count < tally.arrivals ? nil : tally.latencies.mean?.seconds
        case .errors:
            let failed = total - Double(tally.latencies.count)
            return unit == .percent ? failed / total * 100 : failed
        case .rate:
            return unit == .percent ? Double(tally.sent) / total * 100 : Double(tally.sent) / max(length.seconds, 0.001)
        }
    }

    private func text(_ measured: Double) -> String {
        switch (unit, metric) {
        case (.seconds, _): LoadText.time(.seconds(measured))
        case (.percent, _): LoadText.percent(measured)
        case (.number, .rate): LoadText.rate(measured)
        case (.number, _): LoadText.count(Int(measured))
        }
    }
}
