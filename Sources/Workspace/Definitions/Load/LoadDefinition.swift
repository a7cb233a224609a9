package import ReqcliText

/// A load as its file describes it: what is called, how often, and the conditions on the measurements.
package struct LoadDefinition: Sendable {
    package var summary: String?
    package var mix: [LoadEntry] = []
    package var stages: [LoadStage] = []
    package var users: Int?
    /// A table of params, by its path below the workspace's root.
    package var data: Located<String>?
    /// Whether the rows of the table are used again after the last one.
    package var repeatsData = true
    package var think: ClosedRange<Duration>?
    /// The most open connections; nil for as many as are needed.
    package var connections: Int?
    package var reusesConnections = true
    package var arrivals: Arrivals?
    package var seed: Int?
    package fileprivate(set) var thresholds: [Threshold] = []
    package fileprivate(set) var abort: [Threshold] = []
    package let place: Place

    /// The gaps between arrivals.
    package enum Arrivals: String, CaseIterable, Sendable {
        case even
        case poisson
    }

    static let table = ObjectShape<LoadDefinition>(
        "load", title: "a load", summary: "Calls at a rate, and the conditions on their measurements.",
        [
            Field("description", .text, "The purpose of the load, in a sentence.") { $0.summary = $1 },
            Field(
                "mix", .list(of: LoadEntry.table.shape, expects: "a list of calls", isNeverEmpty: true), required: true,
                "What is called. Each arrival is one of these."
            ) { $0.mix = $1 },
            Field(
                "stages", .list(of: LoadStage.table.shape, expects: "a list of stages", isNeverEmpty: true),
                "The rates, or the numbers of users, one after the other. 10 s of all users by default."
            ) { $0.stages = $1 },
            Field(
                "users", .integer(1...10_000),
                "With a rate: this many logins, used in turn. Without a rate: users who wait for each response."
            ) { $0.users = $1 },
            Field(
                "data", .located(.nonEmpty("the path of a .csv, .json or .ndjson file")),
                "A table of params, by its path from the workspace's root. Its rows are used in turn."
            ) { $0.data = $1 },
            Field("again", .boolean, "false: refuses a load that needs more rows than there are.") {
                $0.repeatsData = $1
            },
            Field("think", .think, "The wait between a user's calls, and between the steps of a scenario.") {
                $0.think = $1
            },
            Field(
                "connections", .integer(1...100_000), "The most open connections. By default as many as are needed."
            ) { $0.connections = $1 },
            Field("reuse", .boolean, "false: opens a new connection for each request.") { $0.reusesConnections = $1 },
            Field("arrivals", .word, "The gaps between arrivals, even by default.") { $0.arrivals = $1 },
            Field("seed", .integer(0...Int.max), "The seed of all random choices.") { $0.seed = $1 },
            Field(
                "thresholds",
                .dictionary(
                    of: .oneOrMore(.threshold), keys: .nonEmpty("the name of a call, or \"*\""),
                    expects: "an object of conditions by the name of a call, or \"*\" for all"),
                "The conditions that decide whether the load passes."
            ) { load, groups in
                load.thresholds = groups.flatMap { group in
                    group.value.map { $0.about(group.name == "*" ? nil : group.name) }
                }
            },
            Field("abort", .oneOrMore(.abort), "The conditions on errors that end the load if they are not met.") {
                $0.abort = $1
            },
        ],
        rules: [.needs("again", "data"), .atLeastOne(["stages", "users"])],
        initial: { LoadDefinition(place: $0.headPlace) },
        check: { load, value, decoding in
            let rates = load.stages.count { $0.rate != nil }
            guard load.stages.isEmpty || rates == load.stages.count || rates == 0 && load.users != nil else {
                decoding.report(
                    .valueInvalid, "the stages have neither all a \"rate\", nor all a number of \"users\"",
                    at: value["stages"]?.place ?? value.place,
                    hint: rates == 0
                        ? "add a \"rate\" to each stage, or \"users\" to the load" : "add a \"rate\" to each stage")
                return
            }
        })

    private init(place: Place) { self.place = place }
}

