import Checking
import CommandLineKit
import LoadTesting
import ReqcliDefinitions
import ReqcliText

/// Options that only `load` has.
enum LoadOptions {
    static let mix = Argument(
        rest: "ENDPOINT[=WEIGHT]", .mixed,
        "The endpoints that are called, and how often each is chosen compared with the others (default: 1)",
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
    static let poisson = Flag(
        "poisson", "Make the gaps between requests random, as those of many independent users are")
    static let inFlight = Option(
        "in-flight", .integer("N", in: 1...100_000), default: 10_000,
        "The most requests under way; a request beyond it is not sent, and counts as an error")
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
        "Load", rate, duration, count, stages, users, think, poisson, inFlight, threads, data, StubChoice.optionOfMany,
        list
    ).ruled(by: [
        .excludes(stages, rate, duration, count), .needs(think, users), .excludes(think, rate, stages),
        .needs(poisson, rate, stages),
    ])
    static let verdict = OptionGroup("Verdict", thresholds, abort, json, reports).ruled(by: [.excludes(json, list)])
}

/// An endpoint of a load, `todos.get=6`.
struct MixedEndpoint: Sendable {
    /// The id of the endpoint, or of one of its checks.
    let id: String
    let weight: Int

    fileprivate init?(_ text: String) {
        let equals = text.lastIndex(of: "=")
        id = String(text[..<(equals ?? text.endIndex)])
        guard let weight = equals.map({ Int(text[text.index(after: $0)...]) }) ?? 1, (1...1_000_000).contains(weight),
            !id.isEmpty, !id.contains(where: { "*?:".contains($0) })
        else { return nil }
        self.weight = weight
    }

    var endpointID: String { String(id.prefix { $0 != "/" }) }
    var checkName: String? { id.firstIndex(of: "/").map { String(id[id.index(after: $0)...]) } }
}

extension ValueSpec where Value == MixedEndpoint {
    fileprivate static let mixed = ValueSpec(
        "ENDPOINT[=WEIGHT]", expected: "the id of an endpoint, with a weight such as todos.get=6",
        completion: .endpoint,
        text: { $0.id }
    ) { (text) throws(InvalidValue) in
        guard let mixed = MixedEndpoint(text) else { throw InvalidValue() }
        return mixed
    }
}

extension ValueSpec where Value == RateRange {
    fileprivate static let rate = ValueSpec(
        "RATE", expected: "a rate such as 200/s, or 0..200/s for one that grows", text: { $0.text }
    ) { (text) throws(InvalidValue) in
        guard let rate = RateRange(text) else {
            throw InvalidValue(hint: Int(text) == nil ? nil : "write \(text)/s for \(text) requests a second")
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
        let dots = text.firstRange(of: "..")
        guard let last = DurationText.parse(String(text[(dots?.upperBound ?? text.startIndex)...])),
            let first = dots.map({ DurationText.parse(String(text[..<$0.lowerBound])) }) ?? last, first <= last
        else { throw InvalidValue() }
        return first...last
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
