import Foundation
import RequestBuilding
import TestSupport
import Testing

@testable import LoadTesting

struct HistogramTests {
    /// The shapes of distributions, as values in microseconds.
    enum Shape: String, CaseIterable {
        case constant, even, exponential, heavyTail, twoPeaks

        func value(_ generator: inout SeededGenerator) -> UInt64 {
            let unit = Double.random(in: 0..<1, using: &generator)
            switch self {
            case .constant: return 12_345
            case .even: return UInt64(unit * 5_000_000)
            case .exponential: return UInt64(-log(1 - unit) * 20_000)
            case .heavyTail: return UInt64(min(1000 / pow(1 - unit, 1.2), 4e9))
            case .twoPeaks: return unit < 0.9 ? UInt64(200 + unit * 100) : UInt64(900_000 + unit * 200_000)
            }
        }
    }

    @Test("Percentiles are 0 to 0.4 % above the exact ones", arguments: Shape.allCases)
    func percentiles(_ shape: Shape) {
        var generator = SeededGenerator(seed: 1)
        var histogram = Histogram()
        let values = (0..<200_000).map { _ in shape.value(&generator) }.sorted()
        for value in values { histogram.add(value) }
        for percent in [1.0, 50, 75, 90, 95, 99, 99.9, 99.99, 100] {
            let exact = values[max(1, Int((percent / 100 * Double(values.count) - 1e-9).rounded(.up))) - 1]
            let found = UInt64((histogram.percentile(percent)?.seconds ?? -1) * 1e6 + 0.5)
            #expect(found >= exact && Double(found) <= Double(exact) * 1.004, "p\(percent) of \(shape)")
        }
        #expect(histogram.longest == values.last)
        #expect(histogram.count == 200_000)
    }

    @Test("Every bucket ends where the next one begins, and is at most 0.4 % wide")
    func buckets() {
        let histogram = Histogram()
        var bucket = 0
        var edge: UInt64 = 0
        while edge < 1 << 32 - 1 {
            edge = histogram.upperEdge(of: bucket)
            #expect(histogram.bucket(of: edge) == bucket)
            let next = histogram.upperEdge(of: bucket + 1)
            if edge < 1 << 32 - 1 { #expect(histogram.bucket(of: edge + 1) == bucket + 1) }
            #expect(next - edge <= max(1, edge / 256 + 1))
            bucket += 1
        }
        #expect(bucket == 6400)
        #expect(histogram.bucket(of: .max) == 6399)
    }

    @Test("Each coarse bucket consists of whole fine ones")
    func nested() {
        let (fine, coarse) = (Histogram(), Histogram.coarse)
        for bucket in 0..<440 {
            let edge = coarse.upperEdge(of: bucket)
            #expect(fine.upperEdge(of: fine.bucket(of: edge)) == edge)
        }
    }

    @Test("Histograms that are added are equal to one of all values, bucket for bucket")
    func adding() {
        var generator = SeededGenerator(seed: 2)
        var (whole, parts) = (Histogram(), Array(repeating: Histogram(), count: 7))
        for number in 0..<50_000 {
            let value = Shape.allCases[number % 5].value(&generator)
            whole.add(value)
            parts[Int.random(in: 0..<7, using: &generator)].add(value)
        }
        #expect(parts.reduce(into: Histogram()) { $0.add($1) } == whole)
    }

    @Test("A fraction of a microsecond counts as a whole one")
    func rounding() {
        var histogram = Histogram()
        histogram.add(.nanoseconds(1))
        histogram.add(.nanoseconds(2000))
        histogram.add(.nanoseconds(2001))
        #expect(histogram.counts == [0, 1, 1, 1])
        #expect(histogram.mean == .microseconds(2))
    }

    @Test("Arrivals that failed are slower than any other")
    func failed() {
        var histogram = Histogram()
        for _ in 0..<99 { histogram.add(UInt64(100)) }
        #expect(histogram.percentile(99, of: 100) == .microseconds(100))
        #expect(histogram.percentile(99.1, of: 100) == nil)
        #expect(Histogram().percentile(50) == nil)
    }
}
