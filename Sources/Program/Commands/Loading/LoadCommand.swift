import Calling
import Checking
package import CommandLineKit
import Foundation
import LoadTesting
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText
@_spi(Generated) import RequestBuilding

/// Sends requests at a rate, and measures the responses.
package struct LoadCommand: Command {
    package static let spec = CommandSpec(
        "load", "Send many requests at a rate, and measure the responses",
        examples: [
            Example("200 requests a second, for half a minute", "reqcli load todos.get --rate 200/s --for 30s"),
            Example(
                "Fail if one in 20 takes 150 ms or longer",
                "reqcli load todos.get --rate 200/s --threshold 'p95 < 150ms'"),
            Example("Two endpoints, one called six times as often", "reqcli load todos.get=6 todos.list --rate 100/s"),
            Example("A rate that grows, and then stays", "reqcli load todos.get --stage 0..200/s:30s --stage 200/s:5m"),
            Example("50 users who wait for each response", "reqcli load todos.get --users 50 --think 1s..3s --for 1m"),
            Example("Params from a table", "reqcli load todos.get --rate 50/s --count 1000 --data ids.csv"),
            Example("Whole scenarios, each step measured", "reqcli load scenario:checkout=3 todos.get --rate 10/s"),
            Example("The load of loads/afternoon.json, for a minute", "reqcli load afternoon --for 1m"),
            Example(
                "The second of three machines",
                "reqcli load afternoon --shard 2/3 --start-at 2026-11-27T12:00:00Z"),
            Example("In CI", "reqcli load todos.get --rate 50/s --report junit=load.xml"),
            Example("Show what would be sent", "reqcli load todos.get --rate 200/s --list"),
        ],
        arguments: ArgumentList(LoadOptions.mix),
        options: [
            LoadOptions.load, LoadOptions.verdict,
            OptionGroup("Environment", SharedOptions.environment, SendOptions.yes),
            RequestOptions.commonChanges, ConnectionOptions.manyCalls, RequestOptions.values,
        ],
        sections: [
            TextSection(
                "What is measured",
                """
                With a rate, each request has its time before the load begins. Its latency runs from this time to the last byte \
                of the response, so that waiting for a slow server counts. A response must meet "expect" of its endpoint, or have \
                a 2xx status. A request that fails is slower than any other. Needed endpoints, such as a login, run once for each \
                user before the load, and again if the server rejects what they captured. Requests are not retried, and have 30 s \
                unless a file or --timeout says otherwise.
                """),
            TextSection(
                "Conditions",
                """
                  p95 < 150ms            percentiles from p50 to p99.99; max and mean
                  errors < 0.1 %         the share of requests that failed; errors < 5: their number
                  rate >= 99 %           the share of planned requests that were sent; rate >= 50/s: their rate
                  todos.get: p95 < 50ms  only the requests of this endpoint

                Without a condition on errors, there must be none. With a rate, at least 99 % must be sent.
                """),
            TextSection(
                "Files and scenarios",
                """
                A file below loads/ has the calls, rates and conditions of a load; flags replace its keys. An arrival of a \
                scenario runs all its steps. Each step is a row of its own, such as checkout/pay.
                """),
            TextSection(
                "Several machines",
                """
                With --shard, each machine sends its part of one load, from the time of --start-at on, and writes a JSON \
                report. "reqcli report merge" adds the measurements, and compares them with the conditions once.
                """),
            TextSection(
                "A load that proves nothing",
                """
                The exit status is 2, whatever the conditions say, if more than 1 % of the requests of any 10 seconds began more \
                than 10 ms late, if this machine had too little processor time, descriptors or local ports, or if an endpoint was \
                never called.
                """),
            TextSection(
                "Other machines",
                """
                load asks before it sends to another machine, and before methods other than GET, HEAD, OPTIONS and TRACE. \
                Without "load" in the environment's policy, other machines get at most 50 requests a second, from 50 users, for \
                10 minutes. "policy": {"load": "500/s"} allows more, and false allows none.
                """),
        ],
        exitStatuses: [
            .success, .expectationFailed.meaning("a condition is not met, or the load was aborted"),
            .usage.meaning("wrong usage, or the load proves nothing"), .broken, .noAnswer, .timedOut,
            .refusedByPolicy, .outputFailed, .interrupted,
        ],
        essentials: ["env", "rate", "for", "count", "stage", "users", "threshold", "report", "list", "yes"],
        page: "reference/load.md")

    private let arguments: ParsedArguments
    private let reports: [RequestedReport<LoadReportKind>]

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        do throws(Failure) {
            reports = try RequestedReport.parse(LoadOptions.requestedReports(arguments))
        } catch {
            throw UsageError(
                error.diagnostics.map { UsageError.Problem($0.message, hint: $0.hint) }, command: Self.spec.name)
        }
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        var hasBegun = false
        do throws(Failure) {
            return try await run(in: context, &hasBegun)
        } catch {
            if !hasBegun { ReportFiles.removeEarlier(reports, context) }
            throw error
        }
    }

    private func run(in context: Context, _ hasBegun: inout Bool) async throws(Failure) -> ExitStatus {
        let opened = try context.open(arguments)
        let environment = try context.environment(flag: arguments[SharedOptions.environment], in: opened)
        let workspace = opened.inside(environment)
        if !arguments[LoadOptions.list] { try context.refuseShortage() }
        var flags = RequestFlags(arguments, endpoint: "", parameters: [])
        let catalogue = Catalogue(of: workspace, withScenarios: true)
        let settings = try LoadSettings(arguments, in: workspace, catalogue)
        let givenSeed = context.seed(flags.chosen) ?? settings.seed.map { RandomSeed($0) }
        let seed = givenSeed ?? RandomSeed(from: context.world.random())
        flags.chosen.seed = seed
        let isStubbed = environment.stubs != nil || !arguments[StubChoice.optionOfMany].isEmpty
        let (cases, known) = try self.cases(
            settings, of: catalogue, workspace, environment, isStubbed: isStubbed, context)
        context.report(cases.warnings)
        let part = try self.part(context)
        if part != nil, givenSeed == nil {
            throw Failure(
                .usage, code: .usageInvalid, "the parts of a load need the same seed",
                hint: "pass --seed with the same number to all parts")
        }
        let plan = try self.plan(
            settings, of: cases, environment, LoadDice(seed: seed.text), isStubbed: isStubbed, part,
            most: context.network.allowTransfers(arguments[LoadOptions.inFlight]))
        if arguments[LoadOptions.list] {
            if let known { throw Failure(joining: known.problems, errorsInFiles: known.errorsInFiles) }
            context.output.write(plan.listing)
            return .success
        }
        let interruption = Interruption()
        let servers = LoadServers()
        let confirmation = context.confirmation(
            in: environment, isAgreed: arguments[SendOptions.yes], mayAsk: flags.mayAsk)
        let network = try context.caller(
            workspace, environment, flags, stubs: try StubChoice(arguments[StubChoice.optionOfMany], in: workspace),
            asked: cases.selected, confirmation: confirmation,
            session: try context.session(flags.session, isSending: true), standsInForSecrets: true,
            load: LoadRules(
                announce: servers.announce, refusal: servers.refusal,
                timeLimit: .seconds(30)))
        let files = ReportFiles(reports, in: workspace, context, interruption)
        let caller = network.caller.withoutRetries
        do throws(Failure) {
            let problems = (known?.problems ?? []) + files.problems + (await cases.rehearse(with: caller))
            let single = plan.actions.flatMap(\.flows).compactMap(\.problem)
            if known != nil || !problems.isEmpty || !single.isEmpty {
                throw Failure(joining: problems + single, errorsInFiles: known?.errorsInFiles ?? [])
            }
            let question = LoadQuestion(plan, servers, environment, isAgreed: arguments[SendOptions.yes], flags.mayAsk)
            let isAgreed = isStubbed ? false : try question.ask(context)
            if isAgreed { confirmation.agree() } else { try confirmation.ask() }
        } catch {
            files.abandon()
            throw error
        }
        if network.isInsecure { context.warnOfUncheckedCertificates(in: environment.name) }
        let isEarlyOrLate = part != nil && !context.world.clock.isSynchronized()
        if isEarlyOrLate { context.report(.warning, code: .loadClock, Self.unsynchronizedClock) }
        do throws(Failure) {
            let wanted = arguments[LoadOptions.threads] ?? plan.usualThreads
            let threads = isStubbed ? 0 : min(wanted, settings.connections ?? wanted)
            let show = LoadShow(
                plan, threads: threads, connections: settings.connectionRules(threads: threads), context,
                isOutputTaken: reports.contains(where: \.isForStandardOutput))
            let users = try await show.readyUsers(cases, caller)
            hasBegun = true
            var result = await show.result(of: users, interruption)
            result.origin = RunOrigin(
                environment, in: workspace, baseURL: arguments[RequestOptions.baseURL], isStubbed: isStubbed, context)
            result.origin.seed = seed.text
            if network.isInsecure { result.warnings.append(Context.uncheckedCertificates(in: environment.name)) }
            if isEarlyOrLate { result.warnings.append(Self.unsynchronizedClock) }
            show.write(result)
            leakUntilExit([plan, network, result])
            return try result.written(to: files)
        } catch {
            files.abandon()
            throw error
        }
    }

    private static let unsynchronizedClock =
        "this machine's clock is not synchronized, so its part of the load may begin earlier or later than the others"

    // MARK: The plan

    /// The cases of the endpoints and scenarios, with a row of data each.
    private func cases(
        _ settings: LoadSettings, of catalogue: Catalogue, _ workspace: Workspace, _ environment: EnvironmentChain,
        isStubbed: Bool, _ context: Context
    ) throws(Failure) -> (CheckPlan, PlanFailure?) {
        let data = try settings.data(in: workspace).map { (path) throws(Failure) in
            try context.rows(path, for: catalogue)
        }
        let plain = settings.mix.filter { $0.call == nil }
        let endpoints = plain.filter { !$0.isScenario }
        let whole = Set(endpoints.map(\.endpointID)).subtracting(
            endpoints.filter { $0.checkName != nil }.map(\.endpointID))
        let named = catalogue.endpoints.filter {
            whole.contains($0.id) && $0.definition.checks.contains { $0.name != nil }
        }
        var request = CheckPlan.Request(
            selectors: plain.map { Selector($0.subject) }, exclusions: named.map { Selector("\($0.id)/*") },
            environment: environment.name, data: data, isLive: !isStubbed)
        request.callsAll = true
        let columns = data?.columns.map(\.name) ?? []
        request.added = settings.mix.compactMap { entry in
            guard let call = entry.call, let endpoint = catalogue.endpoint(entry.subject) else { return nil }
            return settings.file?.scenario(for: call, of: endpoint, columns: columns)
        }
        do throws(PlanFailure) {
            return (try CheckPlan.make(request, from: catalogue), nil)
        } catch {
            guard let rest = error.rest, !error.problems.contains(where: { $0.status == .usage }) else {
                throw Failure(joining: error.problems, errorsInFiles: error.errorsInFiles)
            }
            return (rest, error)
        }
    }

    /// The part of the load that this machine sends.
    private func part(_ context: Context) throws(Failure) -> LoadPlan.Part? {
        guard let choice = arguments[LoadOptions.shard], let start = arguments[LoadOptions.startAt] else { return nil }
        return LoadPlan.Part(
            try choice.shard { name in context.variable(name).flatMap { $0.isEmpty ? nil : $0 } },
            startAt: start.seconds)
    }

    private func plan(
        _ settings: LoadSettings, of cases: CheckPlan, _ environment: EnvironmentChain, _ dice: LoadDice,
        isStubbed: Bool, _ part: LoadPlan.Part?, most: Int
    ) throws(Failure) -> LoadPlan {
        let actions = try settings.mix.map { (entry) throws(Failure) in
            let flows: [Flow]
            if let call = entry.call {
                flows = cases.scenarios.filter { $0.place == call.place }.map { .scenario($0) }
            } else if entry.isScenario {
                flows = cases.scenarios.filter { $0.scenario.id == entry.subject }.map { .scenario($0) }
            } else {
                flows = cases.cases.filter { $0.endpoint.id == entry.endpointID && $0.checkName == entry.checkName }
                    .map { .check($0) }
            }
            guard let first = flows.first else {
                throw Failure(
                    .usage, code: .nothingSelected, "\"\(entry.subject)\" is not the id of an endpoint",
                    hint: "name each endpoint: a load calls no groups")
            }
            var rows: [String]?
            if entry.isScenario, case .scenario(let each) = first {
                rows = LoadEntry.rows(entry.id, of: each.scenario)
            }
            return LoadPlan.Action(
                id: entry.id, weight: entry.weight, rows: rows, think: entry.think, flows: flows,
                requests: cases.requests(of: first))
        }
        let plan = LoadPlan(
            environment: environment.name, actions: actions, pace: settings.pace(dice), users: settings.users ?? 1,
            most: arguments[LoadOptions.count], dice: dice,
            thresholds: isStubbed ? [] : try settings.thresholds(actions.flatMap(\.rows)), abort: settings.abort,
            mostInFlight: most, isRehearsal: isStubbed, part: part)
        let available = actions.map(\.flows.count).max() ?? 0
        if !settings.repeatsData, plan.needsMoreRows(than: available) {
            let wanted = plan.expectedCount.map { "\(max($0, available + 1)) arrivals" } ?? "the arrivals of users"
            throw Failure(
                .usage, code: .usageInvalid,
                "the table has \(counted(available, "row")) for \(wanted), and \"again\" is false",
                hint: "add rows, or end the load earlier with --count")
        }
        return plan
    }
}

