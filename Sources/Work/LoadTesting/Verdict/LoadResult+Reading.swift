import Checking
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

// A report may have been changed or cut off. Whatever is missing, unknown or out of range makes the whole report invalid, because a
// report without it could pass.

extension LoadResult {
    /// The result in a JSON report; nil if the report is not complete.
    init?(_ root: JSONValue) {
        guard root["format"]?.string == Self.format, root["version"]?.number?.int == Self.version,
            let plan = LoadPlan(root), let started = root["startedAt"]?.string.flatMap({ Timestamp.seconds($0) }),
            let rows = root["actions"]?.list({ Tally($0) }), rows.count == plan.rows.count,
            let timeline = root["windows"].flatMap({ Timeline($0) }), let duration = root["durationMs"]?.amount,
            let cores = root["generator"]?["cores"]?.number?.double, (0...1e6).contains(cores),
            let findings = root.optionalList("findings", { LoadFinding($0) }),
            let warnings = root.optionalList("warnings", { $0.string }), let ending = Ending(root)
        else { return nil }
        var unjudged = Tally()
        if let value = root["unjudged"] {
            guard let tally = Tally(value) else { return nil }
            unjudged = tally
        }
        var stop: Duration?
        if case .aborted(_, let time) = ending { stop = time }
        self.init(
            plan, tallies: rows, unjudged: unjudged, timeline: timeline, ending: ending, findings: findings,
            usedCores: cores, startedAt: started, duration: .milliseconds(duration), stop: stop)
        for (key, path) in [("server", \RunOrigin.server), ("commit", \.commit), ("job", \.job), ("seed", \.seed)] {
            origin[keyPath: path] = root[key]?.string
        }
        self.warnings = warnings
    }
}

extension JSONValue {
    /// Numbers above this are not measured. Their sums always fit.
    private static let most = 1 << 38

    /// A count or a time of a report.
    fileprivate var amount: Int? { number?.int.flatMap { (0...Self.most).contains($0) ? $0 : nil } }

    /// The sum of the times of a histogram.
    fileprivate var sum: UInt64? { number?.int.flatMap { (0...1 << 50).contains($0) ? UInt64($0) : nil } }

    fileprivate func number(upTo limit: Double) -> Double? {
        (number?.double).flatMap { (0...limit).contains($0) ? $0 : nil }
    }

    fileprivate var milliseconds: Duration? {
        number(upTo: DurationText.longest.seconds * 1000).map { .nanoseconds(Int64(($0 * 1e6).rounded())) }
    }

    /// The elements; nil if one of them is not valid.
    fileprivate func list<Element>(_ read: (JSONValue) -> Element?) -> [Element]? {
        guard kind == .array else { return nil }
        let values = elements.map(read)
        let valid = values.compactMap(\.self)
        return valid.count == values.count ? valid : nil
    }

    /// The elements of a member; empty without the member.
    fileprivate func optionalList<Element>(_ key: String, _ read: (JSONValue) -> Element?) -> [Element]? {
        guard let value = self[key] else { return [] }
        return value.list(read)
    }
}

extension LoadResult.Ending {
    fileprivate init?(_ root: JSONValue) {
        self = .complete
        if let aborted = root["aborted"] {
            guard let condition = aborted["condition"]?.string, let time = aborted["ms"]?.amount else { return nil }
            self = .aborted(condition, after: .milliseconds(time))
        }
        if let interrupted = root["interrupted"] {
            guard interrupted.bool == true else { return nil }
            self = .interrupted
        }
    }
}

extension LoadFinding {
    fileprivate init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init), let message = json["message"]?.string else {
            return nil
        }
        self.init(kind, message, hint: "see the report of this part")
    }
}

extension LoadPlan.Action {
    fileprivate init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, let weight = json["weight"]?.amount,
            let rows = json["rows"]?.list({ $0.string }), !rows.isEmpty
        else { return nil }
        var think: ClosedRange<Duration>?
        if let value = json["thinkMs"] {
            guard let times = value.list({ $0.milliseconds }), times.count == 2, times[0] <= times[1] else {
                return nil
            }
            think = times[0]...times[1]
        }
        var dataRows = 0
        if let value = json["dataRows"] {
            guard let count = value.amount else { return nil }
            dataRows = count
        }
        self.init(id: id, weight: weight, rows: rows, think: think, flows: [], dataRows: dataRows)
    }
}