/// One kind of arrival of a load: a call, or a whole scenario.
package struct LoadEntry: Sendable {
    /// The call; its `endpoint` is nil for a scenario.
    package fileprivate(set) var call: ScenarioStep
    package fileprivate(set) var scenario: Located<String>?
    package fileprivate(set) var weight = 1
    package fileprivate(set) var name: Located<String>?
    package fileprivate(set) var think: ClosedRange<Duration>?

    /// The name in reports and thresholds.
    package var id: String { name?.value ?? scenario?.value ?? call.label }
    package var place: Place { call.place }

    /// The names of the rows in reports: one for a call, one for each step of a scenario.
    package static func rows(_ id: String, of scenario: LocatedScenario?) -> [String] {
        scenario.map { labels(of: $0).map { "\(id)/\($0)" } } ?? [id]
    }

    /// The names of the steps, each once.
    package static func labels(of scenario: LocatedScenario) -> [String] {
        scenario.definition.all.reduce(into: []) { if !$0.contains($1.label) { $0.append($1.label) } }
    }

    static let table = ObjectShape<LoadEntry>(
        "loadEntry", title: "an entry of \"mix\"", summary: "One kind of arrival.",
        [
            Field("endpoint", .located(.endpointID), "The id of the endpoint to call.") { $0.call.endpoint = $1 },
            Field(
                "scenario", .located(.nonEmpty("the name of a scenario, such as \"checkout\"")),
                "The name of the scenario to run, such as \"checkout\"."
            ) { $0.scenario = $1 },
            Field("weight", .integer(1...1_000_000), "How often it is chosen, compared with the others: 1 by default.")
            { $0.weight = $1 },
            Field(
                "with",
                .dictionary(of: .anyValue, keys: .name("a param"), expects: "an object of params and values"),
                "The params of the endpoint. Their values can use columns of \"data\", and variables."
            ) { $0.call.parameters = $1 },
            Field("name", .located(.nonEmpty("a name")), "The name in reports and thresholds.") { $0.name = $1 },
            Field("think", .think, "The wait, in place of the load's.") { $0.think = $1 },
        ],
        rules: [.exactlyOne(["endpoint", "scenario"]), .excludes("with", ["scenario"])],
        initial: { LoadEntry(call: ScenarioStep(place: $0.headPlace)) })
}

/// A part of a load with its own rate or number of users.
package struct LoadStage: Sendable {
    /// The rate; nil for a stage of users.
    package var rate: RateRange?
    /// The first and the last number of users; nil for all users.
    package var users: UserRange?
    package var length = Duration.zero
    /// Whether the stage counts for thresholds and for the table.
    package var isJudged = true

    static let table = ObjectShape<LoadStage>(
        "loadStage", title: "a stage", summary: "A part of the load.",
        [
            Field("rate", .rate, "The arrivals a second, however long the responses take; \"0..200/s\" grows evenly.") {
                $0.rate = $1
            },
            Field("users", .users, "For a load without a rate: the number of users; \"0..50\" grows evenly.") {
                $0.users = $1
            },
            Field("for", .bound, required: true, "The length of the stage.") { $0.length = $1 },
            Field("judged", .boolean, "false: the stage is only shown, and counts for no condition but \"abort\".") {
                $0.isJudged = $1
            },
        ], rules: [.atMostOne(["rate", "users"])], initial: { _ in LoadStage() })
}

/// A number of users that changes evenly, such as `0..50`, or stays the same.
package struct UserRange: Sendable, Equatable {
    package let first: Int
    package let last: Int

    /// Parses `50` or `0..50`. Nil if the text is not a number of users.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = [parts.first, parts.last].compactMap { $0.flatMap { Int($0) } }
        guard parts.count == 1 || parts.count == 3 && parts[1].isEmpty, numbers.count == 2,
            numbers.allSatisfy({ (0...10_000).contains($0) }), numbers != [0, 0]
        else { return nil }
        (first, last) = (numbers[0], numbers[1])
    }

    package var text: String { first == last ? "\(first)" : "\(first) to \(last)" }
}