extension Caller {
    /// A caller that sends each request once, because retries hide errors and delays.
    fileprivate var withoutRetries: Caller {
        var caller = self
        caller.call = { [call] endpoint in
            var call = call(endpoint)
            call.overrides.append(CommandLineOverride(.setting(.retryTimes, 0), flag: "load"))
            return call
        }
        return caller
    }
}

extension LoadPlan {
    /// The requests that would be sent, for `--list`.
    fileprivate var listing: String {
        let total = actions.reduce(0) { $0 + $1.weight }
        let rows = actions.flatMap { action in
            zip(action.rows, action.endpoints).enumerated().map { index, row in
                [
                    row.0, row.1.method(in: environment), row.1.definition.request.path?.set?.source ?? "",
                    total == action.weight || index > 0 ? "" : "\(action.weight) of \(total)",
                ].map { TerminalText.harmless($0) }
            }
        }
        let widths = rows[0].indices.map { column in rows.map { TerminalText.width(of: $0[column]) }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).map { TerminalText.padded($0, to: $1) }.joined(separator: "  ")
        }
        let conditions = "conditions: \(thresholds.map(\.text).joined(separator: ", "))"
        return (lines.map(\.trimmingSpacesAtEnd) + [summary] + (thresholds.isEmpty ? [] : [conditions])).map {
            $0 + "\n"
        }.joined()
    }

    /// One thread makes 20,000 small requests a second at most, and fewer with conditions on the response. More threads than needed take
    /// 10 to 20 % more processor time.
    fileprivate var usualThreads: Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Int(min(Double(cores), max(1, (highestRate / 2_000).rounded(.up))))
    }
}

extension LoadPlan.Action {
    /// The endpoint of each row.
    var endpoints: [LocatedEndpoint] {
        switch flows[0] {
        case .check(let each): return [each.endpoint]
        case .scenario(let each):
            return LoadEntry.labels(of: each.scenario).compactMap { label in
                each.allSteps.first { $0.label == label }?.endpoint
            }
        }
    }
}

extension String {
    fileprivate var trimmingSpacesAtEnd: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}

extension Diagnostic.Code {
    static let loadClock: Self = "load.clock"
}
