import Checking
import CommandLineKit
import Exchange
import LoadTesting
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The settings of a load: the keys of its file, and the flags that replace them.
struct LoadSettings {
    /// One kind of arrival.
    struct Entry {
        /// The name in reports and thresholds.
        let id: String
        /// The id of the endpoint, of one of its checks or of the scenario.
        let subject: String
        let weight: Int
        let think: ClosedRange<Duration>?
        /// The call with its params in the file; nil for a call without `with`.
        var call: LoadEntry?

        var isScenario: Bool { subject.hasPrefix(LocatedScenario.prefix) }
        var endpointID: String { String(subject.prefix { $0 != "/" }) }
        var checkName: String? { subject.firstIndex(of: "/").map { String(subject[subject.index(after: $0)...]) } }
    }

    /// The file; nil if the command line says everything.
    let file: LocatedLoad?
    let mix: [Entry]
    private let arguments: ParsedArguments
    private var load: LoadDefinition? { file?.definition }

    /// - Parameter catalogue: The endpoints, to tell the name of a load from the id of an endpoint.
    init(_ arguments: ParsedArguments, in workspace: Workspace, _ catalogue: Catalogue) throws(Failure) {
        self.arguments = arguments
        let words = arguments[LoadOptions.mix]
        file = words.count == 1 ? try Self.file(of: words[0], in: workspace, catalogue) : nil
        let think = arguments[LoadOptions.think]
        if let load = file?.definition {
            mix = load.mix.map { entry in
                Entry(
                    id: entry.id,
                    subject: entry.scenario.map { LocatedScenario.prefix + $0.value } ?? entry.call.label,
                    weight: entry.weight, think: think ?? entry.think ?? load.think,
                    call: entry.call.parameters.isEmpty ? nil : entry)
            }
        } else {
            mix = words.map { word in
                let isScenario = word.id.hasPrefix(LocatedScenario.prefix)
                return Entry(
                    id: isScenario ? String(word.id.dropFirst(LocatedScenario.prefix.count)) : word.id,
                    subject: word.id, weight: word.weight ?? 1, think: think)
            }
        }
        try checkCounts()
    }

    private static func file(
        of word: MixedWord, in workspace: Workspace, _ catalogue: Catalogue
    ) throws(Failure) -> LocatedLoad? {
        let isExplicit = word.id.hasPrefix(LocatedLoad.prefix)
        if !isExplicit, word.weight != nil || word.id.contains(where: { "/:".contains($0) }) { return nil }
        let listed = workspace.load(isExplicit ? word.id : LocatedLoad.prefix + word.id)
        let isEndpoint = catalogue.endpoint(word.id) != nil
        switch listed.value {
        case .missing(let missing):
            let question = NearNames.question(for: word.id, among: workspace.loadEntries().value.map(\.id))
            if isEndpoint || !isExplicit && question == nil { return nil }
            throw Failure(.usage, code: .loadUnknown, missing.message, hint: isExplicit ? missing.hint : question)
        case _ where isEndpoint:
            throw Failure(
                .usage, code: .loadUnknown, "\"\(word.id)\" is the name of a load and the id of an endpoint",
                hint: "write \(LocatedLoad.prefix)\(word.id) for the load, or \(word.id)=1 for the endpoint")
        case .broken: throw Failure(.broken, listed.diagnostics)
        case .found(let load):
            let errors = workspace.errors(of: load)
            if !errors.isEmpty { throw Failure(.broken, errors) }
            return load
        }
    }

    private static func invalid(_ message: String, hint: String) -> Failure {
        Failure(.usage, code: .usageInvalid, message, hint: hint)
    }

    private func checkCounts() throws(Failure) {
        let count = arguments[LoadOptions.count]
        let isOpen = hasSchedule
        if !isOpen, users == nil {
            throw Self.invalid("load needs a rate or users", hint: "add --rate 10/s, or --users 10")
        }
        if isOpen, count != nil, arguments[LoadOptions.duration] != nil {
            throw Self.invalid("--count and --for contradict each other", hint: "keep one of them")
        }
        if arguments[LoadOptions.poisson], !isOpen {
            throw Self.invalid("--poisson needs a rate", hint: "add --rate 10/s")
        }
        if arguments[LoadOptions.think] != nil, isOpen, !mix.contains(where: \.isScenario) {
            throw Self.invalid(
                "--think is for users without a rate, and for scenarios", hint: "leave out --think, or the rate")
        }
        let longest = DurationText.longest
        if let rate = arguments[LoadOptions.rate], let count, Double(count) / rate.mean > longest.seconds {
            throw Self.invalid(
                "\(count) requests at \(rate.text) last longer than \(longest.text)",
                hint: "send fewer, or at a higher rate")
        }
        if arguments[LoadOptions.rate] == nil, arguments[LoadOptions.duration] != nil, (load?.stages.count ?? 1) > 1 {
            throw Self.invalid("--for would replace several stages", hint: "pass --rate, or the stages with --stage")
        }
        if !isOpen, let users, users > arguments[LoadOptions.inFlight] {
            throw Self.invalid("\(users) users need as many requests under way", hint: "pass --in-flight \(users)")
        }
        if file == nil, let twice = mix.map(\.id).first(where: { id in mix.count { $0.id == id } > 1 }) {
            throw Self.invalid("\(twice) is given twice", hint: "give it a weight: \(twice)=2")
        }
    }

