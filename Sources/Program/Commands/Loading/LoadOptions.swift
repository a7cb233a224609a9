import Checking
import CommandLineKit
import LoadTesting
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Options that only `load` has.
enum LoadOptions {
    static let mix = Argument(
        rest: "ENDPOINT[=WEIGHT]", .mixed,
        "The endpoints and scenarios that are called, and how often each is chosen compared with the others (default: 1); or the name of a file in loads/",
        required: true)

    static let rate = Option(
        "rate", .rate,
        "Send this many requests a second, however long the responses take; 0..200/s begins with none and ends with 200"
    )
    static let duration = Option("for", .bound, "The length of the load", otherwise: "10s")
    static let count = Option("count", .integer("N", in: 1...1_000_000_000), "End after N requests")
    static let stages = Option(
        repeated: "stage", .stage, "Send at this rate for this time; later stages follow")
    static let users = Option(
        "users", .integer("N", in: 1...10_000),
        "Log in N times; with a rate, requests use the logins in turn, otherwise each user waits for a response before the next request"
    )
    static let think = Option("think", .think, "The wait of a user between two requests")
    static let shard = Option("shard", .shard, "Send only this part of the load, such as 2/5; auto: from the CI system")
    static let startAt = Option(
        "start-at", .time, "With --shard: the time at which all parts begin, such as 2026-11-27T12:00:00Z")
    static let poisson = Flag(
        "poisson", "Make the gaps between requests random, as those of many independent users are")
    static let inFlight = Option(
        "in-flight", .integer("N", in: 1...100_000), default: 10_000,
        "The most requests under way; a request beyond it is not sent, and counts as an error")
    static let connections = Option(
        "connections", .integer("N", in: 1...100_000),
        "The most open connections; a request waits for one, and this time counts (default: as many as are needed)")
    static let noReuse = Flag("no-reuse", "Open a new connection for each request")
    static let threads = Option(
        "threads", .integer("N", in: 1...256),
        "Send from N threads, which take the requests in turn or a user each (default: one for each 2,000 requests a second, at most one a core)"
    )
    static let data = Option(
        "data", .file(), "Take params from the rows of this .csv, .json or .ndjson file in turn; - is stdin")
    static let thresholds = Option(
        repeated: "threshold", .threshold,
        "Fail the load unless this condition is met: p50 to p99.99, max, mean, errors or rate")
    static let abort = Option(
        repeated: "abort", .abort,
        "End the load if this condition on errors is not met in the last 10 seconds (default: \(Threshold.usualAbort.text))"
    )
    static let list = Flag("list", "Print what would be sent, without sending it")

    static let reports = Option(
        repeated: "report", .text("KIND=FILE"),
        "Write a report: \(Sentence.alternatives(LoadReportKind.allCases.map(\.rawValue))); - is stdout")
    static let json = SharedOptions.json("Print the report as JSON, like --report json=-")

    /// The reports that a command line asks for.
    static func requestedReports(_ arguments: ParsedArguments) -> [String] {
        (arguments[json] ? ["\(LoadReportKind.json.rawValue)=-"] : []) + arguments[reports]
    }

    static let load = OptionGroup(
        "Load", rate, duration, count, stages, users, think, poisson, inFlight, connections, noReuse, threads, data,
        shard, startAt,
        StubChoice.optionOfMany, list
    ).ruled(by: [
        .excludes(stages, rate, duration, count), .excludes(poisson, count), .needs(startAt, shard),
        .needs(shard, startAt),
    ])
    static let verdict = OptionGroup("Verdict", thresholds, abort, json, reports).ruled(by: [.excludes(json, list)])
}

/// A word for what a load calls: `todos.get=6`, `scenario:checkout`, or the name of a file.
struct MixedWord: Sendable {
    /// The id of the endpoint, of one of its checks, of a scenario or of a load.
    let id: String
    /// Nil if the word has no weight.
    let weight: Int?

    fileprivate init?(_ text: String) {
        let equals = text.lastIndex(of: "=")
        id = String(text[..<(equals ?? text.endIndex)])
        weight = equals.flatMap { Int(text[text.index(after: $0)...]) }
        let kind = [LocatedScenario.prefix, LocatedLoad.prefix].first(where: id.hasPrefix) ?? ""
        guard equals == nil || weight.map((1...1_000_000).contains) == true, id.count > kind.count,
            !id.dropFirst(kind.count).contains(where: { "*?:".contains($0) })
        else { return nil }
    }
}

extension ValueSpec where Value == MixedWord {
    fileprivate static let mixed = ValueSpec(
        "ENDPOINT[=WEIGHT]",
        expected: "the id of an endpoint or a scenario, with a weight such as todos.get=6, or the name of a load",
        completion: .loads,
        text: { $0.id }
    ) { (text) throws(InvalidValue) in
        guard let mixed = MixedWord(text) else { throw InvalidValue() }
        return mixed
    }
}

extension ValueSpec where Value == RateRange {
    fileprivate static let rate = ValueSpec(
        "RATE", expected: "a rate such as 200/s, or 0..200/s for one that grows", text: { $0.text }
    ) { (text) throws(InvalidValue) in
        guard let rate = RateRange(text) else {
            throw InvalidValue(
                hint: Int(text) == nil ? nil : "write \(text)/s for \(text) request\(text == "1" ? "" : "s") a second")
        }
        return rate
    }
}

extension ValueSpec where Value == Schedule.Stage {
    fileprivate static let stage = ValueSpec(
        "RATE:TIME", expected: "a rate and a time, such as 200/s:30s or 0..200/s:30s", text: { $0.rates.text }
    ) { (text) throws(InvalidValue) in
        guard let colon = text.lastIndex(of: ":"), let rates = RateRange(String(text[..<colon])),
            let length = DurationText.parse(String(text[text.index(after: colon)...])),
            length >= DurationText.shortestBound
        else { throw InvalidValue() }
        return Schedule.Stage(rates, for: length)
    }
}

extension ValueSpec where Value == ClosedRange<Duration> {
    fileprivate static let think = ValueSpec(
        "TIME", expected: "a time such as 500ms, or 1s..3s for a random one", text: { "\($0)" }
    ) { (text) throws(InvalidValue) in
        guard let range = DurationText.range(text) else { throw InvalidValue() }
        return range
    }
}

/// A time, in seconds since 1970.
struct StartTime: Sendable {
    let seconds: Double
}

extension ValueSpec where Value == StartTime {
    fileprivate static let time = ValueSpec(
        "TIME", expected: "a time in UTC such as 2026-11-27T12:00:00Z", text: { Timestamp.rfc3339($0.seconds) }
    ) { (text) throws(InvalidValue) in
        guard let seconds = Timestamp.seconds(rfc3339: text) else { throw InvalidValue() }
        return StartTime(seconds: seconds)
    }
}

extension ValueSpec where Value == Threshold {
    fileprivate static let threshold = condition(Threshold.expectation) { _ in true }
    fileprivate static let abort = condition("a condition on all errors, such as 'errors < 20 %'") {
        $0.isAboutErrors && $0.action == nil
    }

    private static func condition(
        _ expected: String, _ isAllowed: @escaping @Sendable (Threshold) -> Bool
    ) -> ValueSpec {
        ValueSpec("CONDITION", expected: expected, text: { $0.text }) { (text) throws(InvalidValue) in
            guard let threshold = Threshold(text), isAllowed(threshold) else { throw InvalidValue() }
            return threshold
        }
    }
}
