import Foundation
package import ReqcliDefinitions
import RequestBuilding

/// The times at which the arrivals of a load begin, fixed before the first one, whatever the server does.
///
/// Arrival `n` begins at Λ⁻¹(Sₙ). Λ is the integral of the rate over time, and Sₙ is `n`, or the sum of random gaps that follow from
/// the seed. The schedule of a seed is therefore the same on any machine.
package struct Schedule: Sendable {
    /// A time in which the rate changes evenly from one number of arrivals a second to another.
    package struct Stage: Sendable, Equatable {
        package let rates: RateRange
        package let length: Duration
        /// Whether the arrivals count for thresholds.
        package let isJudged: Bool

        package init(_ rates: RateRange, for length: Duration, isJudged: Bool = true) {
            (self.rates, self.length, self.isJudged) = (rates, length, isJudged)
        }

        /// The number of arrivals: the integral of the rate.
        fileprivate var area: Double { (rates.first + rates.last) / 2 * length.seconds }

        /// The seconds after which the integral of the rate has reached a value.
        fileprivate func seconds(to area: Double) -> Double {
            if area <= 0 { return 0 }
            let growth = length > .zero ? (rates.last - rates.first) / length.seconds : 0
            // The root of `first · t + growth / 2 · t² = area`, in the form that loses no digits if `growth` is small.
            let root = (rates.first * rates.first + 2 * growth * area).clampedToZero.squareRoot()
            return 2 * area / (rates.first + root)
        }
    }

    package struct Arrival: Sendable, Equatable {
        /// The number of the arrival, from 0.
        package let number: Int
        /// The time from the beginning of the load.
        package let time: Duration
        /// Whether the arrival counts for thresholds.
        package var isJudged = true
    }

    package let stages: [Stage]
    package let dice: LoadDice
    /// Whether the gaps between arrivals are random, as those of independent users are.
    package let isRandom: Bool

    package init(_ stages: [Stage], dice: LoadDice, isRandom: Bool = false) {
        self.stages = stages
        self.dice = dice
        self.isRandom = isRandom
    }

    package var length: Duration { stages.reduce(.zero) { $0 + $1.length } }

    /// The length of the stages that count for thresholds, as far as they begin before a time; all of it for nil.
    package func judgedLength(until end: Duration?) -> Duration {
        var (start, sum) = (Duration.zero, Duration.zero)
        for stage in stages {
            let rest = max(.zero, (end ?? length) - start)
            if stage.isJudged { sum += min(stage.length, rest) }
            start += stage.length
        }
        return sum
    }

    /// The highest rate of all stages.
    package var highestRate: Double { stages.flatMap { [$0.rates.first, $0.rates.last] }.max() ?? 0 }

    /// The number of arrivals up to the end. With random gaps, the real number is about as large.
    package var expectedCount: Int { Int(area.rounded(.up)) }

    private var area: Double { Self.rounded(stages.reduce(0) { $0 + $1.area }) }

    /// The value without the errors of sums such as 0.1 + 0.2, which could add an arrival.
    private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

    /// The arrivals in the order of their times. They are computed one by one, because there may be many.
    package var arrivals: some Sequence<Arrival> {
        let end = area
        var sum = 0.0
        var number = 0
        var stage = 0
        var (areaBefore, timeBefore) = (0.0, 0.0)
        return AnyIterator {
            if isRandom { sum += dice.gap(number) }
            guard sum < end else { return nil }
            while stage < stages.count - 1, sum >= areaBefore + stages[stage].area {
                areaBefore += stages[stage].area
                timeBefore += stages[stage].length.seconds
                stage += 1
            }
            let seconds = timeBefore + stages[stage].seconds(to: sum - areaBefore)
            defer {
                number += 1
                if !isRandom { sum += 1 }
            }
            return Arrival(
                number: number, time: .nanoseconds(Int64((seconds * 1e9).rounded())), isJudged: stages[stage].isJudged)
        }
    }
}

/// The random choices of a load. Each is a hash of the seed and the number of an arrival, and not the next value of a stream, so that
/// every machine makes the same choices, whichever arrivals it sends.
package struct LoadDice: Sendable {
    private let seed: UInt64

    package init(seed: String) { self.seed = StableHash.of(seed) }

    private enum Purpose: UInt64 {
        case action = 1
        case gap, think
    }

    /// The index of one of several actions, chosen by their weights.
    package func action(_ number: Int, weights: [Int]) -> Int {
        let total = UInt64(max(1, weights.reduce(0, +)))
        var rest = hash(number, .action).multipliedFullWidth(by: total).high
        for (index, weight) in weights.enumerated() {
            if rest < UInt64(weight) { return index }
            rest -= UInt64(weight)
        }
        return 0
    }

    /// A gap between two arrivals, exponentially distributed with the mean 1.
    fileprivate func gap(_ number: Int) -> Double { -log(1 - fraction(number, .gap)) }

    /// A time in a range, evenly distributed.
    ///
    /// - Parameter step: The number of the pause in the arrival; 0 for the pause after it.
    package func think(_ number: Int, step: Int = 0, in range: ClosedRange<Duration>) -> Duration {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction(number &+ step << 40, .think)
    }

    /// A number from 0 up to 1, without 1.
    private func fraction(_ number: Int, _ purpose: Purpose) -> Double {
        Double(hash(number, purpose) >> 11) / Double(1 << 53)
    }

    /// Mixes all bits, as SplitMix64 does.
    private func hash(_ number: Int, _ purpose: Purpose) -> UInt64 {
        var bits = seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 &+ purpose.rawValue << 56
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}

extension Double {
    /// The value, or 0 for a negative one, which is an error of rounding.
    fileprivate var clampedToZero: Double { max(0, self) }
}