    // MARK: The values

    private var hasSchedule: Bool {
        arguments[LoadOptions.rate] != nil || !arguments[LoadOptions.stages].isEmpty
            || load?.stages.contains { $0.rate != nil } == true
    }

    var users: Int? { arguments[LoadOptions.users] ?? load?.users }

    /// The path of the table of params from the current folder.
    func data(in workspace: Workspace) -> String? {
        arguments[LoadOptions.data] ?? load?.data.map { workspace.shown($0.value) }
    }

    var repeatsData: Bool { load?.repeatsData ?? true }
    /// The most connections that are open at the same time; nil for as many as are needed.
    var connections: Int? { arguments[LoadOptions.connections] ?? load?.connections }

    /// The rules for each of several threads.
    func connectionRules(threads: Int) -> ConnectionRules {
        ConnectionRules(
            most: connections.map { $0 / max(1, threads) },
            areReused: !arguments[LoadOptions.noReuse] && load?.reusesConnections ?? true)
    }

    var seed: String? { load?.seed.map { "\($0)" } }

    func pace(_ dice: LoadDice) -> LoadPlan.Pace {
        if hasSchedule {
            let isRandom = arguments[LoadOptions.poisson] || load?.arrivals == .poisson
            return .schedule(Schedule(stages, dice: dice, isRandom: isRandom))
        }
        let users = users ?? 1
        let length = arguments[LoadOptions.duration]
        let given = load?.stages ?? []
        if given.isEmpty {
            // Without an end if the number of requests ends the load.
            let usual = arguments[LoadOptions.count] == nil ? Duration.seconds(10) : DurationText.longest
            return .users([UserStage(from: users, to: users, for: length ?? usual)])
        }
        return .users(
            given.map { stage in
                UserStage(
                    from: min(users, stage.users?.first ?? users), to: min(users, stage.users?.last ?? users),
                    for: length ?? stage.length, isJudged: stage.isJudged)
            })
    }

    private var stages: [Schedule.Stage] {
        let length = arguments[LoadOptions.duration]
        if let rate = arguments[LoadOptions.rate] {
            if let count = arguments[LoadOptions.count] {
                return [Schedule.Stage(rate, for: .seconds(Double(count) / rate.mean))]
            }
            return [Schedule.Stage(rate, for: length ?? .seconds(10))]
        }
        if !arguments[LoadOptions.stages].isEmpty { return arguments[LoadOptions.stages] }
        return (load?.stages ?? []).compactMap { stage in
            stage.rate.map { Schedule.Stage($0, for: length ?? stage.length, isJudged: stage.isJudged) }
        }
    }

    /// The conditions that decide, including those that are always checked.
    ///
    /// - Parameter rows: The rows that a condition can be about.
    func thresholds(_ rows: [String]) throws(Failure) -> [Threshold] {
        let flags = arguments[LoadOptions.thresholds]
        let given = flags.isEmpty ? load?.thresholds ?? [] : flags
        if let unknown = given.compactMap(\.action).first(where: { !rows.contains($0) }) {
            throw Self.invalid(
                "\(flags.isEmpty ? "a condition of the file" : "--threshold") is about \"\(unknown)\", which the load doesn't call",
                hint: "write it for \(Sentence.alternatives(rows)), or for all requests without a name")
        }
        // A condition on the errors of one endpoint says nothing of the others.
        let aboutErrors = given.filter(\.isAboutErrors).map(\.action)
        let others = rows.filter { !aboutErrors.contains($0) }
        let noErrors =
            aboutErrors.isEmpty
            ? [Threshold.noErrors] : aboutErrors.contains(nil) ? [] : others.map { Threshold.noErrors.about($0) }
        return given + noErrors + (hasSchedule ? [.fullRate] : [])
    }

    var abort: [Threshold] {
        let flags = arguments[LoadOptions.abort]
        let given = flags.isEmpty ? load?.abort ?? [] : flags
        return given.isEmpty ? [.usualAbort] : given
    }
}

extension Diagnostic.Code {
    static let loadUnknown: Self = "load.unknown"
}