/// A load with its id and its file.
package struct LocatedLoad: Sendable {
    /// The beginning of every load's id.
    package static let prefix = "load:"

    /// The id, such as `load:afternoon`.
    package let id: String
    package let definition: LoadDefinition
    package let file: SourceFile

    init(_ fileID: String, _ definition: LoadDefinition, _ file: SourceFile) {
        (id, self.definition, self.file) = (Self.prefix + fileID, definition, file)
    }

    /// The call of an entry as a scenario of one step. The params of the scenario are columns of a table.
    package func scenario(for entry: LoadEntry, of endpoint: LocatedEndpoint, columns: [String]) -> LocatedScenario {
        var call = entry.call
        let place = entry.place
        for parameter in endpoint.parameters where call.parameters[named: parameter.name] == nil {
            if columns.contains(parameter.name) {
                let column = TextTemplate.Piece.placeholder(Located(.name(parameter.name), at: place))
                let value = ValueTemplate.text(TextTemplate(pieces: [column], place: place))
                call.parameters.append(Named(parameter.name, at: place, value))
            } else if parameter.value.isRequired, let example = parameter.value.example {
                call.parameters.append(Named(parameter.name, at: place, .scalar(example.value, at: place)))
            }
        }
        let used = Set(call.placeholdersOfCall.map(\.value))
        var column = Parameter()
        column.kind = .json
        let parameters = columns.filter { used.contains(.name($0)) }.map { Named($0, at: place, column) }
        var definition = ScenarioDefinition(place: place)
        (definition.parameters, definition.keepsCookies, definition.steps) = (parameters, false, [call])
        return LocatedScenario(entry.id, definition, file)
    }
}

extension DurationText {
    /// Parses a duration, or a range of durations such as `1s..3s`.
    package static func range(_ text: String) -> ClosedRange<Duration>? {
        let dots = text.firstRange(of: "..")
        guard let last = parse(String(text[(dots?.upperBound ?? text.startIndex)...])),
            let first = dots.map({ parse(String(text[..<$0.lowerBound])) }) ?? last, first <= last
        else { return nil }
        return first...last
    }
}

extension Shape {
    fileprivate static func text(
        _ expects: String, pattern: String, _ read: @escaping @Sendable (String) -> Value?
    ) -> Shape {
        Shape(
            expects: expects, schema: .text(pattern: "^\(pattern)$"),
            code: { $0.kind == .string ? .valueInvalid : .typeMismatch }, read: { $0.string.flatMap(read) })
    }
}

extension Shape where Value == ClosedRange<Duration> {
    fileprivate static let think = text(
        "a time such as \"500ms\", or \"1s..3s\" for a random one",
        pattern: #"\#(DurationText.pattern)(\.\.\#(DurationText.pattern))?"#, DurationText.range)
}

extension Shape where Value == RateRange {
    fileprivate static let rate = text(
        "a rate such as \"200/s\", or \"0..200/s\" for one that grows",
        pattern: #"((0|[1-9][0-9]*)(\.[0-9]+)?\.\.)?\#(RateText.pattern)"#, { RateRange($0) })
}

extension Shape where Value == UserRange {
    fileprivate static let users = Shape(
        expects: "a number of users, or \"0..50\" for one that grows",
        schema: .either([.integer(1...10_000), .text(pattern: #"^[0-9]+(\.\.[0-9]+)?$"#)]),
        code: { $0.kind == .string || $0.kind == .number ? .valueInvalid : .typeMismatch },
        read: { value in (value.string ?? value.number?.int.map { "\($0)" }).flatMap { UserRange($0) } })
}

extension Shape where Value == Threshold {
    fileprivate static let threshold = condition("a condition such as \"p95 < 150ms\" or \"errors < 0.1 %\"") {
        $0.action == nil
    }
    fileprivate static let abort = condition("a condition on errors, such as \"errors < 20 %\"") {
        $0.action == nil && $0.isAboutErrors
    }

    private static func condition(_ expects: String, _ isAllowed: @escaping @Sendable (Threshold) -> Bool) -> Shape {
        let pattern = #"^(p[0-9.]+|max|mean|errors|rate) *(<=|>=|<|>|=) *[0-9][0-9.a-z/]* ?%?$"#
        let read = Shape(
            expects: expects, schema: .text(pattern: pattern),
            code: { $0.kind == .string ? .valueInvalid : .typeMismatch }
        ) { value in
            value.string.flatMap { $0.contains(":") ? nil : Threshold($0) }.flatMap { isAllowed($0) ? $0 : nil }
        }
        return Shape(expects: expects, schema: read.schema) { value, decoding in
            read.decode(value, &decoding)?.placed(at: value.place)
        }
    }
}
