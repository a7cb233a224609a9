import Calling
import Checking
import CommandLineKit
import ReqcliDefinitions
import ReqcliText

/// Options that only `check` has.
enum CheckOptions {
    static let selectors = Selector.argument(
        "The cases and scenarios to check (default: all)", completing: .cases)

    static let exclude = Option(
        repeated: "exclude", .selector(completing: .cases), "Leave out the cases that this selector selects")
    static let failed = Option(
        "failed", .file("REPORT"), "Run only the cases that did not pass in this JSON report; - is stdin")
    static let uses = Option(repeated: "uses", .plainFile, "Run only the cases that use this file of the workspace")
    static let jobs = Option(
        "jobs", short: "j", .jobs, default: .usual, "The maximum number of parallel requests")
    static let failOnFlaky = Flag("fail-on-flaky", "Fail a case that passed only on a later attempt")
    static let failFast = Flag("fail-fast", "Start no more cases after the first one that doesn't pass")
    static let retry = Option(
        "retry", .integer("N", in: 0...1000), default: 0, "Retry a case up to N times until it passes")
    static let retryInterval = Option(
        "retry-interval", .bound, default: .seconds(1), "The wait between two attempts")
    static let data = Option(
        "data", .file(), "Run each case once per row of this .csv, .json or .ndjson file; - is stdin")
    static let maxBody = Option(
        "max-body", .byteCount, default: ByteCount(ReceivedBody.usualLimit),
        "The largest body that is checked; checks of a larger body fail")
    static let shard = Option(
        "shard", .shard, "Run only part K of N of the cases")
    static let balance = Option(
        "balance", .file("REPORT"), "Balance the shards by the durations of the cases in this JSON report")
    static let updateSnapshots = Option(
        bare: "update-snapshots", .snapshotUpdate,
        "Write snapshots that are missing or differ, if all other expectations are met",
        repetition: .once)
    static let openAPI = Option(
        "openapi", .file(), "Also compare the responses of all cases with this OpenAPI description")
    static let probe = Flag(
        "probe", "Also send changed params: the server must reject forbidden values and accept boundary values")
    static let list = Flag("list", "Print the cases that would run, without running them")
    static let verbose = Flag(
        "verbose", short: "v", "Also print the request line, the status and the response size of each case")
    static let reports = Option(
        repeated: "report", .text("KIND=FILE", completing: .report),
        "Write a report: \(Sentence.alternatives(ReportKind.allCases.map(\.rawValue))); - is stdout")

    static let json = SharedOptions.json("Print the report as JSON, like --report json=-")

    /// The reports that a command line asks for.
    static func requestedReports(_ arguments: ParsedArguments) -> [String] {
        (arguments[json] ? ["\(ReportKind.json.rawValue)=-"] : []) + arguments[reports]
    }

    static let running = OptionGroup(
        "Run", exclude, failed, uses, jobs, failFast, retry, retryInterval, failOnFlaky, maxBody, data, shard, balance,
        openAPI, probe, StubChoice.optionOfMany,
        updateSnapshots, list, Watching.flag
    ).ruled(by: [
        .atMostOne(list, Watching.flag, updateSnapshots), .excludes(probe, StubChoice.optionOfMany),
        .needs(balance, shard),
    ])
    static let reporting = OptionGroup("Output", verbose, json, reports)
        .ruled(by: [.atMostOne(verbose, GlobalOptions.quiet, list), .excludes(json, list)])
}

extension ValueSpec where Value == Jobs {
    static let jobs = ValueSpec(
        "N|auto", expected: "a whole number from \(Jobs.range.lowerBound) to \(Jobs.range.upperBound), or auto",
        words: [ValueWord(Jobs.auto.text, "Begin with 8, and send more while the server keeps up")], text: { $0.text }
    ) { (text) throws(InvalidValue) in
        guard let jobs = Jobs(text) else { throw InvalidValue() }
        return jobs
    }
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

extension ValueSpec where Value == SnapshotUpdate {
    static let snapshotUpdate = ValueSpec(
        SnapshotUpdate.new.rawValue, expected: "new",
        words: [ValueWord(SnapshotUpdate.new.rawValue, "Only the missing snapshots")], text: { $0.rawValue }
    ) { (text) throws(InvalidValue) in
        guard text == SnapshotUpdate.new.rawValue else { throw InvalidValue() }
        return .new
    }
}
