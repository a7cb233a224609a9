import Checking
import CommandLineKit
import Definitions
import SourceText

/// Options of `check` alone.
enum CheckOptions {
    static let selectors = Selector.argument("The cases to check (default: all)")

    static let jobs = Option(
        "jobs", short: "j", .integer("N", in: 1...256), default: 4, "The maximum number of parallel requests")
    static let failFast = Flag("fail-fast", "Start no more cases after the first one that doesn't pass")
    static let retry = Option(
        "retry", .integer("N", in: 0...1000), default: 0, "Retry a case up to N times until it passes")
    static let retryInterval = Option(
        "retry-interval", .bound, default: .seconds(1), "The wait between two attempts")
    static let data = Option(
        "data", .file(), "Run each case once per row of this .csv, .json or .ndjson file; - is stdin")
    static let maxBody = Option(
        "max-body", .byteCount, default: ByteCount(ReceivedBody.usualLimit),
        "The largest body that is checked; conditions on a larger one fail")
    static let shard = Option("shard", .shard, "Run only part K of N of the cases, the same on every machine")
    static let list = Flag("list", "Print the cases that would run, and run nothing")
    static let reports = Option(
        repeated: "report", .text("KIND=FILE", completing: .report),
        "Write a report: \(Sentence.alternatives(ReportKind.allCases.map(\.rawValue))); - is stdout")

    static let running = OptionGroup(
        "Run", jobs, failFast, retry, retryInterval, maxBody, data, shard, StubChoice.optionOfMany, list)
    static let reporting = OptionGroup("Reports", reports)
}

extension ValueSpec where Value == ByteCount {
    static let byteCount = ValueSpec(
        "SIZE", expected: "a size such as 512M or 1G, at least 1 byte and less than 4G", text: { $0.short }
    ) { (text) throws(InvalidValue) in
        guard let count = ByteCount(text), (1...JSONDocument.largestSize).contains(count.bytes) else {
            throw InvalidValue()
        }
        return count
    }
}

extension ValueSpec where Value == Shard {
    static let shard = ValueSpec("K/N", expected: Shard.expectation, text: { $0.text }) {
        (text) throws(InvalidValue) in
        guard let shard = Shard(text) else { throw InvalidValue() }
        return shard
    }
}