extension LoadPlan {
    fileprivate init?(_ root: JSONValue) {
        guard let environment = root["environment"]?.string, let json = root["plan"], let users = json["users"]?.amount,
            let actions = json["mix"]?.list({ Action($0) }), !actions.isEmpty,
            let thresholds = root["thresholds"]?.list({ $0["condition"]?.string.flatMap { Threshold($0) } }),
            let abort = json.optionalList("abort", { $0.string.flatMap { Threshold($0) } })
        else { return nil }
        let dice = LoadDice(seed: root["seed"]?.string ?? "")
        guard let pace = Pace(json, dice) else { return nil }
        var most: Int?
        if let value = json["count"] {
            guard let count = value.amount else { return nil }
            most = count
        }
        var part: Part?
        if let value = root["shard"] {
            guard let shard = value.string.flatMap({ Shard($0) }),
                let start = root["startAt"]?.string.flatMap({ Timestamp.seconds(rfc3339: $0) })
            else { return nil }
            part = Part(shard, startAt: start)
        }
        self.init(
            environment: environment, actions: actions, pace: pace, users: users, most: most, dice: dice,
            thresholds: thresholds, abort: abort, mostInFlight: .max, isRehearsal: root["rehearsal"]?.bool == true,
            part: part)
    }
}

extension LoadPlan.Pace {
    /// Rates and numbers of users above these are not possible.
    private static let mostRate = 1e8
    private static let mostUsers = 1e6
    private static let mostStages = 1000

    fileprivate init?(_ json: JSONValue, _ dice: LoadDice) {
        func stages<Stage>(
            _ key: String, upTo most: Double, _ make: (Double, Double, Duration, Bool) -> Stage
        ) -> [Stage]? {
            json[key]?.list { value in
                guard let from = value["from"]?.number(upTo: most), let to = value["to"]?.number(upTo: most),
                    let length = value["ms"]?.milliseconds
                else { return nil }
                return make(from, to, length, value["judged"]?.bool ?? true)
            }
        }
        let open = stages("stages", upTo: Self.mostRate) {
            Schedule.Stage(RateRange($0, to: $1), for: $2, isJudged: $3)
        }
        let closed = stages("userStages", upTo: Self.mostUsers) {
            UserStage(from: Int($0), to: Int($1), for: $2, isJudged: $3)
        }
        guard (1...Self.mostStages).contains((open?.count ?? 0) + (closed?.count ?? 0)) else { return nil }
        let gaps = json["arrivals"].map { $0.string.flatMap(LoadDefinition.Arrivals.init) } ?? .even
        guard let gaps,
            let pace = open.map({ Self.schedule(Schedule($0, dice: dice, isRandom: gaps == .poisson)) })
                ?? closed.map(Self.users)
        else { return nil }
        self = pace
    }
}

extension Tally {
    fileprivate init?(_ json: JSONValue) {
        guard let arrivals = json["arrivals"]?.amount, let sent = json["sent"]?.amount,
            let latencies = json["latencyUs"].flatMap({ Histogram($0) }),
            let service = json["serviceUs"].flatMap({ Histogram($0) }),
            let delays = json["delaysUs"].flatMap({ Histogram($0) }),
            let errors = json["errors"]?.list({ kind -> (String, ErrorKind)? in
                guard let cause = kind["cause"]?.string, let count = kind["count"]?.amount,
                    let examples = kind["examples"]?.list({ $0.string })
                else { return nil }
                return (cause, ErrorKind(count: count, examples: examples))
            })
        else { return nil }
        let kinds = Dictionary(errors, uniquingKeysWith: { first, _ in first })
        self.init(
            arrivals: arrivals, sent: sent, latencies: latencies, service: service, delays: delays, errors: kinds)
        // Each arrival is counted when it has passed or failed.
        guard kinds.count == errors.count, endedCount <= arrivals, sent <= arrivals else { return nil }
    }
}

extension Histogram {
    fileprivate init?(_ json: JSONValue, isCoarse: Bool = false) {
        guard let count = json["count"]?.amount, let sum = json["sum"]?.sum, let longest = json["max"]?.amount,
            let buckets = json["buckets"]?.list({ pair -> (edge: UInt64, count: UInt64)? in
                guard let numbers = pair.list({ $0.amount }), numbers.count == 2 else { return nil }
                return (UInt64(numbers[0]), UInt64(numbers[1]))
            })
        else { return nil }
        self.init(isCoarse: isCoarse, buckets: buckets, sum: sum, longest: UInt64(longest))
        guard self.count == UInt64(count) else { return nil }
    }
}

extension Timeline {
    /// More seconds than the longest load has.
    private static let mostSeconds = 1 << 22

    fileprivate init?(_ json: JSONValue) {
        guard let width = json["seconds"]?.amount, (1...Self.mostSeconds).contains(width), width & (width - 1) == 0,
            let rows = json["rows"]?.list({ row -> (counts: Counts, latencies: Histogram)? in
                guard let due = row["due"]?.amount, let late = row["late"]?.amount, let ended = row["ended"]?.amount,
                    let errors = row["errors"]?.amount,
                    let latencies = row["latencyUs"].flatMap({ Histogram($0, isCoarse: true) })
                else { return nil }
                return (Counts(due: due, late: late, ended: ended, errors: errors), latencies)
            }), rows.count <= Self.mostSeconds / width
        else { return nil }
        self.init(width: width, rows: rows)
    }
}
